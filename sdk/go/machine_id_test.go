package licenseclient

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const testID = "4c4c4544004b351080484c4f44334a32"

var errFails = errors.New("fails")

func linux(id string) system {
	return system{
		name:     "linux",
		getenv:   func(string) string { return "" },
		exists:   func(string) bool { return false },
		readFile: func(string) ([]byte, error) { return []byte(id), nil },
	}
}

// printing is a system whose command prints the given text.
func printing(name, printed, wanted string) system {
	system := linux("")
	system.name = name
	system.run = func(command string, arguments ...string) ([]byte, error) {
		if called := strings.Join(append([]string{command}, arguments...), " "); called != wanted {
			return nil, errors.New(called)
		}
		return []byte(printed), nil
	}
	return system
}

func fingerprintOf(id string) string {
	hash := hmac.New(sha256.New, []byte(id))
	hash.Write([]byte(testProduct))
	return hex.EncodeToString(hash.Sum(nil))
}

func settingsIn(t *testing.T) settings {
	return settings{Options: Options{Folder: filepath.Join(t.TempDir(), "state"), Product: testProduct}}
}

func TestFingerprintIsAnHMACOfTheProductKeyedWithTheSystemID(t *testing.T) {
	mac := `  "IOPlatformUUID" = "4C4C4544-004B-3510-8048-4C4F44334A32"` + "\n"
	windows := "    MachineGuid    REG_SZ    4c4c4544-004b-3510-8048-4c4f44334a32\r\n"
	query := `C:\Windows\System32\reg.exe query HKLM\SOFTWARE\Microsoft\Cryptography /v MachineGuid /reg:64`
	for _, system := range []system{
		linux(testID + "\n"),
		printing("darwin", mac, "/usr/sbin/ioreg -rd1 -c IOPlatformExpertDevice"),
		printing("windows", windows, query),
	} {
		settings := settingsIn(t)
		fingerprint, err := deriveFingerprint(settings, system)
		expectEqual(t, err, nil)
		expectEqual(t, fingerprint, fingerprintOf(testID))
		expectEqual(t, exists(settings.Folder), false)
	}
}

func TestMachineWithoutAnIDGetsARandomIDAndKeepsIt(t *testing.T) {
	docker, podman, kubernetes, absent := linux(testID), linux(testID), linux(testID), linux("")
	docker.exists = func(file string) bool { return file == "/.dockerenv" }
	podman.exists = func(file string) bool { return file == "/run/.containerenv" }
	kubernetes.getenv = func(name string) string { return map[string]string{"KUBERNETES_SERVICE_HOST": "10.0.0.1"}[name] }
	absent.readFile = func(string) ([]byte, error) { return nil, fs.ErrNotExist }
	for _, system := range []system{
		docker, podman, kubernetes, absent, linux("\n"), linux(testID[1:]), linux(strings.Repeat("01", 16)),
		linux("0123456789abcdef0123456789abcdef"), linux("03000200-0400-0500-0006-000700080009"),
	} {
		settings := settingsIn(t)
		fingerprint, err := deriveFingerprint(settings, system)
		expectEqual(t, err, nil)
		kept, _ := os.ReadFile(filepath.Join(settings.Folder, "machine-id"))
		expectEqual(t, fingerprint, fingerprintOf(string(kept)))
		again, _ := deriveFingerprint(settings, system)
		expectEqual(t, again, fingerprint)
		settings.ForbidRandomID = true
		_, err = deriveFingerprint(settings, system)
		expectEqual(t, expectCode(t, err, "machine_id").Message, "This machine has no unique id.")
	}
}

func TestContainerMarkersCountOnlyOnLinux(t *testing.T) {
	system := linux(testID)
	system.name = "freebsd"
	system.exists = func(string) bool { return true }
	fingerprint, err := deriveFingerprint(settingsIn(t), system)
	expectEqual(t, err, nil)
	expectEqual(t, fingerprint, fingerprintOf(testID))
}

func TestFailedIDQueryIsAnErrorAndDoesNotLookLikeAnotherMachine(t *testing.T) {
	unreadable := linux("")
	unreadable.readFile = func(string) ([]byte, error) { return nil, errFails }
	query := `C:\Windows\System32\reg.exe query HKLM\SOFTWARE\Microsoft\Cryptography /v MachineGuid /reg:64`
	for _, system := range []system{
		unreadable, linux("uninitialized\n"), printing("darwin", "", "another command"), printing("windows", "", "another command"),
		printing("darwin", `"a" = "b"`, "/usr/sbin/ioreg -rd1 -c IOPlatformExpertDevice"), printing("windows", "", query),
	} {
		settings := settingsIn(t)
		_, err := deriveFingerprint(settings, system)
		if expectCode(t, err, "machine_id").Unwrap() == nil {
			t.Error("no cause")
		}
		expectEqual(t, exists(settings.Folder), false)
	}
}

func TestIDIsQueriedThreeTimes(t *testing.T) {
	system := linux("")
	calls := 0
	system.readFile = func(string) ([]byte, error) {
		if calls++; calls < 3 {
			return nil, errFails
		}
		return []byte(testID), nil
	}
	fingerprint, err := deriveFingerprint(settingsIn(t), system)
	expectEqual(t, err, nil)
	expectEqual(t, fingerprint, fingerprintOf(testID))
}

func TestDamagedRandomIDIsAFolderError(t *testing.T) {
	settings := settingsIn(t)
	if err := os.MkdirAll(settings.Folder, 0o700); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(settings.Folder, "machine-id")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := deriveFingerprint(settings, linux(""))
	expectEqual(t, expectCode(t, err, "folder").Message, "The file "+file+" is damaged. Restore or delete it.")
}
