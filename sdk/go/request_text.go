package licenseclient

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
)

// requestText is what the vendor needs to issue a certificate for this machine, with a checksum because
// people may type it in.
func requestText(product, fingerprint string) (string, error) {
	hash := sha256.Sum256([]byte("license-request:v1\n" + product + "\n" + fingerprint))
	request := struct {
		Fingerprint string `json:"fingerprint"`
		Product     string `json:"product"`
		Check       string `json:"check"`
	}{fingerprint, product, hex.EncodeToString(hash[:4])}
	data, err := json.Marshal(request)
	return string(data), err
}
