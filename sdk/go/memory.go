package licenseclient

import "sync"

// memory is what a process knows in addition to the state file.
type memory struct {
	mutex sync.Mutex
	// failure is why the last request to the service changed nothing; empty on success.
	failure string
	// isClockAhead is true if a certificate had already expired when it was fetched, until the clock is set.
	isClockAhead bool
	// unstored is a rejection of the license with unstoredKey that could not be stored.
	unstored    *rejected
	unstoredKey string
}

func (m *memory) noteFailure(reason string) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	m.failure = reason
}

// noteRejection remembers a rejection until it is stored.
func (m *memory) noteRejection(key string, rejection rejected) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	m.unstoredKey, m.unstored = key, &rejection
}

// noteStored records that the service's reply is in the state file.
func (m *memory) noteStored() {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	m.failure, m.unstored = "", nil
}

// noteSuccess also records whether a newly issued certificate has already expired.
func (m *memory) noteSuccess(isClockAhead bool) {
	m.noteStored()
	m.setClockAhead(isClockAhead)
}

func (m *memory) setClockAhead(isAhead bool) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	m.isClockAhead = isAhead
}

// read returns the failure and whether the clock is ahead.
func (m *memory) read() (failure string, isClockAhead bool) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	return m.failure, m.isClockAhead
}

// withUnstored adds the rejection that could not be stored.
func (m *memory) withUnstored(stored storedState) storedState {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if m.unstored != nil && stored.key == (text{m.unstoredKey, true}) {
		stored.rejection, stored.rejectedAt = m.unstored.rejection, m.unstored.rejectedAt
	}
	return stored
}
