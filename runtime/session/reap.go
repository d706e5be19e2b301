package session

import "time"

// A doubt is a session that is looked at because something is due. The lock is
// not held while its schedules are asked about, so what it was when it was taken
// is remembered: if it has changed, it was looked at for nothing.
type doubt struct {
	session *record
	changes uint32
	reaper  Reaper // Cap, or NoReaper for whichever of the others is due
	answer  answer
}

// fire is what the timer calls. The timer may come too early, too late or twice:
// the time alone says what is due.
func (r *Registry) fire() {
	if !r.beginFiring() {
		return
	}
	for {
		doubts := r.takeDue()
		if len(doubts) == 0 {
			return
		}
		r.ask(doubts)
		r.decide(doubts)
	}
}

func (r *Registry) beginFiring() bool {
	now := r.lock()
	defer r.unlock(now)
	if r.firing || r.shut {
		return false
	}
	r.firing = true
	r.timerAt = never
	return true
}

// takeDue takes out of the queue what is due, up to a bound. If nothing is, the
// firing ends and the timer is set.
func (r *Registry) takeDue() []doubt {
	now := r.lock()
	defer r.unlock(now)
	if r.shut {
		r.firing = false
		return nil
	}
	if now >= r.scanAt {
		r.scan(now)
	}
	doubts := r.overdue(now)
	if len(doubts) == 0 {
		doubts = r.excess()
	}
	r.firing = len(doubts) > 0
	return doubts
}

func (r *Registry) overdue(now int64) []doubt {
	var doubts []doubt
	for len(doubts) < batch {
		s, ok := r.queue.Pop(now)
		if !ok {
			break
		}
		r.evictable.Remove((*candidate)(s))
		doubts = append(doubts, doubt{session: s, changes: s.changes})
	}
	return doubts
}

// excess takes the sessions that the cap has to go.
func (r *Registry) excess() []doubt {
	var doubts []doubt
	for r.overCap() && len(doubts) < min(batch, r.live-r.opts.MaxLive) {
		c, ok := r.evictable.Pop(never)
		if !ok {
			break
		}
		s := (*record)(c)
		r.queue.Remove(s)
		doubts = append(doubts, doubt{session: s, changes: s.changes, reaper: Cap})
	}
	return doubts
}

// scan looks for sessions that have lost their timer. It costs a comparison if
// there are none: every live session without a client is in the queue.
func (r *Registry) scan(now int64) {
	r.scanAt = after(now, r.opts.Scan)
	if r.queue.Len() == r.detached {
		return
	}
	for _, s := range r.sessions {
		if _, queued := r.queue.Due(s); queued || s.attached || s.retired {
			continue
		}
		r.arm(s, now)
		r.note(s, now, "repaired", "its timer was lost")
	}
}

// ask puts the one question that comes first on every path. It is not put for
// sessions whose turn was interrupted for want of a client: the interrupt beats
// the schedule, which could never claim a turn of such a session again.
func (r *Registry) ask(doubts []doubt) {
	var asked []*doubt
	for i := range doubts {
		if !doubts[i].session.latched { // set by decide only, which is not running
			asked = append(asked, &doubts[i])
		}
	}
	r.question.ask(asked)
}

// decide acts on each session that is still as it was when it was taken.
func (r *Registry) decide(doubts []doubt) {
	now := r.lock()
	defer r.unlock(now)
	for i := range doubts {
		d := &doubts[i]
		if d.session.changes == d.changes && !r.shut {
			r.decideOne(d, now)
		}
	}
}

func (r *Registry) decideOne(d *doubt, now int64) {
	s := d.session
	if s.latched {
		r.poll(s, now)
		return
	}
	if d.answer.err != nil {
		r.noteError(s, "store unreadable", "whether it has a schedule cannot be told and counts as no", d.answer.err)
	}
	s.pinned = d.answer.yes
	if s.pinned {
		s.look = after(now, r.opts.Scan)
		r.arm(s, now)
		r.note(s, now, "spared", "this process is the only engine of its schedule")
		return
	}
	r.reap(s, now, d.reaper)
}

// reap does what is due to a session that no schedule spares.
func (r *Registry) reap(s *record, now int64, reaper Reaper) {
	switch {
	case r.orphanDue(s) <= now && s.running:
		r.latch(s, now)
	case r.orphanDue(s) <= now:
		r.retire(s, now, Closing{s.id, Retired, Orphan, "its client did not come back"}, Never)
	case r.ttlDue(s) <= now:
		r.retire(s, now, Closing{s.id, Retired, TTL, "it was idle for too long"}, Never)
	case reaper == Cap && r.overCap() && s.mayBeEvicted():
		r.retire(s, now, Closing{s.id, Retired, Cap, "there are too many sessions"}, Never)
	default:
		r.arm(s, now)
		r.note(s, now, "re-armed", r.why(s))
	}
}

// why says what keeps a session from its reaper for now.
func (r *Registry) why(s *record) string {
	switch {
	case s.running:
		return "its turn makes progress"
	case s.held():
		return "it has work: " + s.heldFor()
	}
	return "nothing is due"
}

// latch interrupts the turn of a session whose client is gone for too long. From
// here on there is no way back: no client and no turn is let in, and the session
// ends when the turn does, or after maxPolls.
func (r *Registry) latch(s *record, now int64) {
	s.latched = true
	s.polls = 0
	s.look = after(now, pollEvery)
	if !s.stopped {
		s.stopped = true
		r.interrupt(s.id)
	}
	r.arm(s, now)
	r.note(s, now, "interrupted", "its client is gone and its turn silent")
}

// poll looks whether an interrupted turn has ended.
func (r *Registry) poll(s *record, now int64) {
	s.polls++
	switch {
	case !s.running:
		r.retire(s, now, Closing{s.id, Interrupted, Orphan, "its interrupted turn has ended"}, Never)
	case s.polls > maxPolls:
		r.retire(s, now, Closing{s.id, Interrupted, Orphan, forced}, Never)
	default:
		s.look = after(now, pollEvery)
		r.arm(s, now)
	}
}

// forced is the reason of a reap that gave up waiting for a turn.
const forced = "its interrupted turn does not end"

// retire closes a session. A settle of 0 or more is how long the hooks wait for
// its turn.
func (r *Registry) retire(s *record, now int64, closing Closing, settle time.Duration) {
	s.retired = true
	r.live--
	if !s.attached {
		r.detached--
	}
	r.arm(s, now)
	r.noteClosed(s, now, closing)
	r.startTeardown(s, closing, settle)
}

// durationUntil returns how long to wait at now for a time.
func durationUntil(t, now int64) time.Duration {
	return time.Duration(max(0, t-now))
}
