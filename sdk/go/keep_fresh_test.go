package licenseclient

import (
	"context"
	"net/http"
	"testing"
	"time"
)

func TestNextRequestIsDueAfterAThirdOfTheRemainingTimeAndAtLeastDaily(t *testing.T) {
	for _, test := range []struct {
		failures int
		rest     int64
		wait     float64
	}{
		{0, 30 * day, day},
		{0, day, day / 3},
		{0, 3600, 1200},
		{0, -day, 60},
		{1, day, 60},
		{2, day, 120},
		{7, day, 3600},
		{1000, day, 3600},
	} {
		next := contact{testNow, test.failures}.next(time.Unix(testNow+test.rest, 0))
		expectEqual(t, next-testNow, test.wait)
	}
	expectEqual(t, contact{testNow, 0}.next(time.Time{})-testNow, day)
}

func TestKeepFreshSendsARequestImmediatelyAndThenWheneverOneIsDue(t *testing.T) {
	var now float64 = testNow
	requests, reason := 0, ""
	var states []State
	status := func() Status { return Status{State: Valid, ValidUntil: time.Unix(testNow+7*day, 0), Reason: reason} }
	keeper := freshKeeper{
		now:      func() float64 { return now },
		status:   status,
		refresh:  func(context.Context) Status { requests++; return status() },
		onChange: func(status Status) { states = append(states, status.State) },
	}
	pass := func(seconds float64) int {
		now += seconds
		keeper.check(context.Background())
		return requests
	}
	expectEqual(t, pass(0), 1)
	expectEqual(t, pass(day-1), 1)
	expectEqual(t, pass(1), 2)
	// A laptop sleeps, and a clock is set back.
	expectEqual(t, pass(5*day), 3)
	expectEqual(t, pass(-10*day), 4)
	reason = "no_response"
	expectEqual(t, pass(day), 5)
	expectEqual(t, pass(60), 6)
	expectEqual(t, pass(60), 6)
	expectEqual(t, pass(60), 7)
	expectEqual(t, describe(states), `["valid"]`)
}

func TestKeepFreshRefreshesALicenseAndSendsHeartbeatsIfItHasLeases(t *testing.T) {
	unavailable := func(writer http.ResponseWriter, _ *http.Request) { writer.WriteHeader(http.StatusServiceUnavailable) }
	for _, test := range []struct {
		content content
		handle  http.HandlerFunc
		paths   string
	}{
		{content{}, replyJSON(map[string]any{"status": "active", "certificate": issue(content{days: 8})}), `["/validate"]`},
		{
			content{leaseSeconds: 3600},
			replyJSON(map[string]any{"success": true, "certificate": issue(content{leaseSeconds: 3600})}),
			`["/validate/heartbeat"]`,
		},
		{content{leaseSeconds: 3600}, unavailable, `["/validate/heartbeat","/validate"]`},
	} {
		customer := newCustomer(t)
		customer.activated(test.content)
		customer.script(test.handle)
		ctx, cancel := context.WithCancel(context.Background())
		customer.license().KeepFresh(ctx, func(status Status) {
			expectEqual(t, status.State, Valid)
			cancel()
		})
		expectEqual(t, describe(customer.paths), test.paths)
	}
}
