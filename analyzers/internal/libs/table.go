package libs

// Effects, as a message goes on after the function's name.
const (
	startsSelf    = "starts a copy of this program as a daemon, in a session of its own"
	releasesSelf  = "starts a copy of this program and lets go of it"
	leavesSession = "makes this process leave its owner's session"
	startsOnPTY   = "starts the child on a pseudo-terminal, in a session of its own"
	startsSession = "starts the child in a session of its own"
	startsGroup   = "starts the child in a process group of its own"
	startsDB      = "starts PostgreSQL with pg_ctl, as a daemon that outlives its owner"
	startsEnvtest = "starts etcd and the API server in process groups of their own"
)

// table was filled from the sources at the versions in
// testdata/realmodules/go.mod. Looked at and left out:
//
//   - creack/pty StartWithAttrs (and its forks'): it takes the attributes it is
//     given and adds none; those are judged where they are written
//   - charmbracelet/x/xpty and x/conpty: they set no attributes
//   - go-rod/rod's launcher: a group of its own, but with a guard that ends the
//     browser with its owner, unless that is turned off
//   - golang.org/x/telemetry Start: a session of its own, but it ends with its
//     owner or after one upload
//   - rclone's lib/daemonize, mitchellh/panicwrap, jpillora/overseer,
//     cloudflare/tableflip, hashicorp/go-plugin: a plain child
//   - kardianos/service, takama/daemon: service management, of what is no child
//   - k1LoW/exec, storj.io/common/processgroup, jesseduffield/kill: they return
//     or change a command that the caller starts, which facts find
var table = map[function]string{
	{"github.com/sevlyar/go-daemon", "Context", "Reborn"}: startsSelf,
	{"github.com/VividCortex/godaemon", "", "MakeDaemon"}: startsSelf,
	{"github.com/VividCortex/godaemon", "", "Daemonize"}:  startsSelf,
	{"github.com/zh-five/xdaemon", "", "Background"}:      startsSelf,
	{"github.com/zh-five/xdaemon", "Daemon", "Run"}:       startsSelf,
	{"github.com/immortal/immortal", "", "Fork"}:          startsSelf,
	{"gopkg.in/hlandau/service/daemon", "", "Fork"}:       releasesSelf,
	{"gopkg.in/hlandau/service/daemon", "", "Daemonize"}:  leavesSession,

	{"github.com/creack/pty", "", "Start"}:                           startsOnPTY,
	{"github.com/creack/pty", "", "StartWithSize"}:                   startsOnPTY,
	{"github.com/kr/pty", "", "Start"}:                               startsOnPTY,
	{"github.com/kr/pty", "", "StartWithSize"}:                       startsOnPTY,
	{"github.com/photostorm/pty", "", "Start"}:                       startsOnPTY,
	{"github.com/photostorm/pty", "", "StartWithSize"}:               startsOnPTY,
	{"github.com/aymanbagabas/go-pty", "Cmd", "Start"}:               startsOnPTY,
	{"github.com/aymanbagabas/go-pty", "Cmd", "Run"}:                 startsOnPTY,
	{"github.com/google/goexpect", "", "Spawn"}:                      startsOnPTY,
	{"github.com/google/goexpect", "", "SpawnWithArgs"}:              startsOnPTY,
	{"github.com/ThomasRooney/gexpect", "", "Spawn"}:                 startsOnPTY,
	{"github.com/ThomasRooney/gexpect", "", "SpawnAtDirectory"}:      startsOnPTY,
	{"github.com/ThomasRooney/gexpect", "ExpectSubprocess", "Start"}: startsOnPTY,

	{"github.com/codeskyblue/kexec", "", "Command"}:        startsSession,
	{"github.com/codeskyblue/kexec", "", "CommandString"}:  startsSession,
	{"github.com/go-cmd/cmd", "Cmd", "Start"}:              startsGroup,
	{"github.com/go-cmd/cmd", "Cmd", "StartWithStdin"}:     startsGroup,
	{"github.com/Songmu/timeout", "Timeout", "Run"}:        startsGroup,
	{"github.com/Songmu/timeout", "Timeout", "RunSimple"}:  startsGroup,
	{"github.com/Songmu/timeout", "Timeout", "RunContext"}: startsGroup,
	{"github.com/Songmu/timeout", "Timeout", "RunCommand"}: startsGroup,

	{"github.com/fergusstrange/embedded-postgres", "EmbeddedPostgres", "Start"}: startsDB,
	{"sigs.k8s.io/controller-runtime/pkg/envtest", "Environment", "Start"}:      startsEnvtest,
}
