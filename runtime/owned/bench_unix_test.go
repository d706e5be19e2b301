//go:build unix

package owned

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// BenchmarkStart compares Start with exec.Cmd.Start, one after the other in
// the same loop: with a plain one ("exec"), and with one that asks the kernel
// for the same ("same"), which is a session of its own in all tiers but Portable.
//
// How long a start takes is bimodal, five times as long if the kernel runs the
// child at once on a processor that it had to wake, and a new session has the
// kernel make a scheduling group (sched(7), autogroup). So the median jumps
// between two values. Compare the minimum (p0) and the 10th percentile between
// runs, and the medians of the ratios of pairs, which saw the same machine.
func BenchmarkStart(b *testing.B) {
	for _, tier := range []Tier{Portable, Marks, Cgroup} {
		b.Run(tier.String(), func(b *testing.B) {
			o := New(AtMost(tier), LedgerDir(b.TempDir()))
			defer o.Close(context.Background())
			if o.Containment().Tier != tier {
				b.Skip("the tier does not work here")
			}
			start := func(attributes *syscall.SysProcAttr) time.Duration {
				o.settle()
				cmd := exec.Command("/bin/sleep", "1000")
				cmd.SysProcAttr = attributes
				took := timed(b, cmd.Start)
				cmd.Process.Kill()
				cmd.Wait()
				return took
			}
			startOwned := func() time.Duration {
				o.settle()
				var c *Child
				took := timed(b, func() (err error) {
					c, err = o.Start(exec.Command("/bin/sleep", "1000"))
					return err
				})
				c.Signal(os.Kill)
				c.Wait()
				<-c.Done()
				return took
			}
			startOwned() // The first one also starts the supervisor.
			var plain, same, ours []time.Duration
			for b.Loop() {
				plain = append(plain, start(nil))
				attributes := &syscall.SysProcAttr{Setsid: tier != Portable, Setpgid: tier == Portable}
				o.platform.leaf.enter(attributes)
				same = append(same, start(attributes))
				ours = append(ours, startOwned())
			}
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(float64(percentile(plain, 0).Microseconds()), "exec-p0-µs")
			b.ReportMetric(float64(percentile(ours, 0).Microseconds()), "owned-p0-µs")
			report(b, "exec", plain, ours)
			report(b, "same", same, ours)
		})
	}
}

// settle waits for what a start leaves to the background: a warm spare, and a
// supervisor that has read its line.
func (o *Owner) settle() {
	for range 100 {
		time.Sleep(100 * time.Microsecond)
		o.platform.spares.mu.Lock()
		warm := o.platform.spares.warm != nil
		o.platform.spares.mu.Unlock()
		if warm || o.platform.tier != Portable {
			return
		}
	}
}

func timed(b *testing.B, f func() error) time.Duration {
	b.Helper()
	start := time.Now()
	if err := f(); err != nil {
		b.Fatal(err)
	}
	return time.Since(start)
}

func report(b *testing.B, name string, theirs, ours []time.Duration) {
	var pairs []float64
	for i := range theirs {
		pairs = append(pairs, float64(ours[i])/float64(theirs[i]))
	}
	b.ReportMetric(percentile(pairs, 50), "ratio-to-"+name+"-pairs")
	for _, p := range []int{0, 10, 50} {
		ratio := float64(percentile(ours, p)) / float64(percentile(theirs, p))
		b.ReportMetric(ratio, fmt.Sprintf("ratio-to-%s-p%d", name, p))
	}
}

// percentile returns the value that p of 100 are below.
func percentile[T cmp.Ordered](values []T, p int) T {
	return slices.Sorted(slices.Values(values))[len(values)*p/100]
}

func median(durations []time.Duration) time.Duration { return percentile(durations, 50) }

// BenchmarkSupervisor reports the proportional memory of an idle supervisor and
// what each of 1000 living children adds to it and to the owner.
func BenchmarkSupervisor(b *testing.B) {
	if runtime.GOOS != "linux" {
		b.Skip("needs /proc")
	}
	const children = 1000
	for b.Loop() {
		o := New(LedgerDir(noLedger))
		if _, err := o.Start(exec.Command("/bin/sleep", "1000")); err != nil {
			b.Fatal(err)
		}
		supervisor := o.Containment().Supervisor
		settled(supervisor)
		idle := memory(b, supervisor, "Pss")
		private := memory(b, supervisor, "Private_Dirty")
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		for range children {
			if _, err := o.Start(exec.Command("/bin/sleep", "1000")); err != nil {
				b.Fatal(err)
			}
		}
		settled(supervisor)
		runtime.GC()
		runtime.ReadMemStats(&after)
		b.ReportMetric(0, "ns/op")
		b.ReportMetric(idle, "idle-PSS-KB")
		b.ReportMetric(private, "idle-private-dirty-KB")
		b.ReportMetric((memory(b, supervisor, "Pss")-idle)*1024/children, "supervisor-B/child")
		b.ReportMetric(float64(after.HeapAlloc+after.StackInuse-before.HeapAlloc-before.StackInuse)/children, "owner-B/child")
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		o.Close(ctx)
	}
}

// settled waits until the supervisor sleeps in read, having read everything.
func settled(pid int) {
	for quiet := 0; quiet < 20; time.Sleep(2 * time.Millisecond) {
		text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/wchan", pid))
		quiet++
		if !strings.Contains(string(text), "pipe_read") {
			quiet = 0
		}
		if len(text) <= 1 {
			time.Sleep(300 * time.Millisecond) // The kernel does not say.
			return
		}
	}
}

func memory(b *testing.B, pid int, what string) float64 {
	b.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/smaps_rollup", pid))
	if err != nil {
		b.Skip(err)
	}
	_, rest, _ := strings.Cut(string(text), "\n"+what+":")
	kilobytes, err := strconv.Atoi(strings.Fields(rest)[0])
	if err != nil {
		b.Fatal(err)
	}
	return float64(kilobytes)
}

// BenchmarkDeathToEmpty compares how long it takes from the end of the pipe
// until nothing obedient is alive with a bare loop of kill(2).
func BenchmarkDeathToEmpty(b *testing.B) {
	for _, children := range []int{1, 100, 500} {
		b.Run(strconv.Itoa(children), func(b *testing.B) {
			var bare, ours []time.Duration
			for b.Loop() {
				bare = append(bare, bareDeath(b, children))
				ours = append(ours, supervisedDeath(b, children))
			}
			p, o := median(bare), median(ours)
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(float64(p.Microseconds())/1000, "kill-loop-ms")
			b.ReportMetric(float64(o.Microseconds())/1000, "supervisor-ms")
			b.ReportMetric(float64(o)/float64(p), "ratio")
		})
	}
}

func bareDeath(b *testing.B, children int) time.Duration {
	var started []*exec.Cmd
	for range children {
		cmd := exec.Command("/bin/sleep", "1000")
		cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
		if err := cmd.Start(); err != nil {
			b.Fatal(err)
		}
		started = append(started, cmd)
	}
	return timed(b, func() error {
		for _, cmd := range started {
			syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM)
		}
		for _, cmd := range started {
			cmd.Wait()
		}
		return nil
	})
}

func supervisedDeath(b *testing.B, children int) time.Duration {
	o := New(LedgerDir(noLedger))
	var started []*Child
	for range children {
		c, err := o.Start(exec.Command("/bin/sleep", "1000"))
		if err != nil {
			b.Fatal(err)
		}
		started = append(started, c)
	}
	settled(o.Containment().Supervisor)
	return timed(b, func() error {
		o.platform.client.DieAsOwner()
		for _, c := range started {
			c.Wait()
		}
		return nil
	})
}
