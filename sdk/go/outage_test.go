package licenseclient

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"
	"testing/iotest"
)

const foreign = "eyJhbGciOiJFZERTQSJ9.e30.AA"

// outages take the place of a good response.
var outages = []func() (*http.Response, error){
	func() (*http.Response, error) { return nil, errors.New("no network") },
	func() (*http.Response, error) { return nil, context.DeadlineExceeded },
	respond(429, `{"success":false}`),
	respond(500, `{"status":"revoked"}`),
	respond(503, `{"code":"OVERLOADED"}`),
	respond(404, `{"code":"ROUTE_NOT_FOUND"}`),
	respond(403, `{"code":"LICENSE_REVOKED"}`),
	respond(302, ""),
	respond(200, "<h1>Log in</h1>"),
	respond(200, `{"valid":true,"status":"act`),
	respond(200, "\xff\x00{\xfe"),
	respond(200, strings.Repeat(" ", 70_000)),
	respond(200, `{"status":"pending"}`),
	respond(200, `{"status":"invalid"}`),
	respond(200, `{"status":"revoked"}`),
	respond(200, `{"status":"suspended","rejection":"`+foreign+`"}`),
	respond(200, `{"status":"active"}`),
	respond(200, `{"status":"active","leaseEndsAt":"2027-01-15T09:00:00.000Z"}`),
	respond(200, `{"status":"active","certificate":"`+foreign+`"}`),
	func() (*http.Response, error) {
		body := io.MultiReader(strings.NewReader(`{"status":"active"`), iotest.ErrReader(io.ErrUnexpectedEOF))
		return &http.Response{StatusCode: 200, Body: io.NopCloser(body)}, nil
	},
}

func respond(status int, body string) func() (*http.Response, error) {
	return func() (*http.Response, error) {
		return &http.Response{StatusCode: status, Body: io.NopCloser(strings.NewReader(body))}, nil
	}
}

func TestR11AnOutageStopsNoMachineBeforeItsCertificateEndsAndEveryOneThen(t *testing.T) {
	random := rand.New(rand.NewPCG(11, 0))
	for machine := range 20 {
		t.Run(fmt.Sprint(machine), func(t *testing.T) { surviveOutage(t, random) })
	}
}

func surviveOutage(t *testing.T, random *rand.Rand) {
	customer := newCustomer(t)
	days := 1 + random.Int64N(30)
	end := float64(testNow + days*day)
	exchange := respond(200, fmt.Sprintf(`{"status":"active","certificate":%q}`, issue(content{days: days})))
	options := customer.options()
	options.Transport = roundTrip(func(*http.Request) (*http.Response, error) { return exchange() })
	license := customer.licenseWith(options)
	if _, err := license.Activate(context.Background(), testKey); err != nil {
		t.Fatal(err)
	}
	check := func() {
		t.Helper()
		exchange = outages[random.IntN(len(outages))]
		expected := Valid
		if customer.now >= end {
			expected = Ended
		}
		for _, status := range []Status{license.Refresh(context.Background()), customer.licenseWith(options).Status()} {
			if status.State != expected {
				t.Errorf("%s %g s before the end", status.State, end-customer.now)
			}
		}
	}
	for customer.now < end-1 {
		check()
		customer.now = min(end-1, customer.now+float64(1+random.IntN(72))*3600)
	}
	for customer.now = end - 1; customer.now <= end+1; customer.now++ {
		check()
	}
	renewed := issue(content{issuedAt: int64(customer.now)})
	exchange = respond(200, fmt.Sprintf(`{"status":"active","certificate":%q}`, renewed))
	expectStatus(t, license.Refresh(context.Background()), Valid, "")
}
