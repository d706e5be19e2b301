// Package markers defines an analyzer that checks the comments by which source
// code talks back to the suite.
//
// # Analyzer markers
//
// markers: report markers and directives that do not do what they seem to
//
// A marker accepts one finding for a stated reason, and a directive tells the
// suite what a declaration is. Both are comments, so the compiler says nothing
// about a slip in one:
//
//	cmd.Start() // detached_spawn: ok — the updater must outlive us
//	cmd.Start() // detached-spawn: ok
//	cmd.Wait()  // loop-block: ok — see above
//
//	//holdfast:lopp
//	func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) { … }
//
// The analyzer reports a marker or directive that
//
//   - is misspelt, or names a verb, key or kind that does not exist;
//   - gives no reason where one is due: at least three words that say
//     something, or a link;
//   - is a second one for the same place, or contradicts the first;
//   - is a directive attached to no declaration;
//   - is unused: nothing on its line needs it any more. This is judged only
//     for the rules and verbs whose analyzer is part of the run.
//
// Markers of files that the current build leaves out are checked for all of
// this but use. Generated and vendored files are not looked at, and tests only
// with -markers.tests. A marker cannot accept a finding about itself.
package markers

const doc = `report markers and directives that do not do what they seem to

Markers ("// detached-spawn: ok — why") accept one finding, directives
("//holdfast:loop") describe a declaration. The analyzer reports those that are
misspelt, without a reason, given twice, contradictory, attached to nothing or
no longer used.`
