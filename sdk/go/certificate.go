package licenseclient

import (
	"regexp"
	"time"
)

// maxTolerance is how far a clock may be off, in seconds.
const maxTolerance = 86_400

// never is the expiry of a perpetual license.
const never = "9999-12-31T23:59:59.999Z"

// certificate has the claims of a certificate that rule 1 accepts. Integers are seconds since 1970.
type certificate struct {
	product, licenseID, machine string
	issuedAt, expiresAt         int64
	licenseEnd                  time.Time
	terms                       Terms
	services, entitlements      []string
	hasLease                    bool
	// tolerance is the tolerance of the clock in seconds. It is smaller for a short lease, which could
	// otherwise be used twice.
	tolerance int64
}

// readCertificate applies rules 1 to 3 of docs/guides/certificates.md, and returns a *breach of one of them.
func readCertificate(text string, program program) (*certificate, error) {
	claims, err := readJWS(text, "license+jwt", program.keys)
	if err != nil {
		return nil, err
	}
	if claims["iss"] != program.issuer {
		return nil, damaged("issuer")
	}
	read, isComplete := readClaims(claims)
	switch {
	case !isComplete:
		return nil, damaged("claims")
	case read.product != program.product:
		return nil, &breach{OtherProduct, "product"}
	case read.machine != program.machine(read.licenseID):
		return nil, &breach{OtherMachine, "machine"}
	}
	return read, nil
}

func readClaims(claims map[string]any) (*certificate, bool) {
	product, hasProduct := claims["aud"].(string)
	licenseID, hasLicenseID := claims["sub"].(string)
	_, hasID := claims["jti"].(string)
	machine, hasMachine := claims["machine"].(string)
	issuedAt, hasStart := toInteger(claims["iat"])
	expiresAt, hasEnd := toInteger(claims["exp"])
	license, hasLicense := claims["license"].(map[string]any)
	if !hasProduct || !hasLicenseID || !hasID || !hasMachine || !hasStart || !hasEnd || !hasLicense {
		return nil, false
	}
	licenseEnd, hasLicenseEnd := toTime(license["expiresAt"])
	services, hasServices := toTexts(license["services"])
	entitlements, hasEntitlements := []string{}, true
	// Older certificates have none.
	if license["entitlements"] != nil {
		entitlements, hasEntitlements = toTexts(license["entitlements"])
	}
	leaseSeconds, isLeaseRight := int64(maxTolerance), true
	hasLease := license["leaseSeconds"] != nil
	if hasLease {
		leaseSeconds, isLeaseRight = toInteger(license["leaseSeconds"])
	}
	terms, hasTerms := readTerms(license)
	if !hasTerms || !hasLicenseEnd || !hasServices || !hasEntitlements || !isLeaseRight {
		return nil, false
	}
	return &certificate{
		product:      product,
		licenseID:    licenseID,
		machine:      machine,
		issuedAt:     issuedAt,
		expiresAt:    expiresAt,
		licenseEnd:   licenseEnd,
		terms:        terms,
		services:     services,
		entitlements: entitlements,
		hasLease:     hasLease,
		tolerance:    min(leaseSeconds, maxTolerance),
	}, true
}

// readTerms reads the members meant for people, which older certificates lack.
func readTerms(license map[string]any) (Terms, bool) {
	terms := Terms{Perpetual: license["expiresAt"] == never}
	isRight := true
	if !terms.Perpetual {
		terms.ExpiresAt, isRight = toTime(license["expiresAt"])
	}
	if license["updatesUntil"] != nil && isRight {
		terms.UpdatesUntil, isRight = toTime(license["updatesUntil"])
	}
	licensee, isLicensee := license["licensee"].(string)
	plan, isPlan := license["plan"].(string)
	terms.Licensee, terms.Plan = licensee, plan
	return terms, isRight && (isLicensee || license["licensee"] == nil) && (isPlan || license["plan"] == nil)
}

// time.Parse accepts a comma before the fraction, too.
var timePattern = regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$`)

// toTime reads a time as the service writes it: 2026-07-31T10:15:00.000Z.
func toTime(value any) (time.Time, bool) {
	text, isText := value.(string)
	if !isText || !timePattern.MatchString(text) {
		return time.Time{}, false
	}
	read, err := time.Parse(time.RFC3339, text)
	return read, err == nil && read.Year() > 0
}

// toDay returns the start of a day in UTC, written as YYYY-MM-DD.
func toDay(text string) (time.Time, bool) {
	return toTime(text + "T00:00:00.000Z")
}

// circumstances are what rules 4 to 7 depend on. Times are seconds since 1970.
type circumstances struct {
	// rejection is empty if there is none.
	rejection      State
	now            float64
	rememberedTime int64
	// isClockAhead is true if a certificate had already expired when it was fetched.
	isClockAhead bool
	// releasedAt is the release day of the build; zero if there is none.
	releasedAt time.Time
}

// judge applies rules 4 to 7: whether an authentic certificate is valid now.
func (c *certificate) judge(at circumstances) Status {
	until := time.Unix(c.expiresAt, 0).UTC()
	if c.licenseEnd.Before(until) {
		until = c.licenseEnd
	}
	isLicenseOver := secondsOf(c.licenseEnd) <= at.now
	isOver := float64(c.expiresAt) <= at.now
	status := func(state State, reason string, until time.Time) Status {
		return Status{Terms: c.terms, State: state, Reason: reason, ValidUntil: until}
	}
	switch {
	case at.rejection != "":
		return status(at.rejection, "rejected", time.Time{})
	case c.isAhead(at.now):
		return status(Clock, "issued_in_future", time.Time{})
	case float64(at.rememberedTime)-at.now > float64(c.tolerance):
		return status(Clock, "clock_set_back", time.Time{})
	case at.isClockAhead && (isLicenseOver || isOver):
		return status(Clock, "already_over", time.Time{})
	case isLicenseOver:
		return status(Expired, "license_expired", c.licenseEnd)
	case isOver:
		return status(Ended, "certificate_ended", until)
	case !at.releasedAt.IsZero() && !c.terms.covers(at.releasedAt):
		return status(UpdateNotCovered, "updates_ended", time.Time{})
	}
	valid := status(Valid, "", until)
	valid.Services, valid.Entitlements = c.services, c.entitlements
	return valid
}

// isAhead reports whether the certificate was issued further in the future than the tolerance.
func (c *certificate) isAhead(now float64) bool {
	return float64(c.issuedAt)-now > float64(c.tolerance)
}

// isBefore reports whether another certificate of the license replaces this one.
func (c *certificate) isBefore(other *certificate) bool {
	return c.issuedAt < other.issuedAt || c.issuedAt == other.issuedAt && c.expiresAt < other.expiresAt
}

func secondsOf(at time.Time) float64 {
	return float64(at.Unix()) + float64(at.Nanosecond())/1e9
}
