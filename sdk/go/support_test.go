package licenseclient

import (
	"context"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
	"time"
)

const (
	testNow         = 1_800_000_000
	day             = 86_400
	testKey         = "LIC-665f1c2ab7e4a90012345678-7Q2M-X0AB-93KD"
	testProduct     = "com.example.web-shop"
	testIssuer      = "65f1c2ab7e4a900123456789"
	testFingerprint = "the fingerprint of this machine"
	// nowhere is an address where nothing listens.
	nowhere = "http://127.0.0.1:2"
)

var testPair = ed25519.NewKeyFromSeed(make([]byte, ed25519.SeedSize))

func testJWK() JWK {
	return JWK{Kty: "OKP", Crv: "Ed25519", X: encodeBase64url(testPair.Public().(ed25519.PublicKey))}
}

// content describes a certificate; its zero value is valid for seven days from testNow.
type content struct {
	issuedAt, days, leaseSeconds int64
	fingerprint                  string
}

func issue(content content) string {
	if content.issuedAt == 0 {
		content.issuedAt = testNow
	}
	if content.days == 0 {
		content.days = 7
	}
	if content.fingerprint == "" {
		content.fingerprint = testFingerprint
	}
	license := map[string]any{"expiresAt": "9999-12-31T23:59:59.999Z", "services": []string{"Hosting"}}
	end := content.issuedAt + content.days*day
	if content.leaseSeconds > 0 {
		license["leaseSeconds"] = content.leaseSeconds
		end = content.issuedAt + content.leaseSeconds
	}
	program := program{issuer: testIssuer, fingerprint: content.fingerprint}
	return sign("license+jwt", map[string]any{
		"iss": testIssuer, "aud": testProduct, "sub": "a license", "jti": "unique", "machine": program.machine("a license"),
		"iat": content.issuedAt, "exp": end, "license": license,
	})
}

func sign(typ string, claims map[string]any) string {
	hash := sha256.Sum256([]byte(`{"crv":"Ed25519","kty":"OKP","x":"` + testJWK().X + `"}`))
	header, _ := json.Marshal(map[string]string{"alg": "EdDSA", "typ": typ, "kid": encodeBase64url(hash[:])})
	payload, _ := json.Marshal(claims)
	input := encodeBase64url(header) + "." + encodeBase64url(payload)
	return input + "." + encodeBase64url(ed25519.Sign(testPair, []byte(input)))
}

// customer is a machine with its own clock, and the service it reaches.
type customer struct {
	tb      testing.TB
	now     float64
	folder  string
	service string
	mutex   sync.Mutex
	paths   []string
}

func newCustomer(tb testing.TB) *customer {
	return &customer{tb: tb, now: testNow, folder: filepath.Join(tb.TempDir(), "state"), service: nowhere}
}

// script stands in for the service.
func (c *customer) script(handle http.HandlerFunc) {
	server := httptest.NewServer(http.HandlerFunc(func(writer http.ResponseWriter, request *http.Request) {
		c.mutex.Lock()
		c.paths = append(c.paths, request.URL.Path)
		c.mutex.Unlock()
		handle(writer, request)
	}))
	c.tb.Cleanup(server.Close)
	c.service = server.URL
}

func (c *customer) options() Options {
	return Options{
		Service: c.service, Issuer: testIssuer, Product: testProduct, Keys: []JWK{testJWK()}, Folder: c.folder,
		Fingerprint: testFingerprint,
		// Long enough for a busy machine.
		Timeout: time.Minute,
		now:     func() float64 { return c.now },
	}
}

func (c *customer) license() *License {
	c.tb.Helper()
	return c.licenseWith(c.options())
}

func (c *customer) licenseWith(options Options) *License {
	c.tb.Helper()
	license, err := New(options)
	if err != nil {
		c.tb.Fatal(err)
	}
	return license
}

// activated returns a license that was activated with this certificate.
func (c *customer) activated(content content) *License {
	c.tb.Helper()
	c.script(replyJSON(map[string]any{"status": "active", "certificate": issue(content)}))
	license := c.license()
	if _, err := license.Activate(context.Background(), testKey); err != nil {
		c.tb.Fatal(err)
	}
	c.paths = nil
	return license
}

func (c *customer) files() []string {
	entries, _ := os.ReadDir(c.folder)
	names := make([]string, len(entries))
	for i, entry := range entries {
		names[i] = entry.Name()
	}
	return names
}

func replyJSON(body map[string]any) http.HandlerFunc {
	return func(writer http.ResponseWriter, _ *http.Request) {
		_ = json.NewEncoder(writer).Encode(body)
	}
}

// revoked replies with a validation that stops the license, signed as by the service.
func revoked(writer http.ResponseWriter, request *http.Request) {
	data, _ := io.ReadAll(request.Body)
	var asked struct{ Nonce string }
	_ = json.Unmarshal(data, &asked)
	program := program{issuer: testIssuer, fingerprint: testFingerprint}
	rejection := sign("license-rejection+jwt", map[string]any{
		"iss": testIssuer, "aud": testProduct, "sub": "a license", "iat": testNow, "nonce": asked.Nonce,
		"machine": program.machine("a license"), "status": "revoked",
	})
	replyJSON(map[string]any{"status": "revoked", "rejection": rejection})(writer, request)
}

func expectStatus(tb testing.TB, status Status, state State, reason string) {
	tb.Helper()
	if status.State != state || status.Reason != reason {
		tb.Errorf("got %s (%s), want %s (%s)", status.State, status.Reason, state, reason)
	}
}

func expectCode(tb testing.TB, err error, code string) *LicenseError {
	tb.Helper()
	var known *LicenseError
	if !errors.As(err, &known) || known.Code != code {
		tb.Fatalf("got the error %v, want %s", err, code)
	}
	return known
}

func expectEqual[Value comparable](tb testing.TB, got, want Value) {
	tb.Helper()
	if got != want {
		tb.Errorf("got %s, want %s", describe(got), describe(want))
	}
}

func describe(value any) string {
	data, err := json.Marshal(value)
	if err != nil {
		return strconv.Quote(err.Error())
	}
	return string(data)
}
