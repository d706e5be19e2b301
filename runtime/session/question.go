package session

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"github.com/holdfast-go/holdfast/runtime/clock"
)

// An answer says whether this process is the only engine of a live schedule. An
// error is a no.
type answer struct {
	yes bool
	err error
}

// errNoAnswer says that the schedules were not heard of in time.
var errNoAnswer = errors.New("no answer in time")

// maxHanging is how many sessions may hang the schedules before they are not
// asked about the others any more.
const maxHanging = 8

// A question puts one question to the schedules about many sessions, and takes a
// silence that is too long for a no. A session that hangs them costs its bound
// and a goroutine, and the others are asked about none the less; once there are
// maxHanging, all are a no at once until one of them returns. So a store that
// hangs as a whole holds the reapers up for a short time only, however many
// sessions are due.
type question struct {
	schedules Schedules
	bound     time.Duration
	clock     clock.Clock
	hanging   atomic.Int32
}

func (q *question) ask(doubts []*doubt) {
	if q.schedules == nil {
		return
	}
	for len(doubts) > 0 && q.hanging.Load() < maxHanging {
		answered := q.askUntilSilence(doubts)
		doubts = doubts[answered:]
		if len(doubts) > 0 {
			doubts[0].answer = silence
			doubts = doubts[1:]
		}
	}
	for _, d := range doubts {
		d.answer = silence
	}
}

var silence = answer{err: errNoAnswer}

// askUntilSilence returns how many were answered before one was not.
func (q *question) askUntilSilence(doubts []*doubt) int {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	timer := q.clock.AfterFunc(q.bound, cancel)
	defer timer.Stop()

	answers, leave := q.begin(ctx, doubts)
	for i, d := range doubts {
		select {
		case d.answer = <-answers:
			timer.Reset(q.bound)
		case <-ctx.Done():
			leave()
			return i
		}
	}
	return len(doubts)
}

// begin asks in a goroutine of its own, which ends after the last answer or,
// once ctx is done, after the one it hangs on. Who does not wait for all answers
// calls leave, and the goroutine counts as hanging for as long as it does.
func (q *question) begin(ctx context.Context, doubts []*doubt) (_ <-chan answer, leave func()) {
	answers := make(chan answer, len(doubts)) // room for all: it never waits for who has left
	ids := make([]string, len(doubts))
	for i, d := range doubts {
		ids[i] = d.session.id
	}
	var parted atomic.Bool // one of the two has left the other
	go func() {
		for _, id := range ids {
			if ctx.Err() != nil {
				break
			}
			yes, err := q.schedules.SoleEngine(ctx, id)
			answers <- answer{yes && err == nil, err}
		}
		if !parted.CompareAndSwap(false, true) {
			q.hanging.Add(-1)
		}
	}()
	return answers, func() {
		q.hanging.Add(1)
		if !parted.CompareAndSwap(false, true) {
			q.hanging.Add(-1)
		}
	}
}
