// Package digestgate skips a step whose inputs have not changed.
//
// Installing what a lock file lists, generating code, building a bundle: run at
// each start to be safe, such a step costs a minute in which it finds that
// nothing is to be done. A [Gate] remembers a digest of each input the step had
// when it last succeeded, and runs it again only if one differs or its output
// is not there.
//
//	gate := digestgate.New(stateDir)
//	decision, err := gate.Run(ctx, digestgate.Step{
//		Name:    "npm ci",
//		Dir:     root,
//		Files:   []string{"package.json", "package-lock.json"},
//		Globs:   []string{"packages/*/package.json"},
//		Extra:   []string{nodeVersion},
//		Project: dependenciesOnly,
//		Outputs: []string{"node_modules"},
//	}, install)
//	logger.Info("npm ci", "run", decision.Run, "because", decision.Reason)
//
// # What it promises
//
// A step is skipped only if its last run succeeded, every input is what it was
// when that run began, and every output is there. Whatever is not certain (no
// record, a damaged one, one of another format) runs the step. An input that
// cannot be read is an error.
//
// The digests are those of before the run, and are stored after it, as a whole
// and only if it succeeded. Before it begins, the record says on the disk that
// it has: a step that fails, or whose process or machine dies at any moment,
// runs again, even if its inputs go back to what they were meanwhile.
//
// What counts as a change is the caller's to say: [Step.Project] reduces a file
// to the part that matters, so that an edited comment installs nothing.
//
// # What escapes it
//
// Inputs that are not declared. What Project does is one of them: put a version
// of it into [Step.Extra].
//
// An output is looked for and not looked into. One that was damaged, or that a
// power cut took because the step did not force it to the disk, is not noticed.
//
// A step that changes its own inputs runs once more the next time.
//
// A gate excludes nobody: run a step in one process at a time.
//
// Only contents count, not modes or times. Each check reads all inputs.
package digestgate
