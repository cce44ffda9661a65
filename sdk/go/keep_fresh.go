package licenseclient

import (
	"context"
	"math"
	"time"
)

const (
	// tick is the time between checks of the clock. A timer alone does not count while a laptop sleeps.
	tick = time.Minute
	// Seconds between two requests.
	maxInterval = 86_400
	minInterval = 60
	// The first and the longest pause after failed requests, in seconds; it doubles each time.
	firstRetry = 60
	maxRetry   = 3600
)

// contactFailures are the reasons that mean a request failed.
var contactFailures = map[string]bool{
	"no_response": true, "untrusted_server": true, "timeout": true, "rate_limited": true, "server_error": true, "not_the_service": true,
	"unknown_key": true, "no_certificate": true, "bad_certificate": true, "unproved": true, "request_rejected": true,
}

// contact is the last request.
type contact struct {
	// at is in seconds since 1970.
	at float64
	// failures counts the failed requests since the last success.
	failures int
}

// next returns when the next request is due: after a third of the certificate's remaining time, but at
// least daily. validUntil is when the current certificate expires, or zero.
func (c contact) next(validUntil time.Time) float64 {
	if c.failures > 0 {
		return c.at + min(maxRetry, firstRetry*math.Pow(2, float64(c.failures-1)))
	}
	interval := float64(maxInterval)
	if !validUntil.IsZero() {
		interval = min(interval, (secondsOf(validUntil)-c.at)/3)
	}
	return c.at + max(minInterval, interval)
}

// freshKeeper sends a request immediately, and then whenever one is due.
type freshKeeper struct {
	now     func() float64
	status  func() Status
	refresh func(context.Context) Status
	// onChange receives the first status and each one with a new state.
	onChange func(Status)
	last     *contact
	state    State
}

// run checks at each tick until the context is done.
func (k *freshKeeper) run(ctx context.Context, ticks <-chan time.Time) {
	for ctx.Err() == nil {
		k.check(ctx)
		select {
		case <-ticks:
		case <-ctx.Done():
		}
	}
}

func (k *freshKeeper) check(ctx context.Context) {
	if !k.isDue() {
		return
	}
	status := k.refresh(ctx)
	next := contact{at: k.now()}
	if contactFailures[status.Reason] {
		next.failures = 1
		if k.last != nil {
			next.failures += k.last.failures
		}
	}
	k.last = &next
	if ctx.Err() == nil && status.State != k.state {
		k.state = status.State
		k.onChange(status)
	}
}

func (k *freshKeeper) isDue() bool {
	if k.last == nil {
		return true
	}
	now := k.now()
	// Setting the clock back does not delay a request.
	return now < k.last.at || now >= k.last.next(k.status().ValidUntil)
}
