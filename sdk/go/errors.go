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

// errKeyRequired returns a new error each time, because callers own its fields.
func errKeyRequired(message string) *LicenseError {
	return &LicenseError{Code: "LICENSE_KEY_REQUIRED", Message: message}
}

var contactMessages = map[string]string{
	"no_response":           "The license service cannot be reached. Check the network connection.",
	"untrusted_server":      "The identity of the license service cannot be verified. Check the clock and the network.",
	"timeout":               "The license service did not respond in time. Try again.",
	"rate_limited":          "Too many requests to the license service. Try again later.",
	"server_error":          "The license service cannot process requests at the moment. Try again later.",
	"not_the_service":       "The response is not from the license service. Check whether the network requires you to log in.",
	"unknown_key":           "No license has this key. Compare it with the one your vendor sent you.",
	"no_certificate":        "The license service issued no certificate. Ask your vendor to update the service.",
	"bad_certificate":       "The certificate from the license service cannot be verified. Update this program.",
	"unproved":              "The response is not signed by the license service. Check the network connection.",
	"request_rejected":      "The license service rejected the request.",
	"revoked":               "The license has been revoked. Ask your vendor for a new license key.",
	"expired":               "The license has expired. Ask your vendor to renew it.",
	"other_machine":         "The license is activated on another machine. Ask your vendor to reissue it.",
	"suspended":             "The license is suspended. Contact your vendor, then try again.",
	"MACHINE_LIMIT_REACHED": "The license is in use on as many machines as it allows. Release one of them.",
	"lease_ended":           "The lease of this machine has expired. Activate the license again.",
}

var certificateMessages = map[string]string{
	"format":    "The certificate is incomplete or has been changed. Copy it again.",
	"header":    "The text is not a license certificate.",
	"key":       "The certificate is signed with a key that this version of the program does not know. Update the program.",
	"signature": "The certificate has been changed. Copy it again.",
	"issuer":    "The certificate is from another vendor.",
	"claims":    "The certificate is missing information. Ask your vendor for another one.",
	"product":   "The certificate is for another product.",
	"machine":   "The certificate is for another machine.",
}

// errorNames are the names that the C library uses, for support staff.
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
