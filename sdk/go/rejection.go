package licenseclient

// proof is the signed statement that the service sent with a rejection; it is not verified yet.
type proof struct {
	// text is the statement in the response.
	text any
	// nonce is the request's nonce.
	nonce string
}

// statusNames are the service's names for signed rejections.
var statusNames = map[State]string{
	Revoked:      "revoked",
	Expired:      "expired",
	OtherMachine: "machine_mismatch",
	Suspended:    "suspended",
	LeaseEnded:   "lease_ended",
}

// rejectionNamed returns the rejection with this name.
func rejectionNamed(status string) (State, bool) {
	for rejection, name := range statusNames {
		if name == status {
			return rejection, true
		}
	}
	return "", false
}

// provenAt returns when the service signed the rejection, in seconds since 1970, and whether it signed it.
// licenseID is from the stored certificate, or empty.
func (p proof) provenAt(rejection State, program program, licenseID string) (int64, bool) {
	text, _ := p.text.(string)
	claims, err := readJWS(text, "license-rejection+jwt", program.keys)
	if err != nil {
		return 0, false
	}
	sub, isText := claims["sub"].(string)
	issuedAt, isDated := toInteger(claims["iat"])
	isProven := isText && isDated &&
		// The owner of another rejected license could have had it signed for this machine.
		(licenseID == "" || sub == licenseID) &&
		claims["iss"] == program.issuer &&
		claims["aud"] == program.product &&
		claims["nonce"] == p.nonce &&
		claims["machine"] == program.machine(sub) &&
		claims["status"] == statusNames[rejection]
	return issuedAt, isProven
}
