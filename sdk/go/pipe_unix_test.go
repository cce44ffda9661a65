//go:build unix

package licenseclient

import (
	"os"
	"syscall"
	"testing"
)

func TestStateFileThatIsAPipeIsUnreadableWithoutWaiting(t *testing.T) {
	customer := newCustomer(t)
	license := customer.activated(content{})
	if err := os.Remove(license.file.path); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(license.file.path, 0o600); err != nil {
		t.Fatal(err)
	}
	expectStatus(t, license.Status(), Unreadable, "folder")
}
