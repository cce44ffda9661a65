package licenseclient

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"math/big"
	"slices"
)

// JWK is a public Ed25519 key (RFC 8037), as GET /signing-keys returns it.
type JWK struct {
	Kty string `json:"kty"`
	Crv string `json:"crv"`
	// X is canonical base64url of 32 bytes.
	X string `json:"x"`
	// D is the private key; a key that has one is rejected.
	D string `json:"d,omitempty"`
}

// signingKeys maps RFC 7638 thumbprints to public keys.
type signingKeys map[string]ed25519.PublicKey

func importSigningKeys(jwks []JWK) (signingKeys, error) {
	if len(jwks) == 0 {
		return nil, wrongOption("Keys", "a list of at least one public JWK")
	}
	keys := signingKeys{}
	for i, jwk := range jwks {
		name := fmt.Sprintf("Keys[%d]", i)
		if jwk.D != "" {
			return nil, optionError(name + " is a private key. Never ship private keys, and rotate this one.")
		}
		point, err := decodeBase64url(jwk.X)
		if err != nil || jwk.Kty != "OKP" || jwk.Crv != "Ed25519" || !isSigningPoint(point) {
			return nil, wrongOption(name, "a public Ed25519 key as a JWK: kty OKP, crv Ed25519, x")
		}
		// RFC 7638: the required members in alphabetical order, without whitespace.
		hash := sha256.Sum256([]byte(`{"crv":"Ed25519","kty":"OKP","x":"` + jwk.X + `"}`))
		thumbprint := encodeBase64url(hash[:])
		if keys[thumbprint] != nil {
			return nil, optionError(name + " repeats an earlier key.")
		}
		keys[thumbprint] = point
	}
	return keys, nil
}

func encodeBase64url(data []byte) string {
	return base64.RawURLEncoding.EncodeToString(data)
}

// decodeBase64url decodes canonical base64url: encoding/base64 skips line feeds and accepts any unused bits.
func decodeBase64url(text string) ([]byte, error) {
	data, err := base64.RawURLEncoding.DecodeString(text)
	if err == nil && encodeBase64url(data) != text {
		err = errors.New("not canonical base64url")
	}
	return data, err
}

var (
	one = big.NewInt(1)
	// 2^255 - 19
	fieldPrime = new(big.Int).Sub(new(big.Int).Lsh(one, 255), big.NewInt(19))
	// The constant d of the curve (RFC 8032): -121665 / 121666.
	curveD = hexadecimal("52036cee2b6ffe738cc740797779e89800700a4d4141d8ab75eb4dca135978a3")
	// The y coordinate of two points of order 8; the other two have its negative.
	orderEight = hexadecimal("05fc536d880238b13933c6d305acdfd5f098eff289f4c345b027b2c28f95e826")
	// The y coordinates of all points of small order.
	smallOrder = []*big.Int{
		new(big.Int), one, new(big.Int).Sub(fieldPrime, one), orderEight, new(big.Int).Sub(fieldPrime, orderEight),
	}
)

func hexadecimal(digits string) *big.Int {
	value, _ := new(big.Int).SetString(digits, 16)
	return value
}

// isSigningPoint reports whether 32 bytes encode a curve point that is safe for verifying signatures.
// crypto/ed25519 accepts points of small order and coordinates beyond the prime.
func isSigningPoint(data []byte) bool {
	if len(data) != ed25519.PublicKeySize {
		return false
	}
	// Little-endian, with the sign of x in the highest bit.
	bytes := slices.Clone(data)
	bytes[31] &= 0x7f
	slices.Reverse(bytes)
	y := new(big.Int).SetBytes(bytes)
	isSmall := slices.ContainsFunc(smallOrder, func(small *big.Int) bool { return small.Cmp(y) == 0 })
	return y.Cmp(fieldPrime) < 0 && !isSmall && isOnCurve(y)
}

// isOnCurve reports whether x² = (y² - 1) / (d·y² + 1) has a root, which it has if the product of both does.
func isOnCurve(y *big.Int) bool {
	square := new(big.Int).Mul(y, y)
	divisor := new(big.Int).Mul(curveD, square)
	product := new(big.Int).Mul(square.Sub(square, one), divisor.Add(divisor, one))
	return big.Jacobi(product.Mod(product, fieldPrime), fieldPrime) == 1
}
