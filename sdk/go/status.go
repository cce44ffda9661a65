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
)

// Status says whether the program is licensed.
type Status struct {
	State State
	// Until is the end of the certificate or of its license, whichever is earlier, in UTC. It is zero unless the certificate is
	// good but for its end.
	Until time.Time
	// Services and Entitlements are those of the license if it is valid, and empty otherwise.
	Services     []string
	Entitlements []string
	// Reason is a stable code that explains the state, or why the last refresh changed nothing; empty if there is none.
	Reason string
}

// Has says whether the license is valid and includes this entitlement.
func (s Status) Has(entitlement string) bool {
	return slices.Contains(s.Entitlements, entitlement)
}
