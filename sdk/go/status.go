package licenseclient

import (
	"slices"
	"time"
)

// State says whether the program may run, and if not, why.
type State string

const (
	Valid        State = "valid"         // the program may run
	None         State = "none"          // nothing is stored
	Ended        State = "ended"         // the certificate has expired
	Expired      State = "expired"       // the license has expired
	Suspended    State = "suspended"     // the license is suspended
	LeaseEnded   State = "lease_ended"   // the lease of this machine has expired
	Revoked      State = "revoked"       // the license has been revoked
	OtherMachine State = "other_machine" // the license or the state file is for another machine
	OtherProduct State = "other_product" // the certificate is for another product
	Clock        State = "clock"         // the clock of the machine is wrong
	Damaged      State = "damaged"       // the certificate or the state file has been tampered with
	Unreadable   State = "unreadable"    // the folder or the machine id cannot be read

	UpdateNotCovered State = "update_not_covered" // the build is newer than the updates of the license
)

// Terms are the terms of the license, from its certificate. Times are in UTC. They are zero if the
// certificate cannot be used here.
type Terms struct {
	// ExpiresAt is when the license expires; zero if it is perpetual.
	ExpiresAt time.Time
	Perpetual bool
	// UpdatesUntil is set if the license covers only builds released by then; zero if it covers all builds.
	UpdatesUntil time.Time
	// Licensee is the name of the customer; empty if the certificate has none.
	Licensee string
	// Plan is the name of the plan; empty if there is none.
	Plan string
}

// covers reports whether the license includes a build of this day, regardless of today's date.
func (t Terms) covers(releasedAt time.Time) bool {
	return t.UpdatesUntil.IsZero() || !releasedAt.After(t.UpdatesUntil)
}

// Status says whether the program is licensed, and the terms of its license.
type Status struct {
	Terms
	State State
	// ValidUntil is when the certificate or its license expires, whichever comes first, in UTC. In the states
	// Ended and Expired, it is when that happened; in all other states except Valid, it is zero.
	ValidUntil time.Time
	// Services and Entitlements are what the license includes; empty unless it is valid.
	Services     []string
	Entitlements []string
	// Reason is a stable code for the cause of the state, or for why the last refresh changed nothing; empty
	// if there is none.
	Reason string
}

// IsValid reports whether the program may run, that is, whether the state is Valid.
func (s Status) IsValid() bool { return s.State == Valid }

// Has reports whether the license is valid and includes this entitlement.
func (s Status) Has(entitlement string) bool {
	return slices.Contains(s.Entitlements, entitlement)
}

// MayUpdateTo reports whether a build released on this day, YYYY-MM-DD, may run with this license. It is
// false in any state except Valid and UpdateNotCovered, and for a text that is not a day.
func (s Status) MayUpdateTo(day string) bool {
	releasedAt, isDay := toDay(day)
	mayRun := s.IsValid() || s.State == UpdateNotCovered
	return mayRun && isDay && s.covers(releasedAt)
}
