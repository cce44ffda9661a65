package licenseclient

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"time"
)

const (
	// queryAttempts is how often to query an id before giving up.
	queryAttempts = 3
	queryTimeout  = 5 * time.Second
)

// constantIDs are firmware placeholders and the id used in documentation.
var constantIDs = map[string]bool{
	"00020003000400050006000700080009": true,
	"03000200040005000006000700080009": true,
	"0123456789abcdef0123456789abcdef": true,
}

var (
	machineIDPattern = regexp.MustCompile(`^[0-9a-f]{32}$`)
	macPattern       = regexp.MustCompile(`"IOPlatformUUID" = "(.+)"`)
	windowsPattern   = regexp.MustCompile(`REG_SZ\s+(\S+)`)
)

// system is the operating system that the machine id is read from.
type system struct {
	name     string
	getenv   func(name string) string
	exists   func(file string) bool
	readFile func(file string) ([]byte, error)
	// run returns the output of a command.
	run func(command string, arguments ...string) ([]byte, error)
}

func thisSystem() system {
	return system{
		name:     runtime.GOOS,
		getenv:   os.Getenv,
		exists:   exists,
		readFile: os.ReadFile,
		run: func(command string, arguments ...string) ([]byte, error) {
			ctx, cancel := context.WithTimeout(context.Background(), queryTimeout)
			defer cancel()
			return exec.CommandContext(ctx, command, arguments...).Output()
		},
	}
}

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}

// deriveFingerprint is the HMAC-SHA-256 of the product, keyed with the machine's id, in hexadecimal. A
// machine without an id, and every container, gets a random one, stored in the folder.
func deriveFingerprint(settings settings, system system) (string, error) {
	text, err := querySystem(system)
	if err != nil {
		message := "The id of this machine cannot be read at the moment. Try again."
		return "", &LicenseError{Code: "machine_id", Message: message, cause: err}
	}
	id := usableID(text)
	if id == "" && settings.ForbidRandomID {
		return "", &LicenseError{Code: "machine_id", Message: "This machine has no unique id."}
	}
	if id == "" {
		if id, err = keptID(settings.Folder); err != nil {
			return "", err
		}
	}
	hash := hmac.New(sha256.New, []byte(id))
	hash.Write([]byte(settings.Product))
	return hex.EncodeToString(hash.Sum(nil)), nil
}

// usableID returns an empty string for a text that does not identify a machine.
func usableID(text string) string {
	id := strings.ReplaceAll(strings.ToLower(strings.TrimSpace(text)), "-", "")
	digits := map[rune]bool{}
	for _, digit := range id {
		digits[digit] = true
	}
	if !machineIDPattern.MatchString(id) || len(digits) < 3 || constantIDs[id] {
		return ""
	}
	return id
}

// querySystem retries: replacing a temporarily unavailable id with a random one would count as another machine.
func querySystem(system system) (text string, err error) {
	for range queryAttempts {
		if text, err = system.machineID(); err == nil {
			return text, nil
		}
	}
	return "", err
}

// machineID returns the id of the system, or a text that is not an id.
func (s system) machineID() (string, error) {
	switch s.name {
	case "darwin":
		printed, err := s.run("/usr/sbin/ioreg", "-rd1", "-c", "IOPlatformExpertDevice")
		return firstGroup(macPattern, printed, err)
	case "windows":
		folder := s.getenv("SystemRoot")
		if folder == "" {
			folder = `C:\Windows`
		}
		key := `HKLM\SOFTWARE\Microsoft\Cryptography`
		printed, err := s.run(folder+`\System32\reg.exe`, "query", key, "/v", "MachineGuid", "/reg:64")
		return firstGroup(windowsPattern, printed, err)
	case "linux":
		// The id inside a container belongs to its image, so all its containers share it.
		if s.exists("/.dockerenv") || s.exists("/run/.containerenv") || s.getenv("KUBERNETES_SERVICE_HOST") != "" {
			return "", nil
		}
	}
	id, err := s.readFile("/etc/machine-id")
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if strings.TrimSpace(string(id)) == "uninitialized" {
		// The system's first start, before the id is written.
		err = errors.New("the system has not been set up yet")
	}
	return string(id), err
}

// firstGroup returns the entry from a command's output. A command without output has also failed.
func firstGroup(pattern *regexp.Regexp, printed []byte, err error) (string, error) {
	if err != nil {
		return "", err
	}
	found := pattern.FindSubmatch(printed)
	if found == nil {
		return "", errors.New("the command has printed no id")
	}
	return string(found[1]), nil
}

func keptID(folder string) (string, error) {
	file := filepath.Join(folder, "machine-id")
	if !exists(file) {
		if err := createID(folder, file); err != nil {
			return "", err
		}
	}
	text, err := readRegularFile(file)
	if err != nil {
		return "", err
	}
	if id := usableID(string(text)); id != "" {
		return id, nil
	}
	return "", &LicenseError{Code: "folder", Message: "The file " + file + " is damaged. Restore or delete it."}
}

func createID(folder, file string) error {
	return newFolderLock(folder).hold(lockTimeout, func(check func() error) error {
		if err := removeTemporary(file); err != nil {
			return err
		}
		// If two processes start at the same time, both use the id of the first.
		if exists(file) {
			return nil
		}
		return writeWhole(file, []byte(randomHex()), func(temporary string) error {
			if err := check(); err != nil {
				return err
			}
			return os.Rename(temporary, file)
		})
	})
}
