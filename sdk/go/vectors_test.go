package licenseclient

import (
	"encoding/json"
	"os"
	"slices"
	"testing"
	"time"
)

type arrival struct {
	Certificate string
	IsInstalled bool
}

// vector is one of docs/guides/certificates.md.
type vector struct {
	arrival
	Name, Issuer, Product, Fingerprint string

	Keys           []JWK
	Now            float64
	RememberedTime int64
	Rejection      State
	ReleasedAt     string
	Earlier        []arrival
	Expected       struct {
		State        State
		Reason       string
		Entitlements []string
		ValidUntil   *int64
	}
}

func readVectors(tb testing.TB) []vector {
	tb.Helper()
	data, err := os.ReadFile("../vectors.json")
	if err != nil {
		tb.Fatal(err)
	}
	var vectors []vector
	if err := json.Unmarshal(data, &vectors); err != nil {
		tb.Fatal(err)
	}
	return vectors
}

func (v vector) program(tb testing.TB) program {
	tb.Helper()
	keys, err := importSigningKeys(v.Keys)
	if err != nil {
		tb.Fatal(err)
	}
	releasedAt, _ := toDay(v.ReleasedAt)
	return program{v.Issuer, v.Product, v.Fingerprint, keys, releasedAt}
}

func (v vector) judge(tb testing.TB) Status {
	tb.Helper()
	program := v.program(tb)
	state := storedState{
		certificate:    text{v.Certificate, true},
		rejection:      v.Rejection,
		rememberedTime: v.RememberedTime,
	}
	if v.Earlier == nil {
		return state.judge(program, v.Now, false)
	}
	state = storedState{}
	for _, arrival := range append(v.Earlier, v.arrival) {
		certificate, err := readCertificate(arrival.Certificate, program)
		if err != nil {
			tb.Fatal(err)
		}
		key := text{"a key", !arrival.IsInstalled}
		state = state.withCertificate(received{arrival.Certificate, certificate, key}, program, v.Now)
	}
	return state.judge(program, v.Now, false)
}

func TestEveryVectorGetsItsExpectedVerdict(t *testing.T) {
	for _, vector := range readVectors(t) {
		t.Run(vector.Name, func(t *testing.T) {
			status, expected := vector.judge(t), vector.Expected
			if status.State != expected.State || status.Reason != expected.Reason {
				t.Errorf("got %s (%s), want %s (%s)", status.State, status.Reason, expected.State, expected.Reason)
			}
			if expected.Entitlements != nil && !slices.Equal(status.Entitlements, expected.Entitlements) {
				t.Errorf("got the entitlements %q, want %q", status.Entitlements, expected.Entitlements)
			}
			if expected.ValidUntil != nil && !status.ValidUntil.Equal(time.Unix(*expected.ValidUntil, 0)) {
				t.Errorf("got the end %s, want %d", status.ValidUntil, *expected.ValidUntil)
			}
		})
	}
}

// FuzzCertificate looks for a text that is accepted although nobody signed it.
func FuzzCertificate(f *testing.F) {
	vectors := readVectors(f)
	program := vectors[0].program(f)
	signed := map[string]bool{}
	for _, vector := range vectors {
		f.Add(vector.Certificate)
		if _, err := readCertificate(vector.Certificate, vector.program(f)); err == nil {
			signed[vector.Certificate] = true
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		if _, err := readCertificate(text, program); err == nil && !signed[text] {
			t.Errorf("accepted %q", text)
		}
	})
}

// FuzzJSON looks for texts that are accepted although encoding/json rejects them, and for claims that cannot be judged.
func FuzzJSON(f *testing.F) {
	f.Add([]byte(`{"iat":1800000000,"license":{"expiresAt":"2027-01-15T08:00:00.000Z","services":["\ud83d\udcbb"]}}`))
	f.Add([]byte(`{"iat":1.8e9,"exp":1e400,"license":{"leaseSeconds":-0,"services":[[[[]]]]}}`))
	f.Add([]byte(`"\ud800\\u0000"`))
	f.Fuzz(func(t *testing.T, data []byte) {
		value, err := parseJSON(data)
		if err != nil {
			return
		}
		if !json.Valid(data) {
			t.Fatalf("accepted %q", data)
		}
		object, isObject := value.(map[string]any)
		if isObject && countMembers(data) < len(object) {
			t.Errorf("counted too few members of %q", data)
		}
		if certificate, isComplete := readClaims(object); isComplete {
			certificate.judge(circumstances{now: 1_800_000_000})
		}
	})
}
