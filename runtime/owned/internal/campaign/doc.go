// Package campaign tests package owned with the kinds of programs that it is
// for. It has no code of its own.
//
//   - Families: fourteen kinds of children that real programs have left behind,
//     each under an owner that dies in four ways, started with os/exec alone and
//     with owned.Start in the same run. The test prints the table of survivors.
//   - Escapes: sixteen ways in which a process gets away from its ancestors, and
//     which tier still finds it.
//   - Bursts: owners killed at random moments while they start children.
//   - Hardship: large owners, an init that does not reap, and owners that die
//     together with their supervisor.
//
// Beside each owner that is killed another one lives, whose children must all
// survive. The tests need Linux. With HOLDFAST_E2E=1 they run the long form, with
// real programs (node, python3, git, gopls, chromium and an MCP server), and a
// missing program fails instead of being skipped:
//
//	HOLDFAST_E2E=1 go test -v -run Families ./runtime/owned/internal/campaign
package campaign
