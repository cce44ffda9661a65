package licenseclient

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// writeWhole writes a temporary file with mode 0600, then calls place with its name. A failed write keeps
// the old file and leaves no temporary file.
func writeWhole(file string, data []byte, place func(temporary string) error) error {
	temporary, err := writeTemporary(file, data)
	if err != nil {
		return err
	}
	err = place(temporary)
	if removed := os.Remove(temporary); removed != nil && !errors.Is(removed, fs.ErrNotExist) {
		err = errors.Join(err, removed)
	}
	syncFolder(filepath.Dir(file))
	return err
}

func writeTemporary(file string, data []byte) (name string, err error) {
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return "", err
	}
	// The file has mode 0600.
	temporary, err := os.CreateTemp(filepath.Dir(file), filepath.Base(file)+".*")
	if err != nil {
		return "", err
	}
	_, err = temporary.Write(data)
	err = errors.Join(err, temporary.Sync(), temporary.Close())
	if err != nil {
		err = errors.Join(err, os.Remove(temporary.Name()))
	}
	return temporary.Name(), err
}

// removeTemporary removes the temporary files left for a file.
func removeTemporary(file string) error {
	entries, err := os.ReadDir(filepath.Dir(file))
	for _, entry := range entries {
		if !strings.HasPrefix(entry.Name(), filepath.Base(file)+".") {
			continue
		}
		removed := os.Remove(filepath.Join(filepath.Dir(file), entry.Name()))
		if removed != nil && !errors.Is(removed, fs.ErrNotExist) {
			err = errors.Join(err, removed)
		}
	}
	return err
}

// syncFolder makes a rename durable. Windows and some file systems cannot sync a folder.
func syncFolder(folder string) {
	if handle, err := os.Open(folder); err == nil {
		_ = handle.Sync()
		_ = handle.Close()
	}
}
