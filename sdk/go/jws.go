package licenseclient

import (
	"crypto/ed25519"
	"crypto/sha256"
	"strings"
	"time"
)

const maxLength = 4096

// breach is the rule broken by a certificate, a rejection or a state file.
type breach struct {
	state  State
	reason string
}

func (b *breach) Error() string { return b.reason }

func (b *breach) status() Status { return Status{State: b.state, Reason: b.reason} }

func damaged(reason string) *breach { return &breach{Damaged, reason} }

// program has the constants built into a program, and the fingerprint of its machine.
type program struct {
	issuer, product, fingerprint string
	keys                         signingKeys
	// releasedAt is the release day of the build; zero if there is none.
	releasedAt time.Time
}

// machine is the claim `machine` in statements about a license on this machine.
func (p program) machine(licenseID string) string {
	return hashLines("license-certificate:v1", p.issuer, licenseID, p.fingerprint)
}

// hashLines is the base64url of the SHA-256 of lines joined by line feeds.
func hashLines(lines ...string) string {
	hash := sha256.Sum256([]byte(strings.Join(lines, "\n")))
	return encodeBase64url(hash[:])
}

// readJWS returns the claims of a compact JWS of this typ signed with one of the keys, or a *breach. The
// claims are parsed only once the signature is verified.
func readJWS(text, typ string, keys signingKeys) (map[string]any, error) {
	if len(text) > maxLength {
		return nil, damaged("format")
	}
	parts := strings.Split(text, ".")
	if len(parts) != 3 {
		return nil, damaged("format")
	}
	decoded := [3][]byte{}
	for i, part := range parts {
		data, err := decodeBase64url(part)
		if err != nil {
			return nil, damaged("format")
		}
		decoded[i] = data
	}
	header, payload, signature := decoded[0], decoded[1], decoded[2]
	key, err := findKey(header, typ, keys)
	if err != nil {
		return nil, err
	}
	// Verify rejects any S that is not below the group order.
	if !ed25519.Verify(key, []byte(parts[0]+"."+parts[1]), signature) {
		return nil, damaged("signature")
	}
	claims, err := parseObject(payload)
	if err != nil {
		return nil, damaged("format")
	}
	if claims == nil {
		return nil, damaged("claims")
	}
	return claims, nil
}

func findKey(data []byte, typ string, keys signingKeys) (ed25519.PublicKey, error) {
	header, err := parseObject(data)
	if err != nil {
		return nil, damaged("format")
	}
	kid, hasKid := header["kid"]
	if !hasKid || len(header) != 3 || countMembers(data) != 3 || header["alg"] != "EdDSA" || header["typ"] != typ {
		return nil, damaged("header")
	}
	name, isText := kid.(string)
	if key := keys[name]; isText && key != nil {
		return key, nil
	}
	return nil, damaged("key")
}
