package argv

import "mvdan.cc/sh/v3/syntax"

// This file is the whole knowledge of programs. To teach the package another
// one, add a row here and a line to the table of its test.
//
// On purpose absent, because what they start is no child of the caller's in
// the first place: programs that act elsewhere (ssh host cmd, docker run,
// docker exec, kubectl exec), and that tell a service manager to start what it
// already knows (systemctl, service, net start, supervisorctl, pm2). Absent
// too: programs that open a document (open, xdg-open), and tmux commands on a
// session that exists (new-window, split-window, respawn-pane): whoever made
// the session has answered for it.

// Effects, as a message goes on after the program's name.
const (
	startsSession  = "starts the child in a session of its own"
	ignoresHangUp  = "makes the child ignore the hang-up of its owner's terminal"
	startsDaemon   = "starts the child as a daemon, in a session of its own"
	startsUnit     = "starts the child in a unit of systemd's, which outlives its owner"
	startsScope    = "moves the child to a systemd scope outside its owner's control group"
	startsJob      = "makes the at daemon start the child, later and apart from its owner"
	startsInServer = "starts the child under a terminal server that outlives its owner"
	startsLaunchd  = "makes launchd start the child, apart from its owner"
	startsTask     = "makes the task scheduler start the child, apart from its owner"
	startsService  = "makes the service manager start the child, apart from its owner"
	startsByWMI    = "makes the WMI service start the child, apart from its owner"
	startsApart    = "starts the child apart from its owner and does not wait for it"
	goesBackground = "puts itself in the background, in a session of its own"
	leavesJob      = "puts a job in the background with & and does not wait for it"
	leavesByParse  = "puts a job in the background where sh is a POSIX shell: it reads &> as & and >"
	disownsJob     = "drops a background job, so that it outlives its owner"
)

// A detacher is a program that puts what it starts out of its owner's reach.
type detacher struct {
	names   string // base names, space-separated
	effect  string
	options options
	when    func(call) bool
	// everyday says that the name is a common word, so that only a bare name
	// or one in a system directory is the program meant: ./daemon is not.
	everyday bool
}

// The first row that matches counts.
var detachers = []detacher{
	{names: "setsid", effect: startsSession, when: always},
	{names: "nohup", effect: ignoresHangUp, when: always},
	{names: "daemonize", effect: startsDaemon, options: options{short: "acdEeolpu"}, when: hasCommand},
	// libslack's and FreeBSD's; libslack's also talks to running daemons.
	{names: "daemon", effect: startsDaemon, options: options{short: "nXPDmoptuTlLFEOIN"},
		when: all(hasCommand, without("stop running restart list signal")), everyday: true},
	{names: "start-stop-daemon", effect: startsDaemon, options: startStopDaemon, when: anywhere("b background")},
	{names: "systemd-run", effect: startsScope, options: systemdRun, when: with("scope")},
	{names: "systemd-run", effect: startsUnit, options: systemdRun, when: always},
	{names: "at", effect: startsJob, options: options{short: "qft"}, when: schedulesJob, everyday: true},
	{names: "batch", effect: startsJob, options: options{short: "qft"},
		when: all(without("c l r d V"), hasNoOperands), everyday: true},
	{names: "tmux", effect: startsInServer, options: options{short: "cfLST"}, when: makesDetachedSession},
	{names: "screen", effect: startsInServer, options: options{short: "cehpsStT"},
		when: all(with("d D"), with("m"))},
	{names: "dtach abduco", effect: startsInServer, options: options{short: "e"}, when: with("n")},
	{names: "sudo", effect: goesBackground, options: sudo, when: with("b background")},
	{names: "ssh", effect: goesBackground, options: options{short: "BbcDEeFIiJLlmOopQRSWw"}, when: with("f")},
	{names: "launchctl", effect: startsLaunchd, when: verb("load bootstrap submit kickstart start")},
	{names: "schtasks", effect: startsTask, when: slash("create run")},
	{names: "sc", effect: startsService, when: verb("start"), everyday: true},
	{names: "wmic", effect: startsByWMI, when: inOrder("process", "call", "create")},
}

// powerShellCommands are the cmdlets and aliases that detach, in lower case.
var powerShellCommands = map[string]string{
	"start-process":                       startsApart,
	"saps":                                startsApart,
	"start":                               startsApart,
	"[diagnostics.process]::start":        startsApart,
	"[system.diagnostics.process]::start": startsApart,
	"register-scheduledtask":              startsTask,
	"start-scheduledtask":                 startsTask,
	"invoke-cimmethod":                    startsByWMI,
	"icim":                                startsByWMI,
	"invoke-wmimethod":                    startsByWMI,
	"iwmi":                                startsByWMI,
}

// A wrapper is a program that runs another one in its own place and in its
// owner's reach: what that one does counts.
type wrapper struct {
	names    string
	options  options
	verbs    string // first words with which it runs a command, if only with some
	operands int    // how many words of its own stand before the command
	assigns  bool   // NAME=value words may stand before the command
	query    string // options with which it runs no command
	script   string // options whose value is a script for sh
}

var wrappers = []wrapper{
	{names: "env", options: options{short: "uCSP", long: "unset chdir split-string"}, assigns: true},
	{names: "sudo", options: sudo, assigns: true, query: "l list v validate V e edit K remove-timestamp"},
	{names: "doas", options: options{short: "uCa"}},
	{names: "pkexec", options: options{long: "user"}},
	{names: "su runuser", options: options{short: "ucgGsw", long: "user command session-command group supp-group shell whitelist-environment"},
		script: "c command session-command"},
	{names: "gosu su-exec", operands: 1},
	{names: "nice", options: options{short: "n", long: "adjustment"}},
	{names: "ionice", options: options{short: "cnpPu", long: "class classdata"}, query: "p P u pid pgid uid"},
	{names: "chrt", options: options{short: "TPD"}, operands: 1, query: "p pid m max"},
	{names: "taskset", operands: 1, query: "p pid"},
	{names: "numactl", options: options{short: "NCmipP", long: "cpunodebind physcpubind membind interleave preferred"}},
	{names: "prlimit", options: options{short: "po", long: "pid output"}, query: "p pid"},
	{names: "stdbuf", options: options{short: "ioe", long: "input output error"}},
	{names: "timeout gtimeout", options: options{short: "ks", long: "kill-after signal"}, operands: 1},
	{names: "time", options: options{short: "fo", long: "format output"}},
	{names: "strace ltrace", options: options{short: "aeEIoOpPsSuUX"}, query: "p"},
	{names: "chroot", options: options{short: "ugG", long: "userspec groups"}, operands: 1},
	{names: "unshare", options: options{short: "RwSG", long: "root wd setuid setgid propagation setgroups map-user map-group"}},
	{names: "nsenter", options: options{short: "tSG", long: "target setuid setgid"}},
	{names: "setpriv", options: options{long: "reuid regid groups inh-caps ambient-caps bounding-set securebits pdeathsig"}},
	{names: "flock", options: options{short: "wEc", long: "wait timeout conflict-exit-code command"}, operands: 1, script: "c command"},
	{names: "script", options: options{short: "cEIOBTmo", long: "command echo log-in log-out log-io log-timing"}, operands: 1, script: "c command"},
	{names: "xvfb-run", options: options{short: "efnpsw", long: "error-file auth-file server-num xauth-protocol server-args wait"}},
	{names: "dbus-run-session", options: options{long: "config-file dbus-daemon"}},
	{names: "systemd-inhibit", options: options{long: "what who why mode"}, query: "list"},
	{names: "caffeinate", options: options{short: "tw"}},
	{names: "xargs", options: options{short: "adEILnPs", long: "arg-file delimiter max-lines max-args max-procs max-chars process-slot-var"}},
	{names: "busybox toybox", query: "list list-full install"},
	{names: "launchctl", verbs: "asuser bsexec", operands: 2},
	{names: "winpty"},
	{names: "exec", options: options{short: "a"}},
	{names: "command", query: "v V"},
	{names: "builtin nocorrect noglob"},
}

var (
	sudo = options{short: "CDghpRrTtUu",
		long: "close-from chdir group host prompt chroot role command-timeout type other-user user"}
	systemdRun = options{short: "HMupE",
		long: "host machine unit property description slice service-type uid gid nice working-directory setenv background " +
			"on-active on-boot on-startup on-unit-active on-unit-inactive on-calendar path-property socket-property timer-property"}
	// Debian's, OpenRC's and BusyBox's together.
	startStopDaemon = options{short: "xpnusaRcgrdNPIkOe12w",
		long: "exec pidfile name user signal startas retry chuid group chroot chdir nicelevel procsched iosched umask output env stdout stderr wait pid ppid"}
	newSession = options{short: "ceFfnstxy"}
)

// A shell is a program that runs a script given as an argument.
type shell struct {
	syntax   scriptSyntax
	dialects []syntax.LangVariant // in the order in which they are tried
	posix    bool                 // may be a POSIX shell, to which &> is & and >
}

type scriptSyntax int

const (
	unixSyntax scriptSyntax = iota
	cmdSyntax
	powerShellSyntax
)

var (
	bashFirst = []syntax.LangVariant{syntax.LangBash, syntax.LangPOSIX, syntax.LangMirBSDKorn}
	kornFirst = []syntax.LangVariant{syntax.LangMirBSDKorn, syntax.LangBash, syntax.LangPOSIX}
	zshFirst  = []syntax.LangVariant{syntax.LangZsh, syntax.LangBash, syntax.LangPOSIX}
)

// fish is here because & means the same to it; a script in words of its own
// does not parse and is not judged.
var shells = map[string]shell{
	"sh":         {dialects: bashFirst, posix: true},
	"dash":       {dialects: bashFirst, posix: true},
	"ash":        {dialects: bashFirst},
	"bash":       {dialects: bashFirst},
	"rbash":      {dialects: bashFirst},
	"ksh":        {dialects: kornFirst},
	"mksh":       {dialects: kornFirst},
	"zsh":        {dialects: zshFirst},
	"fish":       {dialects: bashFirst},
	"cmd":        {syntax: cmdSyntax},
	"powershell": {syntax: powerShellSyntax},
	"pwsh":       {syntax: powerShellSyntax},
}

// A telltale is an argument that gives away a program whose name is not known.
type telltale struct {
	word    string // compared without regard to case
	first   bool   // only as the first argument
	program string
}

var telltales = []telltale{
	{word: "-c", first: true, program: "sh"},
	{word: "-lc", first: true, program: "sh"},
	{word: "-ic", first: true, program: "sh"},
	{word: "-ec", first: true, program: "sh"},
	{word: "/c", first: true, program: "cmd"},
	{word: "-command", program: "powershell"},
	{word: "new-session", program: "tmux"},
	{word: "-dmS", program: "screen"},
}
