package licenseclient

// text is a nullable text, because Go's strings cannot be null.
type text struct {
	value string
	isSet bool
}

// storedState is the content of the state file; empty if there is no file.
type storedState struct {
	// key is null if a certificate was installed without one.
	key text
	// certificate is the most recently issued certificate.
	certificate text
	// installed is the installed certificate that expires last; the license is usable until then.
	installed text
	// rejection is empty if there is none.
	rejection State
	// rejectedAt is when the service signed the rejection, in seconds since 1970; 0 if there is none.
	rejectedAt int64
	// rememberedTime is when a certificate was last known to be valid or issued, in seconds since 1970; 0 at first.
	rememberedTime int64
}

// received is an authentic certificate with its text. The key is null for a certificate that was installed
// from a file or text.
type received struct {
	text        string
	certificate *certificate
	key         text
}

// withCertificate returns the state after a certificate arrives. now is in seconds since 1970.
func (s storedState) withCertificate(arrived received, program program, now float64) storedState {
	next, fresh := s, arrived.certificate
	isInstalled := !arrived.key.isSet
	previous := s.certificate.read(program)
	isSameLicense := previous == nil || previous.licenseID == fresh.licenseID
	if !isInstalled {
		next.key = arrived.key
	} else if !isSameLicense {
		// Keeping the key of another license would bring back that license's certificate at the next refresh.
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

// keepsItsEnd reports whether an installed certificate, or nil, stays installed after another one arrives.
func keepsItsEnd(installed *certificate, arrived received, now float64) bool {
	fresh := arrived.certificate
	return installed != nil &&
		installed.licenseID == fresh.licenseID &&
		!isMisdated(installed, fresh, now) &&
		(arrived.key.isSet || fresh.expiresAt < installed.expiresAt)
}

// isMisdated reports whether the previous certificate was issued while the service's clock was ahead.
// Otherwise it would be kept for as long as the clock was ahead.
func isMisdated(previous, following *certificate, now float64) bool {
	return previous.isAhead(now) && !following.isAhead(now)
}

// isBeforeRejection reports whether a certificate is older than the rejection and so does not lift it, such
// as a recorded one that is replayed. A rejection from the far future was signed while the service's clock
// was ahead. Without this limit, the license would stay rejected for that long.
func (s storedState) isBeforeRejection(fresh *certificate, now float64) bool {
	isMisdated := float64(s.rejectedAt)-now > maxTolerance
	return fresh.issuedAt < s.rejectedAt && !isMisdated
}

// isLeased reports whether the stored certificate is for a license with leases.
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

// judge reports whether the stored certificate, which must exist, is usable.
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

// read returns the certificate in the text; nil if it is not one for this program and machine.
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
