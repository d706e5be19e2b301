package session

// This file says what is to become of a session, as a function of its record
// alone. Whatever changes a record calls arm; so there is no state of a session
// for which a timer could have been forgotten.

// arm voids the decisions that are being prepared for the session, and queues it
// for the next time at which it has to be looked at.
func (r *Registry) arm(s *record, now int64) {
	s.changes++
	if s.attached || s.retired {
		r.queue.Remove(s)
		r.evictable.Remove((*candidate)(s))
		return
	}
	r.queue.Set(s, r.due(s, now))
	if r.opts.MaxLive > 0 && s.mayBeEvicted() {
		r.evictable.Set((*candidate)(s), s.touched)
	} else {
		r.evictable.Remove((*candidate)(s))
	}
}

// due returns when to look at a session without a client. One that nothing can
// happen to before it changes is in the queue too, and due never.
func (r *Registry) due(s *record, now int64) int64 {
	switch {
	case s.latched && !s.running:
		return now
	case s.latched, s.pinned:
		return s.look
	}
	return min(r.orphanDue(s), r.ttlDue(s))
}

// orphanDue returns when the orphan reaper closes the session or interrupts its
// turn, as things stand.
func (r *Registry) orphanDue(s *record) int64 {
	if s.holds[Delegation] > 0 {
		return never
	}
	grace := after(s.since, r.opts.Grace)
	if !s.running {
		return grace
	}
	return max(grace, r.staleAt(s))
}

// staleAt returns when the silence of the turn has been too long.
func (r *Registry) staleAt(s *record) int64 {
	if r.opts.ActivityStale == Never {
		return s.activity
	}
	return after(s.activity, r.opts.ActivityStale)
}

// ttlDue returns when the TTL reaper closes the session, as things stand. A
// session is never idle for longer than it exists, so its age needs no look.
func (r *Registry) ttlDue(s *record) int64 {
	if s.running || s.held() {
		return never
	}
	return after(s.touched, r.opts.TTL)
}

func (s *record) mayBeEvicted() bool {
	return s.client > 0 && !s.running && !s.held() && !s.pinned && !s.latched
}

func (r *Registry) overCap() bool {
	return r.opts.MaxLive > 0 && r.live > r.opts.MaxLive
}

// nextDue returns when the reapers have something to do.
func (r *Registry) nextDue(now int64) int64 {
	next := r.scanAt
	if due, ok := r.queue.First(); ok {
		next = min(next, due)
	}
	if r.overCap() && r.evictable.Len() > 0 {
		next = min(next, now)
	}
	return next
}

// setTimer makes sure that the timer comes when something is due. One that
// would come too early, or for nothing, is left alone: it is cheaper to let it
// come once than to move it with each session that is cancelled.
func (r *Registry) setTimer(now int64) {
	if r.firing || r.shut {
		return
	}
	switch {
	case r.detached == 0:
		r.scanAt = never
	case r.scanAt == never:
		r.scanAt = after(now, r.opts.Scan)
	}
	next := r.nextDue(now)
	if next >= r.timerAt {
		return
	}
	r.timerAt = next
	if r.timer == nil {
		r.timer = r.opts.Clock.AfterFunc(durationUntil(next, now), r.fire)
		return
	}
	r.timer.Reset(durationUntil(next, now))
}

func (r *Registry) stopTimer() {
	if r.timer != nil {
		r.timer.Stop()
	}
	r.timerAt = never
}
