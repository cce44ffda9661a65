package licenseclient

import (
	"net"
	"net/http"
	"net/url"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

const (
	defaultTimeout = 5 * time.Second
	maxTimeout     = 10 * time.Minute
)

// Options are the options of a License. Service, Issuer, Product, Keys and Folder are required.
type Options struct {
	// Service is the address of the license service, without query and fragment: https, or http on this machine for tests.
	Service string
	// Issuer is `issuer` of GET /signing-keys.
	Issuer string
	// Product is the product of the project, or the project's id.
	Product string
	// Keys are `current` and `next` of GET /signing-keys.
	Keys []JWK
	// Folder is the absolute path of a folder that the program can write to and other users cannot read. It is
	// created if it is absent.
	Folder string
	// Fingerprint names this machine, by 16 to 256 printable ASCII characters. If empty, it is derived from the machine id of the
	// system.
	Fingerprint string
	// MachineName is the name that the vendor sees for this machine, of 1 to 100 characters.
	MachineName string
	// ForbidRandomID makes calls fail on a machine without its own id. Otherwise such a machine gets a random
	// id, stored in the folder. It is the opposite of allowRandomId in other SDKs, because an unset field is
	// false.
	ForbidRandomID bool
	// ReleasedAt is the release date of this build, YYYY-MM-DD: the license must include updates until then.
	// If empty, the build runs regardless of when updates end.
	ReleasedAt string
	// Transport sends the requests; nil means http.DefaultTransport.
	Transport http.RoundTripper
	// Timeout limits a request, from the DNS query to the last byte of the response: at most 10 minutes; 0
	// means 5 seconds.
	Timeout time.Duration
	// now is the clock that tests set, in seconds since 1970.
	now func() float64
}

var (
	// The same in each SDK. Stricter than URL parsers, which differ.
	servicePattern = regexp.MustCompile(`(?i)^(https://([a-z0-9._-]+|\[[0-9a-f:.]+\])|http://(localhost|127\.0\.0\.1|\[::1\]))` +
		`(:[1-9][0-9]{0,4})?(/[\w.~!$&'()*+,;=:%/-]*)?$`)
	issuerPattern  = regexp.MustCompile(`^[!-~]{1,128}$`)
	productPattern = regexp.MustCompile(`^[A-Za-z0-9]([A-Za-z0-9._-]{0,62}[A-Za-z0-9])?$`)
	// Its length exceeds what a pattern can repeat.
	fingerprintPattern = regexp.MustCompile(`^[!-~][ -~]+[!-~]$`)
)

// settings are valid options, with defaults for absent ones.
type settings struct {
	Options
	keys       signingKeys
	releasedAt time.Time
}

func checkOptions(options Options) (settings, error) {
	keys, err := importSigningKeys(options.Keys)
	releasedAt, isReleased := toDay(options.ReleasedAt)
	switch {
	case !isService(options.Service):
		return settings{}, wrongOption("Service", "an address such as https://licenses.example; http works only on this machine")
	case !issuerPattern.MatchString(options.Issuer):
		return settings{}, wrongOption("Issuer", "the issuer id from GET /signing-keys")
	case !productPattern.MatchString(options.Product):
		return settings{}, wrongOption("Product", "the project's product")
	case err != nil:
		return settings{}, err
	case !filepath.IsAbs(options.Folder) || strings.ContainsRune(options.Folder, 0):
		return settings{}, wrongOption("Folder", "an absolute path")
	case options.Fingerprint != "" && !isFingerprint(options.Fingerprint):
		return settings{}, wrongOption("Fingerprint", "16 to 256 printable ASCII characters, without spaces at either end")
	case options.MachineName != "" && !isMachineName(options.MachineName):
		return settings{}, wrongOption("MachineName", "1 to 100 characters, without control characters")
	case options.ReleasedAt != "" && !isReleased:
		return settings{}, wrongOption("ReleasedAt", "a day such as 2027-01-31")
	case options.Timeout < 0 || options.Timeout > maxTimeout:
		return settings{}, wrongOption("Timeout", "more than 0 and at most 600 seconds")
	}
	options.Service = strings.TrimRight(options.Service, "/")
	if options.Timeout == 0 {
		options.Timeout = defaultTimeout
	}
	if options.Transport == nil {
		options.Transport = http.DefaultTransport
	}
	if options.now == nil {
		options.now = func() float64 { return secondsOf(time.Now()) }
	}
	return settings{options, keys, releasedAt}, nil
}

func isService(address string) bool {
	if !servicePattern.MatchString(address) {
		return false
	}
	parsed, err := url.Parse(address)
	if err != nil {
		return false
	}
	if strings.Contains(address, "[") && net.ParseIP(parsed.Hostname()) == nil {
		return false
	}
	port, err := strconv.Atoi(parsed.Port())
	return parsed.Port() == "" || err == nil && port <= 65_535
}

func isFingerprint(text string) bool {
	return len(text) >= 16 && len(text) <= 256 && fingerprintPattern.MatchString(text)
}

func isMachineName(name string) bool {
	return utf8.ValidString(name) && utf8.RuneCountInString(name) <= 100 && !strings.ContainsFunc(name, unicode.IsControl)
}

func wrongOption(name, expected string) error {
	return optionError(name + " must be " + expected + ".")
}

func optionError(message string) error {
	return &LicenseError{Code: "option", Message: message}
}
