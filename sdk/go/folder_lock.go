package licenseclient

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"
)

const (
	// abandonedAfter is the time after which an unchanged lock counts as left by a killed process. Writes take milliseconds.
	abandonedAfter = 2 * time.Second
	lockInterval   = 5 * time.Millisecond
	// lockTimeout is how long to wait while others hold the lock.
	lockTimeout = 10 * time.Second
)

// folderLock is a file that only one process at a time can create, so the others do not change the folder.
type folderLock struct {
	path string
	// elapsed is a monotonic clock.
	elapsed func() time.Duration
	sleep   func(time.Duration)
}

func newFolderLock(folder string) *folderLock {
	start := time.Now()
	return &folderLock{
		path:    filepath.Join(folder, "license.lock"),
		elapsed: func() time.Duration { return time.Since(start) },
		sleep:   time.Sleep,
	}
}

// hold calls action with a function that returns an error once the lock is lost, which can happen if the
// process is suspended.
func (l *folderLock) hold(timeout time.Duration, action func(check func() error) error) error {
	token := randomHex()
	if err := l.acquire(token, timeout); err != nil {
		return err
	}
	// Left by a process that was killed while removing an abandoned lock. The next process tries again.
	_ = removeTemporary(l.path)
	defer func() {
		if l.content() == token {
			_ = os.Remove(l.path)
		}
	}()
	return action(func() error {
		if l.content() != token {
			return lockError("lost", l.path)
		}
		return nil
	})
}

func (l *folderLock) acquire(token string, timeout time.Duration) error {
	if err := os.MkdirAll(filepath.Dir(l.path), 0o700); err != nil {
		return err
	}
	start := l.elapsed()
	since, holder := start, l.content()
	for {
		err := l.create(token)
		if !errors.Is(err, fs.ErrExist) {
			return err
		}
		now, present := l.elapsed(), l.content()
		if present != holder {
			holder, since = present, now
		} else if now-since > abandonedAfter {
			l.remove(holder)
		}
		if now-start >= timeout {
			return lockError("lock", l.path)
		}
		l.sleep(lockInterval)
	}
}

func (l *folderLock) create(token string) error {
	file, err := os.OpenFile(l.path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = file.WriteString(token)
	if err = errors.Join(err, file.Close()); err != nil {
		_ = os.Remove(l.path)
	}
	return err
}

// remove removes the lock of a killed process, unless another process has taken it. Another process may be
// faster, so errors do not matter.
func (l *folderLock) remove(holder string) {
	removed := l.path + "." + randomHex()
	if os.Rename(l.path, removed) != nil {
		return
	}
	if content, err := readRegularFile(removed); err != nil || string(content) != holder {
		_ = os.Link(removed, l.path)
	}
	_ = os.Remove(removed)
}

// content is empty if there is no lock.
func (l *folderLock) content() string {
	content, err := readRegularFile(l.path)
	if err != nil {
		return ""
	}
	return string(content)
}

func lockError(operation, path string) error {
	return &fs.PathError{Op: operation, Path: path, Err: syscall.EBUSY}
}

// randomHex is 16 random bytes in hexadecimal.
func randomHex() string {
	return hex.EncodeToString(randomBytes())
}

// randomBytes panics without a source of randomness, as crypto/rand does since Go 1.24.
func randomBytes() []byte {
	data := make([]byte, 16)
	if _, err := rand.Read(data); err != nil {
		panic(err)
	}
	return data
}
