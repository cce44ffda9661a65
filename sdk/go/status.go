package licenseclient

import (
	"slices"
	"time"
)

// State says whether the program may run, or why not.
type State string

const (
	Valid        State = "valid"         // the program may run
	None         State = "none"          // nothing is stored
	Ended        State = "ended"         // the certificate has ended
	Expired      State = "expired"       // the license has ended
	Suspended    State = "suspended"     // the license is suspended
	LeaseEnded   State = "lease_ended"   // the lease of this machine has ended
	Revoked      State = "revoked"       // the license has been revoked
	OtherMachine State = "other_machine" // the license or the state file is for another machine
	OtherProduct State = "other_product" // the certificate is for another product
	Clock        State = "clock"         // the clock of the machine is wrong
	Damaged      State = "damaged"       // the certificate or the state file has been changed
	Unreadable   State = "unreadable"    // the folder or the machine id cannot be read

	UpdateNotCovered State = "update_not_covered" // the build is newer than the updates of the license
)

// Terms are the facts about the license, from its certificate. Times are in UTC. They are zero for a certificate that cannot
// be used here.
type Terms struct {
	// ExpiresAt is the end of the license; zero if it is perpetual.
	ExpiresAt time.Time
	Perpetual bool
	// UpdatesUntil is set if the license covers only builds released until then; zero if it covers all.
	UpdatesUntil time.Time
	// Licensee is the name of the customer; empty if the certificate has none.
	Licensee string
	// Plan is the name of the plan; empty without one.
	Plan string
}

// covers says whether the license includes a build of this day, regardless of today's date.
func (t Terms) covers(releasedAt time.Time) bool {
	return t.UpdatesUntil.IsZero() || !releasedAt.After(t.UpdatesUntil)
}

// Status says whether the program is licensed, and what its license says.
type Status struct {
	Terms
	State State
	// ValidUntil is the end of the certificate or of its license, whichever is earlier, in UTC. If the state is Ended or
	// Expired, it is when the certificate or license ended; for other states except Valid, it is zero.
	ValidUntil time.Time
	// Services and Entitlements are what the license includes if it is valid, and empty otherwise.
	Services     []string
	Entitlements []string
	// Reason is a stable code that explains the state, or why the last refresh changed nothing; empty if there is none.
	Reason string
}

// IsValid says whether the program may run: the state is Valid.
func (s Status) IsValid() bool { return s.State == Valid }

// Has says whether the license is valid and includes this entitlement.
func (s Status) Has(entitlement string) bool {
	return slices.Contains(s.Entitlements, entitlement)
}

// MayUpdateTo says whether a build that is released on this day, YYYY-MM-DD, may run with this license. It is false unless the
// state is Valid or UpdateNotCovered, and for a text that is not a day.
func (s Status) MayUpdateTo(day string) bool {
	releasedAt, isDay := toDay(day)
	mayRun := s.IsValid() || s.State == UpdateNotCovered
	return mayRun && isDay && s.covers(releasedAt)
}
