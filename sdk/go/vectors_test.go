package licenseclient

import (
	"encoding/json"
	"os"
	"testing"
)

// vector has the certificate of a test vector, and the program that reads it. The scenario runner gets every vector's verdict.
type vector struct {
	Certificate, Issuer, Product, Fingerprint, ReleasedAt string

	Keys []JWK
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
