package licenseclient

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
	"time"
)

func leaveLock(t *testing.T, customer *customer, content string) string {
	t.Helper()
	lock := filepath.Join(customer.folder, "license.lock")
	if err := os.WriteFile(lock, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return lock
}

// pace replaces the clock of a lock: each wait takes 1.5 seconds.
func pace(license *License, during func()) {
	var now time.Duration
	license.file.lock.elapsed = func() time.Duration { return now }
	license.file.lock.sleep = func(time.Duration) {
		now += 1500 * time.Millisecond
		during()
	}
}

func TestLockLeftByAKilledProcessIsRemoved(t *testing.T) {
	customer := newCustomer(t)
	license := customer.activated(content{})
	leaveLock(t, customer, "of a killed process")
	pace(license, func() {})
	if _, err := license.Install(issue(content{days: 30})); err != nil {
		t.Fatal(err)
	}
	expectEqual(t, len(customer.files()), 1)
}

func TestWaitsTenSecondsWhileOthersTakeTheLockInTurn(t *testing.T) {
	customer := newCustomer(t)
	license := customer.activated(content{})
	waits := 0
	pace(license, func() {
		waits++
		leaveLock(t, customer, fmt.Sprint("of another process ", waits))
	})
	leaveLock(t, customer, "of another process")
	_, err := license.Install(issue(content{days: 30}))
	if !errors.Is(expectCode(t, err, "folder"), syscall.EBUSY) {
		t.Errorf("the cause is %v", errors.Unwrap(err))
	}
	expectEqual(t, waits, 7)
}

func TestRememberingTheTimeDoesNotWaitForTheLock(t *testing.T) {
	customer := newCustomer(t)
	license := customer.activated(content{})
	remembered := func() int64 {
		stored, err := license.file.read()
		if err != nil {
			t.Fatal(err)
		}
		return stored.rememberedTime
	}
	customer.now += day
	lock := leaveLock(t, customer, "of another process")
	pace(license, func() { t.Error("waited") })
	expectStatus(t, license.Status(), Valid, "")
	expectEqual(t, remembered(), testNow)
	if err := os.Remove(lock); err != nil {
		t.Fatal(err)
	}
	license.Status()
	expectEqual(t, remembered(), testNow+day)
}

func TestLosingTheLockMakesAChangeFail(t *testing.T) {
	customer := newCustomer(t)
	license := customer.activated(content{})
	err := license.file.update(func(stored storedState) (storedState, bool) {
		leaveLock(t, customer, "of another process")
		stored.key = text{"another key", true}
		return stored, true
	})
	if !errors.Is(err, syscall.EBUSY) {
		t.Fatalf("got %v", err)
	}
	stored, err := license.file.read()
	expectEqual(t, stored.key.value, testKey)
	expectEqual(t, err, nil)
	expectEqual(t, len(customer.files()), 2)
}

func TestConcurrentWritesLoseNoChange(t *testing.T) {
	customer := newCustomer(t)
	shared := customer.activated(content{})
	var group sync.WaitGroup
	for writer := range 4 {
		group.Add(1)
		go func() {
			defer group.Done()
			license := shared
			if writer > 1 {
				license = customer.license()
			}
			for round := range 10 {
				if _, err := license.Install(issue(content{days: int64(10 + 4*round + writer)})); err != nil {
					t.Error(err)
				}
				expectStatus(t, shared.Status(), Valid, "")
			}
		}()
	}
	group.Wait()
	expectEqual(t, shared.Status().ValidUntil.Unix(), testNow+49*day)
	expectEqual(t, len(customer.files()), 1)
}

func TestRejectionThatCannotBeStoredStaysInMemoryUntilACertificateArrives(t *testing.T) {
	customer := newCustomer(t)
	customer.activated(content{})
	customer.script(revoked)
	license := customer.license()
	// It has the name of a temporary file, but cannot be removed.
	blocked := license.file.path + ".blocked"
	if err := os.MkdirAll(filepath.Join(blocked, "file"), 0o700); err != nil {
		t.Fatal(err)
	}
	expectStatus(t, license.Refresh(context.Background()), Revoked, "folder")
	expectStatus(t, license.Status(), Revoked, "folder")
	if err := os.RemoveAll(blocked); err != nil {
		t.Fatal(err)
	}
	expectStatus(t, customer.license().Status(), Valid, "")
	expectStatus(t, license.Refresh(context.Background()), Revoked, "rejected")
	expectStatus(t, customer.license().Status(), Revoked, "rejected")
}
