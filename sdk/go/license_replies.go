package licenseclient

import "regexp"

// license_replies.go turns the service's replies into changes of the state file.

// fingerprint of this machine, derived once.
func (l *License) fingerprint() (string, error) {
	l.fingerprintMutex.Lock()
	defer l.fingerprintMutex.Unlock()
	if l.knownFingerprint == "" {
		derived, err := deriveFingerprint(l.settings, thisSystem())
		if err != nil {
			return "", err
		}
		l.knownFingerprint = derived
	}
	return l.knownFingerprint, nil
}

func (l *License) program() (program, error) {
	fingerprint, err := l.fingerprint()
	return program{l.settings.Issuer, l.settings.Product, fingerprint, l.settings.keys, l.settings.releasedAt}, err
}

func (l *License) sender(key string) (sender, error) {
	program, err := l.program()
	if err != nil {
		return sender{}, l.folderError(err)
	}
	return sender{key, program}, nil
}

func (l *License) storedSender() (sender, error) {
	stored, err := l.file.readOrNothing()
	if err != nil {
		return sender{}, l.folderError(err)
	}
	if !stored.key.isSet {
		return sender{}, errKeyRequired("No license key is stored. Activate one first.")
	}
	return l.sender(stored.key.value)
}

// verify verifies the certificate or the rejection of a reply.
func (l *License) verify(sender sender, outcome reply) (reply, error) {
	switch reply := outcome.(type) {
	case active:
		certificate, err := readCertificate(reply.certificate, sender.program)
		if err != nil {
			return failed{reason: "bad_certificate"}, nil
		}
		return received{reply.certificate, certificate, text{sender.key, true}}, nil
	case rejected:
		return l.verifyRejection(sender, reply)
	}
	return outcome, nil
}

func (l *License) verifyRejection(sender sender, reply rejected) (reply, error) {
	stored, err := l.file.readOrNothing()
	if err != nil {
		return nil, l.folderError(err)
	}
	licenseID := ""
	if stored.key == (text{sender.key, true}) {
		licenseID = stored.licenseID(sender.program)
	}
	rejectedAt, isProven := reply.proof.provenAt(reply.rejection, sender.program, licenseID)
	if isProven {
		reply.rejectedAt = rejectedAt
		return reply, nil
	}
	code := reply.code
	if code == "" {
		code = string(reply.rejection)
	}
	return failed{reason: "unproved", code: code, message: reply.message}, nil
}

// accept stores a verified reply, unless another process replaced or deleted the key during the request.
func (l *License) accept(sender sender, outcome reply) error {
	update := func(change func(storedState) storedState) error {
		return l.file.update(func(stored storedState) (storedState, bool) {
			return change(stored), stored.key == (text{sender.key, true})
		})
	}
	switch reply := outcome.(type) {
	case received:
		err := update(func(stored storedState) storedState {
			return l.memory.withUnstored(stored).withCertificate(reply, sender.program, l.settings.now())
		})
		if err == nil {
			l.memory.noteSuccess(l.isOver(reply))
		}
		return err
	case rejected:
		l.memory.noteRejection(sender.key, reply)
		err := update(func(stored storedState) storedState {
			stored.rejection, stored.rejectedAt = reply.rejection, reply.rejectedAt
			return stored
		})
		if err == nil {
			l.memory.noteStored()
		}
		return err
	case leased:
		// Nothing is signed, so a stored rejection stays.
		l.memory.noteFailure("")
	case failed:
		l.memory.noteFailure(reply.reason)
	}
	return nil
}

// store stores a certificate with the key it was requested with.
func (l *License) store(program program, arrived received) (Status, error) {
	err := l.file.update(func(stored storedState) (storedState, bool) {
		return l.memory.withUnstored(stored).withCertificate(arrived, program, l.settings.now()), true
	})
	if err != nil {
		return Status{}, l.folderError(err)
	}
	l.memory.noteSuccess(arrived.key.isSet && l.isOver(arrived))
	return l.Status(), nil
}

// isOver reports whether a newly issued certificate has already expired by the machine's clock.
func (l *License) isOver(arrived received) bool {
	status := arrived.certificate.judge(circumstances{now: l.settings.now(), isClockAhead: true})
	return status.Reason == "already_over"
}

func (l *License) folderError(err error) error {
	return folderError(l.settings.Folder, err)
}

// errorOf converts a reply without a certificate to an error. The key is the one the user entered, or empty.
func errorOf(outcome reply, key string) error {
	switch reply := outcome.(type) {
	case rejected:
		name := string(reply.rejection)
		return replyError(reply.code, name, reply.message, failed{})
	case failed:
		err := replyError(reply.code, reply.reason, reply.message, reply)
		if err.Code == "unknown_key" && isIncomplete(key) {
			err.Message += " This is not a complete license key."
		}
		return err
	}
	return nil
}

func replyError(code, reason, message string, failure failed) *LicenseError {
	if code == "" {
		code = reason
	}
	if message == "" {
		message = contactMessages[code]
	}
	if message == "" {
		message = contactMessages[reason]
	}
	return &LicenseError{Code: code, Message: message, RetryAfter: failure.retryAfter, cause: failure.cause}
}

// wholeKey is the shape of a license key; each 0 stands for a letter or digit.
const wholeKey = "LIC-000000000000000000000000-0000-0000-0000"

var keyPattern = regexp.MustCompile(`^(?i:LIC)-[0-9A-Fa-f]{24}(-[0-9A-Za-z]{4}){3}$`)

// isIncomplete reports whether part of a license key is missing.
func isIncomplete(key string) bool {
	return len(key) >= len("LIC-") && len(key) < len(wholeKey) && keyPattern.MatchString(key+wholeKey[len(key):])
}
