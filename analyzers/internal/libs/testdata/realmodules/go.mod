// The versions of the modules whose sources the table was filled from. The
// test reads this file; nothing is built from it.
module realmodules

go 1.26.0

require (
	github.com/Songmu/timeout v0.4.0
	github.com/ThomasRooney/gexpect v0.0.0-20161231170123-5482f0350944
	github.com/VividCortex/godaemon v1.0.0
	github.com/aymanbagabas/go-pty v0.2.3
	github.com/codeskyblue/kexec v0.0.0-20180119015717-5a4bed90d99a
	github.com/creack/pty v1.1.24
	github.com/fergusstrange/embedded-postgres v1.34.0
	github.com/go-cmd/cmd v1.4.4
	github.com/google/goexpect v0.0.0-20210430020637-ab937bf7fd6f
	github.com/immortal/immortal v0.24.6
	github.com/kr/pty v1.1.8
	github.com/photostorm/pty v1.1.19-0.20230903182454-31354506054b
	github.com/sevlyar/go-daemon v0.1.6
	github.com/zh-five/xdaemon v0.1.1
	gopkg.in/hlandau/service.v3 v3.0.0
	sigs.k8s.io/controller-runtime v0.25.2
)
