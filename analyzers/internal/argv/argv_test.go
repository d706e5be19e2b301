package argv

import (
	"strings"
	"testing"
)

// In the command lines of this table a word is separated by spaces, or stands
// in ‹…› if it contains some. ? is an unknown argument, … any number of
// unknown arguments, and a word that ends in ~ is only how the argument starts.
type vectorCase struct {
	line    string
	program string // that detaches; "": none does
}

var vectorCases = []vectorCase{
	{`setsid server`, "setsid"},
	{`/usr/bin/setsid -f server`, "setsid"},
	{`setsid …`, "setsid"},
	{`?/bin/setsid server`, "setsid"},
	{`setsid --version`, ""},
	{`setsid -h`, ""},
	{`nohup server >/dev/null 2>&1 &`, "nohup"},
	{`nohup ?`, "nohup"},
	{`nohup~`, ""},
	{`nohup --help`, ""},
	{`nohup.sh server`, ""},
	{`daemonize -p pid /usr/bin/server`, "daemonize"},
	{`daemonize -v`, ""},
	{`daemon -f server`, "daemon"},
	{`daemon --name=x --stop`, ""},
	{`./daemon start`, ""},
	{`?/daemon start`, ""},
	{`/usr/sbin/daemon -p pid server`, "daemon"},

	{`start-stop-daemon --start --background -d / -m -p pid --exec server -- -x`, "start-stop-daemon"},
	{`start-stop-daemon -S -b -x /bin/sh -- -c ‹sleep 1›`, "start-stop-daemon"},
	{`start-stop-daemon -Sbmp pid -x server`, "start-stop-daemon"},
	{`start-stop-daemon … --background`, "start-stop-daemon"},
	{`start-stop-daemon --start --exec server`, ""},
	{`start-stop-daemon --start --exec server -- -b`, ""},
	{`start-stop-daemon --stop --pidfile pid`, ""},
	{`start-stop-daemon --start --pidfile b --exec server`, ""},

	{`systemd-run server`, "systemd-run"},
	{`systemd-run --user --unit=x --collect server`, "systemd-run"},
	{`systemd-run --wait --pipe server`, "systemd-run"},
	{`systemd-run --on-active=2m server`, "systemd-run"},
	{`systemd-run --user --scope server`, "systemd-run"},
	{`systemd-run …`, "systemd-run"},
	{`systemd-run --version`, ""},
	{`systemd-run --user --version`, ""},
	{`systemd-run --user --help`, ""},

	{`at now`, "at"},
	{`at now + ? min`, "at"},
	{`at ? -f script`, "at"},
	{`at -M -f script -t ?`, "at"},
	{`at 12:30`, "at"},
	{`at friday`, "at"},
	{`at -c 7`, ""},
	{`at -l`, ""},
	{`at -V`, ""},
	{`at -r 7`, ""},
	{`at spawn coordinator`, ""},
	{`atq`, ""},
	{`batch`, "batch"},
	{`batch -f script`, "batch"},
	{`batch run jobs`, ""},
	{`?/batch`, ""},

	{`tmux new-session -d -s x server`, "tmux"},
	{`tmux new -d`, "tmux"},
	{`tmux new-s -d`, "tmux"},
	{`tmux new-session -Ad -s x`, "tmux"},
	{`tmux new-session -dP -F #{pane_id}`, "tmux"},
	{`tmux new-session -ds ? -c ?`, "tmux"},
	{`tmux new-session -s x -c ? -d server`, "tmux"},
	{`tmux -L sock -f /dev/null new-session -d`, "tmux"},
	{`tmux -Lsock -2u new-session -d`, "tmux"},
	{`tmux … new-session -d …`, "tmux"},
	{`tmux ? new-session -d`, "tmux"},
	{`tmux start-server ; new-session -d`, "tmux"},
	{`tmux set -g x y; new -d`, "tmux"},
	{`tmux new-session -s x server`, ""},
	{`tmux new-session -A -D -s x`, ""},
	{`tmux new-session -s d`, ""},
	{`tmux new-session -e -d`, ""},
	{`tmux new-session -s x -- server -d`, ""},
	{`tmux new-window -d -t x server`, ""},
	{`tmux split-window -d server`, ""},
	{`tmux kill-session -t x`, ""},
	{`tmux has-session -t new-session -d`, ""},
	{`tmux attach -d -t x`, ""},
	{`tmux send-keys -t x ‹nohup server &› Enter`, ""},
	{`tmux new-session -s x ; detach-client -d`, ""},
	{`tmux …`, ""},
	{`tmux -V`, ""},
	{`screen -dm server`, "screen"},
	{`screen -dmS x bash -c y`, "screen"},
	{`screen -S x -d -m server`, "screen"},
	{`screen -DmS x server`, "screen"},
	{`screen -L -dmLS x server`, "screen"},
	{`screen -S dm -p 0 -X stuff x`, ""},
	{`screen -ls`, ""},
	{`screen -S x -s bash`, ""},
	{`screen -d -r x`, ""},
	{`dtach -n sock server`, "dtach"},
	{`dtach -a sock`, ""},
	{`abduco -n x server`, "abduco"},
	{`abduco -a x`, ""},

	{`launchctl load -w x.plist`, "launchctl"},
	{`launchctl bootstrap gui/501 ?`, "launchctl"},
	{`launchctl submit -l x -- server`, "launchctl"},
	{`launchctl kickstart -k gui/501/x`, "launchctl"},
	{`launchctl start x`, "launchctl"},
	{`launchctl asuser 501 launchctl load x.plist`, "launchctl"},
	{`launchctl unload x.plist`, ""},
	{`launchctl bootout gui/501/x`, ""},
	{`launchctl list`, ""},
	{`launchctl setenv X nohup`, ""},
	{`launchctl …`, ""},

	{`cmd /c start server`, "cmd /c start"},
	{`cmd.exe /C start ‹› http://localhost`, "cmd /c start"},
	{`cmd /c start …`, "cmd /c start"},
	{`cmd /C ‹start /B server > NUL 2>&1›`, "cmd /c start"},
	{`cmd /s /c ‹start "a title" /d C:\ server›`, "cmd /c start"},
	{`cmd ‹/c start server›`, "cmd /c start"},
	{`cmd /c ‹cd x && START server›`, "cmd /c start"},
	{`cmd /c ‹timeout 2 & start server›`, "cmd /c start"},
	{`C:\Windows\System32\cmd.exe /c ‹@start server›`, "cmd /c start"},
	{`?\cmd.exe /c start server`, "cmd /c start"},
	{`? /c start server`, "cmd /c start"},
	{`cmd /c ‹start server ?~›`, "cmd /c start"},
	{`cmd /c start /wait server`, ""},
	{`cmd /c ‹start "" /b /WAIT server›`, ""},
	{`cmd /c ‹echo start server›`, ""},
	{`cmd /c ‹echo "& start server"›`, ""},
	{`cmd /c ‹server & server›`, ""},
	{`cmd /c npm start`, ""},
	{`cmd /c ?`, ""},
	{`cmd start`, ""},
	{`cmd /c ‹schtasks /run /tn x›`, "schtasks"},
	{`cmd /c ‹powershell -Command "Start-Process server"›`, "Start-Process"},

	{`powershell -Command ‹Start-Process server›`, "Start-Process"},
	{`powershell.exe -NoProfile -ExecutionPolicy Bypass -c start-process server`, "start-process"},
	{`pwsh -Command ‹$p = Start-Process server -PassThru; $p.Id›`, "Start-Process"},
	{`powershell ‹& { saps server }›`, "saps"},
	{`powershell Start-Process -FilePath ? -Verb RunAs`, "Start-Process"},
	{`powershell -Command ‹(Start-Process server -ArgumentList @('a','b') -PassThru).Id›`, "Start-Process"},
	{`powershell -Command ‹if ($x) { y } Start-Process server›`, "Start-Process"},
	{"powershell -Command ‹Start-Process `\n server›", "Start-Process"},
	{`powershell -Command ‹[System.Diagnostics.Process]::Start("server")›`, "[System.Diagnostics.Process]::Start"},
	{`powershell -Command ‹Invoke-CimMethod -ClassName Win32_Process -MethodName Create -Arguments @{a='b'}›`, "Invoke-CimMethod"},
	{`powershell -Command ‹Register-ScheduledTask -TaskName x›`, "Register-ScheduledTask"},
	{`powershell -Command ‹schtasks /create /tn x›`, "schtasks"},
	{`? -NoProfile -Command ‹Start-Process server›`, "Start-Process"},
	{`powershell -Command ‹Start-Process server -Wait -PassThru›`, ""},
	{`powershell -Command ‹Start-Process server -ArgumentList ('a' + 'b') -Wait›`, ""},
	{`powershell -Command ‹$p = Start-Process server -PassThru; $p.WaitForExit()›`, ""},
	{`powershell -Command ‹Write-Host 'Start-Process server'›`, ""},
	{`powershell -Command ‹Write-Host "; Start-Process server"›`, ""},
	{`powershell -Command ‹# Start-Process server›`, ""},
	{`powershell -Command ‹Get-Process start›`, ""},
	{`powershell -Command ‹Invoke-CimMethod -ClassName Win32_Process -MethodName Terminate›`, ""},
	{`powershell -File start.ps1`, ""},
	{`powershell -EncodedCommand start`, ""},

	{`schtasks /Create /TN x /TR y`, "schtasks"},
	{`schtasks.exe /run /tn x`, "schtasks"},
	{`schtasks /query /tn x`, ""},
	{`schtasks /delete /tn x /f`, ""},
	{`sc start x`, "sc"},
	{`sc.exe query x`, ""},
	{`sc \\host start x`, ""},
	{`wmic process call create ?`, "wmic"},
	{`wmic process where x get y`, ""},

	{`systemctl start x`, ""},
	{`systemctl enable --now x`, ""},
	{`service x start`, ""},
	{`docker run -d x`, ""},
	{`docker exec x sh -c ‹server &›`, ""},
	{`kubectl exec x -- sh -c ‹nohup server &›`, ""},
	{`ssh host ‹nohup server &›`, ""},
	{`ssh -f -N -L 1:localhost:2 host`, "ssh"},
	{`ssh -fN host`, "ssh"},
	{`ssh -F f host`, ""},
	{`open -a x`, ""},
	{`xdg-open x`, ""},
	{`pgrep setsid`, ""},
	{`pkill -f nohup`, ""},
	{`which nohup`, ""},
	{`man nohup`, ""},
	{`grep nohup x`, ""},
	{`echo setsid server`, ""},

	{`env -i A=b nohup server`, "nohup"},
	{`env -u X -- A=b setsid server`, "setsid"},
	{`env ?=? setsid server`, "setsid"},
	{`sudo setsid server`, "setsid"},
	{`sudo -n -u x -E A=b setsid server`, "setsid"},
	{`sudo --user=x -- setsid server`, "setsid"},
	{`sudo … setsid server`, "setsid"},
	{`sudo -b server`, "sudo"},
	{`sudo -u x sh -c ‹server &›`, "sh -c"},
	{`sudo server`, ""},
	{`sudo -l setsid`, ""},
	{`sudo -u setsid server`, ""},
	{`doas -u x setsid server`, "setsid"},
	{`nice -n 19 nohup server`, "nohup"},
	{`nice -19 nohup server`, "nohup"},
	{`nice -n nohup server`, ""},
	{`ionice -c 3 nohup server`, "nohup"},
	{`stdbuf -oL -e 0 setsid server`, "setsid"},
	{`timeout -k 5 10 setsid server`, "setsid"},
	{`timeout 10 server`, ""},
	{`time -f %e setsid server`, "setsid"},
	{`chroot /mnt setsid server`, "setsid"},
	{`taskset 0x3 setsid server`, "setsid"},
	{`busybox setsid server`, "setsid"},
	{`busybox sh -c ‹server &›`, "sh -c"},
	{`unshare -rn --mount-proc setsid server`, "setsid"},
	{`xvfb-run -a -s ‹-screen 0› nohup server`, "nohup"},
	{`flock -n /lock setsid server`, "setsid"},
	{`flock /lock -c ‹server &›`, "sh -c"},
	{`su - x -c ‹nohup server›`, "nohup in sh -c"},
	{`su x -c ‹echo nohup›`, ""},
	{`runuser -u x -- setsid server`, "setsid"},
	{`script -qec ‹server &› /dev/null`, "sh -c"},
	{`xargs -n 1 nohup`, "nohup"},
	{`command -v setsid`, ""},
	{`env nice sudo timeout 5 busybox setsid server`, "setsid"},

	{`sh -c ‹server &›`, "sh -c"},
	{`/bin/bash -lc ‹nohup server›`, "nohup in bash -c"},
	{`bash -xec ‹server &›`, "bash -c"},
	{`bash -o pipefail -c ‹server &›`, "bash -c"},
	{`bash -eo pipefail -c ‹server &›`, "bash -c"},
	{`bash --norc --rcfile x -c ‹server &›`, "bash -c"},
	{`bash +e -c ‹server &›`, "bash -c"},
	{`bash -c -l ‹server &›`, "bash -c"},
	{`bash … -c ‹server &›`, "bash -c"},
	{`bash ? -c ‹server &›`, "bash -c"},
	{`sh -c ‹nohup ~›`, "nohup in sh -c"},
	{`sh -c ‹server &~›`, "sh -c"},
	{`sh -c ‹"$@" &› sh server`, "sh -c"},
	{`? -c ‹server &›`, "sh -c"},
	{`? -lc ‹server &›`, "sh -c"},
	{`?/zsh -c ‹server &›`, "zsh -c"},
	{`sh script.sh -c ‹server &›`, ""},
	{`sh ‹server &›`, ""},
	{`sh -c`, ""},
	{`sh -c ?`, ""},
	{`sh -c …`, ""},
	{`sh -c ‹server && server 2>&1›`, ""},
	{`? -c core.editor=x commit`, ""},
	{`python3 -c ‹a & b &›`, ""},
	{`? new-session -d -s x`, "tmux"},
	{`? -dmS x server`, "screen"},
	{`? start`, ""},
	{`?`, ""},
	{`…`, ""},
	{``, ""},
}

// vector reads the notation of vectorCase.
func vector(line string) []Arg {
	var args []Arg
	for line = strings.TrimLeft(line, " "); line != ""; line = strings.TrimLeft(line, " ") {
		var text string
		if quoted, ok := strings.CutPrefix(line, "‹"); ok {
			text, line, _ = strings.Cut(quoted, "›")
		} else {
			text, line, _ = strings.Cut(line, " ")
		}
		args = append(args, argument(text))
	}
	return args
}

func argument(text string) Arg {
	switch text {
	case "?":
		return Arg{}
	case "…":
		return Arg{Rest: true}
	}
	value, prefix := strings.CutSuffix(text, "~")
	return Arg{Value: strings.ReplaceAll(value, "?", string(Hole)), Known: true, Prefix: prefix}
}

func TestJudge(t *testing.T) {
	for _, c := range vectorCases {
		t.Run(c.line, func(t *testing.T) {
			v, ok := Judge(vector(c.line))
			if v.Detaches != (c.program != "") || v.Program != c.program {
				t.Errorf("got %+v, want program %q", v, c.program)
			}
			if v.Detaches && (!ok || v.What == "") {
				t.Errorf("a verdict without its reason: %+v, judged=%t", v, ok)
			}
		})
	}
}

// The rows of one program say different things of it.
func TestJudgeSaysWhatHappens(t *testing.T) {
	for line, want := range map[string]string{
		"systemd-run --scope server": startsScope,
		"systemd-run server":         startsUnit,
		"dash -c ‹server &>log›":     leavesByParse,
		"sh -c ‹server &›":           leavesJob,
	} {
		if v, _ := Judge(vector(line)); v.What != want {
			t.Errorf("%s: got %q, want %q", line, v.What, want)
		}
	}
}

// "not judged" is for what is not known; a known program that stays in reach
// is judged.
func TestJudgeKnowsWhatItJudges(t *testing.T) {
	for line, want := range map[string]bool{
		"tmux kill-server": true,
		"sh -c server":     true,
		"env nice server":  false,
		"server":           false,
		"sh -c ?":          false,
		"?":                false,
	} {
		if _, ok := Judge(vector(line)); ok != want {
			t.Errorf("%s: judged=%t, want %t", line, ok, want)
		}
	}
}

// A command inside a command inside … is followed only so far.
func TestJudgeDepthIsBounded(t *testing.T) {
	within := vector(strings.Repeat("env ", maxDepth) + "setsid server")
	if v, _ := Judge(within); !v.Detaches {
		t.Errorf("%d wrappers are not looked through", maxDepth)
	}
	beyond := vector(strings.Repeat("env ", maxDepth+1) + "setsid server")
	if v, _ := Judge(beyond); v.Detaches {
		t.Errorf("%d wrappers are looked through, more than said", maxDepth+1)
	}
}

func FuzzJudge(f *testing.F) {
	for _, c := range vectorCases {
		f.Add(c.line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		v, ok := Judge(vector(line))
		if v.Detaches && (!ok || v.Program == "" || v.What == "") {
			t.Errorf("a verdict without its reason: %+v, %t", v, ok)
		}
	})
}
