package licenseclient

import (
	"context"
	"errors"
	"math"
	"regexp"
	"strings"
	"sync"
	"time"
)

// rememberInterval is the number of seconds between writes of the remembered time, so frequent calls of
// Status spare the disk.
const rememberInterval = 3600

// foreignCharacters never occur in a certificate, but do occur in mail: line breaks, spaces, quotes, "> ".
var foreignCharacters = regexp.MustCompile(`[^A-Za-z0-9._-]`)

// License is the license of one product on this machine. It is safe for concurrent use. Every error is a *LicenseError.
type License struct {
	settings settings
	client   serviceClient
	file     *stateFile
	memory   memory

	fingerprintMutex sync.Mutex
	knownFingerprint string
}

// New checks the options. For a wrong option, it returns an error with the code "option" whose message names
// it.
func New(options Options) (*License, error) {
	settings, err := checkOptions(options)
	if err != nil {
		return nil, err
	}
	license := &License{
		settings:         settings,
		client:           serviceClient{settings},
		knownFingerprint: settings.Fingerprint,
	}
	license.file = newStateFile(settings.Folder, settings.Issuer, settings.Product, license.fingerprint)
	return license, nil
}

// Status reports whether the program may run, according to the stored state. It uses no network.
func (l *License) Status() Status {
	status, err := l.judge()
	if err != nil {
		var breach *breach
		if errors.As(err, &breach) {
			return breach.status()
		}
		return Status{State: Unreadable, Reason: folderReason(err)}
	}
	if failure, _ := l.memory.read(); failure != "" && status.State != None {
		status.Reason = failure
	}
	return status
}

// Ensure is what to call when the program starts. It does nothing if the license is valid. Otherwise it
// refreshes the license or extends its lease. If that does not help, it activates the key. With an empty or
// blank key it activates nothing and returns a nil error. Otherwise it returns the same errors as Activate.
func (l *License) Ensure(ctx context.Context, key string) (Status, error) {
	status := l.Status()
	if !status.IsValid() {
		status = l.refreshOrBeat(ctx)
	}
	if status.IsValid() || strings.TrimSpace(key) == "" {
		return status, nil
	}
	return l.Activate(ctx, key)
}

// Activate takes a free seat on the license for this machine unless it holds one, and stores the key and
// certificate. A different stored key is replaced only on success.
//
// The code of its error is LICENSE_KEY_REQUIRED, folder, machine_id, revoked, expired, suspended,
// other_machine, a reason of Refresh, or the service's own, such as MACHINE_LIMIT_REACHED.
func (l *License) Activate(ctx context.Context, key string) (Status, error) {
	key = strings.TrimSpace(key)
	if key == "" {
		return Status{}, errKeyRequired("Enter a license key.")
	}
	// Checked before anything is sent, because an activation that cannot be stored would be lost.
	if err := l.file.proveWritable(); err != nil {
		return Status{}, l.folderError(err)
	}
	if _, err := l.file.readOrNothing(); err != nil {
		return Status{}, l.folderError(err)
	}
	sender, err := l.sender(key)
	if err != nil {
		return Status{}, err
	}
	outcome, err := l.verify(sender, l.client.activate(ctx, sender))
	if err != nil {
		return Status{}, err
	}
	arrived, isReceived := outcome.(received)
	if !isReceived {
		return Status{}, errorOf(outcome, key)
	}
	return l.store(sender.program, arrived)
}

// Refresh fetches a new certificate, or stores the service's rejection of the license. Without a valid
// response, only the reason of the status changes: no_response, untrusted_server, timeout, rate_limited,
// server_error, not_the_service, unknown_key, request_rejected, no_certificate, bad_certificate, unproved,
// or folder if the response cannot be stored.
//
// It never takes a released seat again. Once a day is enough. For a license with leases, only Heartbeat
// fetches certificates.
func (l *License) Refresh(ctx context.Context) Status {
	if err := l.refresh(ctx); err != nil {
		l.memory.noteFailure(folderReason(err))
	}
	return l.Status()
}

// KeepFresh refreshes as often as the certificate requires, even after a laptop has slept. For a floating
// license, it sends heartbeats. It returns when the context is done, so run it in a separate goroutine.
// onChange, unless it is nil, is called with the first status and whenever the state changes.
func (l *License) KeepFresh(ctx context.Context, onChange func(Status)) {
	if onChange == nil {
		onChange = func(Status) {}
	}
	ticker := time.NewTicker(tick)
	defer ticker.Stop()
	keeper := freshKeeper{now: l.settings.now, status: l.Status, refresh: l.refreshOrBeat, onChange: onChange}
	keeper.run(ctx, ticker.C)
}

// Heartbeat is for floating licenses: it extends this machine's lease or takes a free seat, and stores the
// new certificate. Three times per lease is enough.
//
// Its errors are those of Activate, or have the code LICENSE_HAS_NO_LEASES or LICENSE_NOT_ACTIVATED.
func (l *License) Heartbeat(ctx context.Context) (Status, error) {
	sender, err := l.storedSender()
	if err != nil {
		return Status{}, err
	}
	outcome, err := l.verify(sender, l.client.heartbeat(ctx, sender))
	if err != nil {
		return Status{}, err
	}
	if _, hasFailed := outcome.(failed); !hasFailed {
		err = l.accept(sender, outcome)
	}
	if err != nil {
		return Status{}, l.folderError(err)
	}
	if _, isReceived := outcome.(received); !isReceived {
		return Status{}, errorOf(outcome, "")
	}
	return l.Status(), nil
}

// Release releases this machine's seat and deletes the stored key and certificate, even if the machine holds no seat.
//
// The code of its error is LICENSE_KEY_REQUIRED, folder, a reason of Refresh, or the service's own, such as
// RELEASE_NOT_ALLOWED, RELEASE_LIMIT_REACHED, CERTIFICATE_OUTSTANDING or MACHINE_NOT_FOUND.
func (l *License) Release(ctx context.Context) (Status, error) {
	sender, err := l.storedSender()
	if err != nil {
		return Status{}, err
	}
	// A certificate that cannot be deleted would act as a second seat.
	if err := l.file.proveWritable(); err != nil {
		return Status{}, l.folderError(err)
	}
	outcome := l.client.release(ctx, sender)
	failure, _ := outcome.(failed)
	_, isReleased := outcome.(released)
	if isReleased || failure.code == "MACHINE_NOT_FOUND" {
		if err := l.file.deleteOf(sender.key); err != nil {
			return Status{}, l.folderError(err)
		}
		l.memory.noteSuccess(false)
	}
	if !isReleased {
		return Status{}, errorOf(outcome, "")
	}
	return l.Status(), nil
}

// Request is for an offline machine: it returns the JSON text that the vendor needs to issue a certificate.
//
// Its error has the code folder if the machine has no id and none can be stored in the folder, or machine_id.
func (l *License) Request() (string, error) {
	fingerprint, err := l.fingerprint()
	if err != nil {
		return "", l.folderError(err)
	}
	return requestText(l.settings.Product, fingerprint)
}

// Install is for an offline machine: it stores the certificate that the vendor sent, even if a mail program
// has wrapped it.
//
// The code of its error is folder, machine_id, or why the text is not a certificate for this program and
// machine: format, header, key, signature, issuer, claims, product, machine.
func (l *License) Install(certificate string) (Status, error) {
	cleaned := foreignCharacters.ReplaceAllString(certificate, "")
	program, err := l.program()
	if err != nil {
		return Status{}, l.folderError(err)
	}
	read, err := readCertificate(cleaned, program)
	if err != nil {
		reason := err.Error()
		return Status{}, &LicenseError{Code: reason, Message: certificateMessages[reason]}
	}
	return l.store(program, received{text: cleaned, certificate: read})
}

// Forget deletes the stored key and certificate. The license stays bound to this machine. Its error has the code folder.
func (l *License) Forget() error {
	if err := l.file.delete(); err != nil {
		return l.folderError(err)
	}
	l.memory.noteSuccess(false)
	return nil
}

func (l *License) judge() (Status, error) {
	stored, err := l.file.read()
	if err != nil {
		return Status{}, err
	}
	stored = l.memory.withUnstored(stored)
	if !stored.certificate.isSet {
		if stored.rejection != "" {
			return Status{State: stored.rejection, Reason: "rejected"}, nil
		}
		return Status{State: None}, nil
	}
	program, err := l.program()
	if err != nil {
		return Status{}, err
	}
	now := l.settings.now()
	_, isClockAhead := l.memory.read()
	status := stored.judge(program, now, isClockAhead)
	if status.IsValid() {
		l.memory.setClockAhead(false)
		l.rememberTime(stored, now)
	}
	return status, nil
}

// rememberTime ignores errors, because the license stays valid in a read-only folder. If another process
// holds the lock, a later call writes the time.
func (l *License) rememberTime(verified storedState, now float64) {
	if now-float64(verified.rememberedTime) < rememberInterval {
		return
	}
	_ = l.file.tryUpdate(func(stored storedState) (storedState, bool) {
		stored.rememberedTime = max(stored.rememberedTime, int64(math.Floor(now)))
		return stored, stored.certificate == verified.certificate
	})
}

func (l *License) refresh(ctx context.Context) error {
	stored, err := l.file.readOrNothing()
	if err != nil || !stored.key.isSet {
		return err
	}
	sender, err := l.sender(stored.key.value)
	if err != nil {
		return err
	}
	outcome, err := l.verify(sender, l.client.refresh(ctx, sender))
	if err != nil {
		return err
	}
	return l.accept(sender, outcome)
}

func (l *License) refreshOrBeat(ctx context.Context) Status {
	// If this fails, the refresh reports why.
	stored, err := l.file.readOrNothing()
	program, unknown := l.program()
	if err == nil && unknown == nil && stored.key.isSet && stored.isLeased(program) {
		if status, err := l.Heartbeat(ctx); err == nil {
			return status
		}
	}
	return l.Refresh(ctx)
}
