package loop

import (
	"testing"
	"testing/synctest"
	"time"
)

// The alarm can ring in the moment between the end of a callback and the sleep
// that follows. It has then woken nobody, and must not count as set.
func TestAlarmThatRangTooEarlyIsSetAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := New()
		fired := false
		timer := l.After(time.Second, func() { fired = true })
		l.ringing = timer.due
		l.ring()
		ended := make(chan error, 1)
		go func() { ended <- l.Run(t.Context()) }()
		time.Sleep(2 * time.Second)
		synctest.Wait()
		if !fired {
			t.Error("the timer never fires")
		}
		if err := l.Close(t.Context()); err != nil {
			t.Error(err)
		}
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
}
