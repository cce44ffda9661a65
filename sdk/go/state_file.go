package licenseclient

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

const (
	stateVersion = 1
	// probeSize is larger than any state file, so an almost full disk is detected.
	probeSize = 16_384
)

// stateFile stores the state for one product of one issuer, in a file that no other machine accepts.
type stateFile struct {
	path     string
	identity []string
	// fingerprint is called only to read or write a file.
	fingerprint func() (string, error)
	mutex       sync.Mutex
	lock        *folderLock
}

func newStateFile(folder, issuer, product string, fingerprint func() (string, error)) *stateFile {
	identity := []string{"license-state:v1", issuer, product}
	hash := sha256.Sum256([]byte(strings.Join(identity, "\n")))
	name := "license-" + hex.EncodeToString(hash[:16]) + ".json"
	return &stateFile{
		path:        filepath.Join(folder, name),
		identity:    identity,
		fingerprint: fingerprint,
		lock:        newFolderLock(folder),
	}
}

// read returns a *breach if the file is damaged or belongs to another machine, and another error if it cannot be read.
func (f *stateFile) read() (storedState, error) {
	data, err := readRegularFile(f.path)
	if err != nil || data == nil {
		return storedState{}, err
	}
	return f.parse(data)
}

// readOrNothing returns an empty state if the file is damaged or belongs to another machine.
func (f *stateFile) readOrNothing() (storedState, error) {
	stored, err := f.read()
	var breach *breach
	if errors.As(err, &breach) {
		return storedState{}, nil
	}
	return stored, err
}

// update replaces the state with the result of change, unless that is false.
func (f *stateFile) update(change func(storedState) (storedState, bool)) error {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	return f.updateLocked(lockTimeout, change)
}

// tryUpdate is like update, but fails immediately if the lock is taken.
func (f *stateFile) tryUpdate(change func(storedState) (storedState, bool)) error {
	if !f.mutex.TryLock() {
		return lockError("lock", f.path)
	}
	defer f.mutex.Unlock()
	return f.updateLocked(0, change)
}

func (f *stateFile) updateLocked(timeout time.Duration, change func(storedState) (storedState, bool)) error {
	// Without a change, nothing is written, so a read-only folder also works.
	if _, isChanged, err := f.changed(change); err != nil || !isChanged {
		return err
	}
	// Called before taking the lock, because reading the fingerprint may need the lock.
	machine, err := f.machine()
	if err != nil {
		return err
	}
	return f.hold(timeout, func(check func() error) error {
		next, isChanged, err := f.changed(change)
		if err != nil || !isChanged {
			return err
		}
		data, err := serialize(next, machine)
		if err != nil {
			return err
		}
		return writeWhole(f.path, data, func(temporary string) error {
			if err := check(); err != nil {
				return err
			}
			return os.Rename(temporary, f.path)
		})
	})
}

func (f *stateFile) changed(change func(storedState) (storedState, bool)) (storedState, bool, error) {
	stored, err := f.readOrNothing()
	if err != nil {
		return storedState{}, false, err
	}
	next, isChanged := change(stored)
	return next, isChanged, nil
}

// proveWritable writes and deletes a file larger than any state file.
func (f *stateFile) proveWritable() error {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	return f.hold(lockTimeout, func(func() error) error {
		probe := []byte(strings.Repeat(" ", probeSize))
		return writeWhole(f.path, probe, func(string) error { return nil })
	})
}

// delete deletes the state, even if it cannot be read.
func (f *stateFile) delete() error {
	return f.remove(func() (bool, error) { return true, nil })
}

// deleteOf deletes the state if it is for this license key.
func (f *stateFile) deleteOf(key string) error {
	return f.remove(func() (bool, error) {
		stored, err := f.readOrNothing()
		return stored.key == text{key, true}, err
	})
}

func (f *stateFile) remove(matches func() (bool, error)) error {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	if _, err := os.Stat(filepath.Dir(f.path)); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return f.hold(lockTimeout, func(func() error) error {
		if isMatch, err := matches(); err != nil || !isMatch {
			return err
		}
		if err := os.Remove(f.path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	})
}

func (f *stateFile) hold(timeout time.Duration, action func(check func() error) error) error {
	return f.lock.hold(timeout, func(check func() error) error {
		// While this process holds the lock, every temporary file is from a killed process.
		if err := removeTemporary(f.path); err != nil {
			return err
		}
		return action(check)
	})
}

// machine binds the file to this machine.
func (f *stateFile) machine() (string, error) {
	fingerprint, err := f.fingerprint()
	return hashLines(append(f.identity[:3:3], fingerprint)...), err
}

func serialize(state storedState, machine string) ([]byte, error) {
	return json.Marshal(map[string]any{
		"version":        stateVersion,
		"machine":        machine,
		"key":            state.key.orNil(),
		"certificate":    state.certificate.orNil(),
		"installed":      state.installed.orNil(),
		"rejection":      text{string(state.rejection), state.rejection != ""}.orNil(),
		"rejectedAt":     state.rejectedAt,
		"rememberedTime": state.rememberedTime,
	})
}

func (f *stateFile) parse(data []byte) (storedState, error) {
	damage := damaged("state_file")
	if len(data) > maxFileSize {
		return storedState{}, damage
	}
	members, err := parseObject(data)
	version, isNumber := toInteger(members["version"])
	machine, isText := members["machine"].(string)
	if err != nil || !isNumber || version != stateVersion || !isText {
		return storedState{}, damage
	}
	own, err := f.machine()
	if err != nil {
		return storedState{}, err
	}
	if machine != own {
		return storedState{}, &breach{OtherMachine, "state_file"}
	}
	state, isWhole := readState(members)
	if !isWhole {
		return storedState{}, damage
	}
	return state, nil
}

func readState(members map[string]any) (storedState, bool) {
	// Older versions recorded neither installed certificates (they kept only the last to expire) nor the
	// time of a rejection.
	if _, isKnown := members["installed"]; !isKnown {
		members["installed"] = members["certificate"]
	}
	if _, isKnown := members["rejectedAt"]; !isKnown {
		members["rejectedAt"] = json.Number("0")
	}
	key, hasKey := toText(members, "key")
	certificate, hasCertificate := toText(members, "certificate")
	installed, hasInstalled := toText(members, "installed")
	rejection, hasRejection := toText(members, "rejection")
	_, isRejection := statusNames[State(rejection.value)]
	rejectedAt, isDated := toInteger(members["rejectedAt"])
	rememberedTime, isTimed := toInteger(members["rememberedTime"])
	isWhole := hasKey && hasCertificate && hasInstalled && hasRejection && isDated && isTimed
	state := storedState{key, certificate, installed, State(rejection.value), rejectedAt, rememberedTime}
	return state, isWhole && (isRejection || !rejection.isSet)
}

// toText returns a member that is text or null.
func toText(members map[string]any, name string) (text, bool) {
	member, isPresent := members[name]
	value, isText := member.(string)
	return text{value, isText}, isPresent && (isText || member == nil)
}

func (t text) orNil() any {
	if !t.isSet {
		return nil
	}
	return t.value
}
