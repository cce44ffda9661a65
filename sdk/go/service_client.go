package licenseclient

import (
	"context"
	"net/http"
	"time"
)

// reply is one of active, leased, pending, released, rejected and failed. Once its certificate is verified,
// it becomes received.
type reply any

// active has a certificate that is not verified yet.
type active struct{ certificate string }

// leased is an active license with a lease; its validation is not signed.
type leased struct{}

// pending is a license that has not been activated yet.
type pending struct{}

// released is a machine that released its seat.
type released struct{}

// rejected is a license that the service forbids on this machine.
type rejected struct {
	rejection State
	proof     proof
	// machines are the seats in use, if the license has several seats and this machine holds none.
	machines *seats
	// code and message come from the service; they are empty if the SDK has its own.
	code, message string
	// rejectedAt is when the service signed the rejection, once verified.
	rejectedAt int64
}

type seats struct{ used, max int64 }

// failed is a missing response, or one that says nothing about the license.
type failed struct {
	reason string
	// The service's code and message for a rejected request. They are empty if it sent none.
	code, message string
	retryAfter    time.Duration
	cause         error
}

// rejectionCodes are the codes of rejected requests that stop the license.
var rejectionCodes = map[string]State{
	"LICENSE_REVOKED":            Revoked,
	"LICENSE_EXPIRED":            Expired,
	"LICENSE_ON_ANOTHER_MACHINE": OtherMachine,
	"LICENSE_SUSPENDED":          Suspended,
}

// sender is the license and machine of a request.
type sender struct {
	key     string
	program program
}

// serviceClient requests certificates and releases.
type serviceClient struct{ settings settings }

// refresh validates the license. It activates the license only if it is pending, such as after a backup was restored.
func (c serviceClient) refresh(ctx context.Context, sender sender) reply {
	validation := c.validate(ctx, sender)
	if _, isPending := validation.(pending); isPending {
		return c.takeSeat(ctx, "activate", sender)
	}
	return validation
}

// activate validates the license. It activates the license only if it has a free seat, because activations
// have a lower rate limit.
func (c serviceClient) activate(ctx context.Context, sender sender) reply {
	switch validation := c.validate(ctx, sender).(type) {
	case leased:
		return c.takeSeat(ctx, "heartbeat", sender)
	case pending:
		return c.takeSeat(ctx, "activate", sender)
	case rejected:
		machines := validation.machines
		if validation.rejection == LeaseEnded || machines != nil && machines.used < machines.max {
			return c.takeSeat(ctx, "activate", sender)
		}
		if machines != nil {
			return failed{reason: "request_rejected", code: "MACHINE_LIMIT_REACHED"}
		}
		return validation
	default:
		return validation
	}
}

func (c serviceClient) heartbeat(ctx context.Context, sender sender) reply {
	return c.takeSeat(ctx, "heartbeat", sender)
}

func (c serviceClient) release(ctx context.Context, sender sender) reply {
	body, failure := c.post(ctx, "/validate/release", sender, map[string]any{})
	if failure != nil {
		return failure
	}
	if body["success"] != true {
		return failed{reason: "not_the_service"}
	}
	return released{}
}

func (c serviceClient) validate(ctx context.Context, sender sender) reply {
	nonce := newNonce()
	body, failure := c.post(ctx, "/validate", sender, map[string]any{"certificate": true, "nonce": nonce})
	if failure != nil {
		return failure
	}
	return interpretValidation(body, nonce)
}

func (c serviceClient) takeSeat(ctx context.Context, route string, sender sender) reply {
	members := map[string]any{"certificate": true, "nonce": newNonce()}
	if c.settings.MachineName != "" {
		members["machineName"] = c.settings.MachineName
	}
	body, failure := c.post(ctx, "/validate/"+route, sender, members)
	if failure != nil {
		return failure
	}
	if body["success"] != true {
		return failed{reason: "not_the_service"}
	}
	return interpretCertificate(body["certificate"])
}

// post returns the body of a response with status 200, or a reply for any other status.
func (c serviceClient) post(ctx context.Context, path string, sender sender, members map[string]any) (map[string]any, reply) {
	members["key"] = sender.key
	members["fingerprint"] = sender.program.fingerprint
	members["product"] = sender.program.product
	response, err := post(ctx, c.settings, path, members)
	if err != nil {
		return nil, failed{reason: contactReason(err), cause: err}
	}
	body, _ := parseObject(response.body)
	switch {
	case isDecidedByBody(response.status) && body == nil:
		return nil, failed{reason: "not_the_service"}
	case response.status == http.StatusOK:
		return body, nil
	case isDecidedByBody(response.status):
		nonce, _ := members["nonce"].(string)
		return nil, interpretError(body, nonce)
	case response.status == 429:
		return nil, failed{reason: "rate_limited", retryAfter: response.retryAfter}
	// 511: the network requires the user to log in.
	case response.status >= 500 && response.status < 600 && response.status != http.StatusNetworkAuthenticationRequired:
		return nil, failed{reason: "server_error", retryAfter: response.retryAfter}
	}
	return nil, failed{reason: "not_the_service"}
}

func contactReason(err error) string {
	if isTimeout(err) {
		return "timeout"
	}
	if isUntrusted(err) {
		return "untrusted_server"
	}
	return "no_response"
}

func interpretValidation(body map[string]any, nonce string) reply {
	status, _ := body["status"].(string)
	_, hasLease := body["leaseEndsAt"].(string)
	rejection, isRejection := rejectionNamed(status)
	switch {
	case status == "pending":
		return pending{}
	case status == "active" && hasLease && body["certificate"] == nil:
		return leased{}
	case status == "active":
		return interpretCertificate(body["certificate"])
	case status == "invalid":
		return failed{reason: "unknown_key"}
	case !isRejection:
		return failed{reason: "not_the_service"}
	}
	rejected := rejected{rejection: rejection, proof: proof{body["rejection"], nonce}}
	if rejection == OtherMachine {
		rejected.machines = toSeats(body["machines"])
	}
	return rejected
}

func interpretCertificate(certificate any) reply {
	if certificate == nil {
		return failed{reason: "no_certificate"}
	}
	text, isText := certificate.(string)
	if !isText {
		return failed{reason: "bad_certificate"}
	}
	return active{text}
}

func interpretError(body map[string]any, nonce string) reply {
	code, _ := body["code"].(string)
	message, _ := body["message"].(string)
	rejection, isRejection := rejectionCodes[code]
	switch {
	case code == "LICENSE_NOT_FOUND":
		return failed{reason: "unknown_key"}
	case !isRejection:
		return failed{reason: "request_rejected", code: code, message: message}
	}
	rejected := rejected{rejection: rejection, proof: proof{body["rejection"], nonce}}
	if rejection == Suspended {
		rejected.code, rejected.message = code, message
	}
	return rejected
}

// toSeats returns nil unless both numbers are present.
func toSeats(value any) *seats {
	members, _ := value.(map[string]any)
	used, hasUsed := toInteger(members["used"])
	most, hasMax := toInteger(members["max"])
	if !hasUsed || !hasMax {
		return nil
	}
	return &seats{used, most}
}

func newNonce() string {
	return encodeBase64url(randomBytes())
}
