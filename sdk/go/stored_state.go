package licenseclient

// text is a text or null. Go's strings have no null.
type text struct {
	value string
	isSet bool
}

// storedState is what the state file holds; without a file, nothing.
type storedState struct {
	// key is null if a certificate was installed without one.
	key text
	// certificate is the latest one issued.
	certificate text
	// installed is the installed certificate that ends last: the license is usable until then.
	installed text
	// rejection is empty without one.
	rejection State
	// rejectedAt is when the service signed the rejection, in seconds since 1970; 0 without one.
	rejectedAt int64
	// rememberedTime is when a certificate was last known to be valid or issued, in seconds since 1970; 0 at first.
	rememberedTime int64
}

// received is an authentic certificate with its text. Its key is null if it was installed.
type received struct {
	text        string
	certificate *certificate
	key         text
}

// withCertificate is the state after a certificate was received. now is in seconds since 1970.
func (s storedState) withCertificate(arrived received, program program, now float64) storedState {
	next, fresh := s, arrived.certificate
	isInstalled := !arrived.key.isSet
	previous := s.certificate.read(program)
	isSameLicense := previous == nil || previous.licenseID == fresh.licenseID
	if !isInstalled {
		next.key = arrived.key
	} else if !isSameLicense {
		// The key of another license would bring back its certificate at the next refresh.
		next.key = text{}
	}
	if previous != nil && isMisdated(previous, fresh, now) {
		previous = nil
	}
	if previous == nil || !isSameLicense || !fresh.isBefore(previous) {
		next.certificate = text{arrived.text, true}
	}
	if previous == nil || fresh.issuedAt > previous.issuedAt {
		next.rememberedTime = fresh.issuedAt
	}
	if !isSameLicense || !s.isBeforeRejection(fresh, now) {
		next.rejection, next.rejectedAt = "", 0
	}
	if !keepsItsEnd(s.installed.read(program), arrived, now) {
		next.installed = text{}
		if isInstalled {
			next.installed = text{arrived.text, true}
		}
	}
	return next
}

// keepsItsEnd says whether an installed certificate, or nil, stays installed after another has arrived.
func keepsItsEnd(installed *certificate, arrived received, now float64) bool {
	fresh := arrived.certificate
	return installed != nil &&
		installed.licenseID == fresh.licenseID &&
		!isMisdated(installed, fresh, now) &&
		(arrived.key.isSet || fresh.expiresAt < installed.expiresAt)
}

// isMisdated says whether the previous certificate was issued while the clock of the service was ahead. It would be kept for
// as long as the clock was.
func isMisdated(previous, following *certificate, now float64) bool {
	return previous.isAhead(now) && !following.isAhead(now)
}

// isBeforeRejection says whether a certificate does not end the rejection, as one that somebody has recorded and sends again. A
// rejection of the far future was signed while the clock of the service was ahead: the license would be rejected for as long.
func (s storedState) isBeforeRejection(fresh *certificate, now float64) bool {
	isMisdated := float64(s.rejectedAt)-now > maxTolerance
	return fresh.issuedAt < s.rejectedAt && !isMisdated
}

// isLeased says whether the stored certificate is of a license with leases.
func (s storedState) isLeased(program program) bool {
	certificate := s.certificate.read(program)
	return certificate != nil && certificate.hasLease
}

// licenseID is from the stored certificate for this program and machine, or empty.
func (s storedState) licenseID(program program) string {
	if certificate := s.certificate.read(program); certificate != nil {
		return certificate.licenseID
	}
	return ""
}

// judge says whether the stored certificate, which there is, is usable.
func (s storedState) judge(program program, now float64, isClockAhead bool) Status {
	certificate, err := readCertificate(s.certificate.value, program)
	if err != nil {
		return err.(*breach).status()
	}
	installed := s.installed.read(program)
	if installed != nil && installed.licenseID == certificate.licenseID {
		certificate.expiresAt = max(certificate.expiresAt, installed.expiresAt)
	}
	return certificate.judge(circumstances{s.rejection, now, s.rememberedTime, isClockAhead, program.releasedAt})
}

// read returns the certificate that the text is; nil if it is none for this program and machine.
func (t text) read(program program) *certificate {
	if !t.isSet {
		return nil
	}
	certificate, err := readCertificate(t.value, program)
	if err != nil {
		return nil
	}
	return certificate
}
