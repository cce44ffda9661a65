package licenseclient

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"testing"
	"time"
)

// TestMain runs the scenarios of docs/sdk/scenarios.md if the test binary is started as a runner: one command per line on
// standard input, one result per line on standard output.
func TestMain(m *testing.M) {
	if len(os.Args) == 2 && os.Args[1] == "scenario-runner" {
		if err := runScenarios(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

type runnerCommand struct {
	Do       string
	Now      float64
	Options  runnerOptions
	Method   string
	Argument string
}

type runnerOptions struct {
	Service, Issuer, Product, Folder, Fingerprint string

	Keys          []JWK
	MachineName   *string
	AllowRandomID *bool
	ReleasedAt    string
	// Timeout in milliseconds.
	Timeout int
}

type runnerError struct {
	Code       string   `json:"code"`
	Message    string   `json:"message"`
	RetryAfter *float64 `json:"retryAfter"`
}

type runner struct {
	license *License
	clock   float64
}

func runScenarios() error {
	runner := &runner{}
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<20)
	output := json.NewEncoder(os.Stdout)
	for lines.Scan() {
		var command runnerCommand
		if err := json.Unmarshal(lines.Bytes(), &command); err != nil {
			return err
		}
		result, err := runner.run(command)
		if err != nil {
			return err
		}
		if err := output.Encode(result); err != nil {
			return err
		}
	}
	return lines.Err()
}

func (r *runner) run(command runnerCommand) (map[string]any, error) {
	r.clock = command.Now
	value, err := r.call(command)
	if err == nil {
		return map[string]any{"returns": value}, nil
	}
	var licenseError *LicenseError
	if !errors.As(err, &licenseError) {
		return nil, err
	}
	thrown := runnerError{Code: licenseError.Code, Message: licenseError.Message}
	if licenseError.RetryAfter > 0 {
		seconds := licenseError.RetryAfter.Seconds()
		thrown.RetryAfter = &seconds
	}
	return map[string]any{"throws": thrown}, nil
}

func (r *runner) call(command runnerCommand) (any, error) {
	ctx := context.Background()
	if command.Do == "start" {
		return nil, r.start(command.Options)
	}
	switch command.Method {
	case "status":
		return jsonStatus(r.license.Status()), nil
	case "refresh":
		return jsonStatus(r.license.Refresh(ctx)), nil
	case "ensure":
		return jsonResult(r.license.Ensure(ctx, command.Argument))
	case "activate":
		return jsonResult(r.license.Activate(ctx, command.Argument))
	case "heartbeat":
		return jsonResult(r.license.Heartbeat(ctx))
	case "release":
		return jsonResult(r.license.Release(ctx))
	case "install":
		return jsonResult(r.license.Install(command.Argument))
	case "request":
		return r.license.Request()
	case "forget":
		return nil, r.license.Forget()
	case "has":
		return r.license.Status().Has(command.Argument), nil
	case "mayUpdateTo":
		return r.license.Status().MayUpdateTo(command.Argument), nil
	}
	return nil, fmt.Errorf("there is no method %q", command.Method)
}

func (r *runner) start(given runnerOptions) error {
	options := Options{
		Service: given.Service,
		Issuer:  given.Issuer,
		Product: given.Product,
		Keys:    given.Keys,
		Folder:  given.Folder,

		Fingerprint: given.Fingerprint,
		ReleasedAt:  given.ReleasedAt,

		Timeout: time.Duration(given.Timeout) * time.Millisecond,
		now:     func() float64 { return r.clock },
	}
	options.ForbidRandomID = given.AllowRandomID != nil && !*given.AllowRandomID
	if given.MachineName != nil {
		options.MachineName = *given.MachineName
	}
	license, err := New(options)
	if err == nil && given.MachineName != nil && options.MachineName == "" {
		// In Go it means absent, which the scenarios of the option do not know.
		err = wrongOption("MachineName", "1 to 100 characters, without control characters")
	}
	r.license = license
	return err
}

func jsonResult(status Status, err error) (any, error) {
	return jsonStatus(status), err
}

func jsonStatus(status Status) map[string]any {
	return map[string]any{
		"state":        status.State,
		"isValid":      status.IsValid(),
		"validUntil":   jsonTime(status.ValidUntil),
		"expiresAt":    jsonTime(status.ExpiresAt),
		"perpetual":    status.Perpetual,
		"updatesUntil": jsonTime(status.UpdatesUntil),
		"licensee":     jsonText(status.Licensee),
		"plan":         jsonText(status.Plan),
		"services":     append([]string{}, status.Services...),
		"entitlements": append([]string{}, status.Entitlements...),
		"reason":       jsonText(status.Reason),
	}
}

func jsonTime(at time.Time) any {
	if at.IsZero() {
		return nil
	}
	return at.Format("2006-01-02T15:04:05.000Z")
}

func jsonText(text string) any {
	if text == "" {
		return nil
	}
	return text
}
