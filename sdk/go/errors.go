package licenseclient

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"
	"time"
)

// LicenseError says what the program or its user must do. It is the only type of error that this package returns.
type LicenseError struct {
	// Code is stable, for programs.
	Code string
	// Message is for people, in English.
	Message string
	// RetryAfter is how long to wait before the next request; 0 if the service did not say.
	RetryAfter time.Duration
	cause      error
}

func (e *LicenseError) Error() string { return e.Message }

// Unwrap returns the error of the network or of the file system, if there is one.
func (e *LicenseError) Unwrap() error { return e.cause }

// errKeyRequired returns a new error each time: its fields are the caller's.
func errKeyRequired(message string) *LicenseError {
	return &LicenseError{Code: "LICENSE_KEY_REQUIRED", Message: message}
}

var contactMessages = map[string]string{
	"no_response":           "The license service cannot be reached: check the network connection.",
	"untrusted_server":      "The identity of the license service cannot be verified: check the clock and the network.",
	"timeout":               "The license service did not respond in time: try again.",
	"rate_limited":          "Too many requests to the license service: try again later.",
	"server_error":          "The license service cannot process requests at the moment: try again later.",
	"not_the_service":       "The response is not from the license service: check whether the network needs a login.",
	"unknown_key":           "No license has this key: compare it with the one your vendor sent you.",
	"no_certificate":        "The license service issued no certificate: ask your vendor to update it.",
	"bad_certificate":       "The certificate from the license service cannot be verified: update this program.",
	"unproved":              "The response is not signed by the license service: check the network connection.",
	"request_rejected":      "The license service rejected the request.",
	"revoked":               "The license has been revoked: ask your vendor for a new license key.",
	"expired":               "The license has expired: ask your vendor to renew it.",
	"other_machine":         "The license is activated on another machine: ask your vendor to reissue it.",
	"suspended":             "The license is suspended: contact your vendor, then try again.",
	"MACHINE_LIMIT_REACHED": "The license is in use on as many machines as it allows: release one of them.",
	"lease_ended":           "The lease of this machine has ended: activate the license again.",
}

var certificateMessages = map[string]string{
	"format":    "The certificate is incomplete or has been changed: copy it again.",
	"header":    "The text is not a license certificate.",
	"key":       "The certificate is signed with a key that this version of the program does not know.",
	"signature": "The certificate has been changed: copy it again.",
	"issuer":    "The certificate is from another vendor.",
	"claims":    "The certificate lacks information: ask your vendor for another one.",
	"product":   "The certificate is for another product.",
	"machine":   "The certificate is for another machine.",
}

// errorNames are the names of the C library, for support staff.
var errorNames = []struct {
	err  error
	name string
}{
	{syscall.ENOSPC, "ENOSPC"},
	{syscall.EROFS, "EROFS"},
	{syscall.EISDIR, "EISDIR"},
	{syscall.ENOTDIR, "ENOTDIR"},
	{syscall.EBUSY, "EBUSY"},
	{syscall.EIO, "EIO"},
	{fs.ErrPermission, "EACCES"},
	{fs.ErrNotExist, "ENOENT"},
	{fs.ErrExist, "EEXIST"},
}

// folderError turns a file system error into a LicenseError.
func folderError(folder string, err error) error {
	var known *LicenseError
	if errors.As(err, &known) {
		return known
	}
	message := fmt.Sprintf("The folder %s cannot be used (%s).", folder, errorName(err))
	return &LicenseError{Code: "folder", Message: message, cause: err}
}

func errorName(err error) string {
	for _, known := range errorNames {
		if errors.Is(err, known.err) {
			return known.name
		}
	}
	var number syscall.Errno
	errors.As(err, &number)
	return fmt.Sprintf("error%d", uint(number))
}

// folderReason is the reason for an error of the machine id or of the file system.
func folderReason(err error) string {
	var known *LicenseError
	if errors.As(err, &known) && known.Code == "machine_id" {
		return known.Code
	}
	return "folder"
}
