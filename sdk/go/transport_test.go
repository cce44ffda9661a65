package licenseclient

import (
	"context"
	"errors"
	"io"
	"net/http"
	"syscall"
	"testing"
	"time"
)

type roundTrip func(*http.Request) (*http.Response, error)

func (send roundTrip) RoundTrip(request *http.Request) (*http.Response, error) { return send(request) }

func TestOptionTransportReplacesTheDefault(t *testing.T) {
	customer := newCustomer(t)
	customer.script(replyJSON(map[string]any{"status": "active", "certificate": issue(content{})}))
	options := customer.options()
	var sent []string
	options.Transport = roundTrip(func(request *http.Request) (*http.Response, error) {
		sent = append(sent, request.Method+" "+request.URL.Path)
		return http.DefaultTransport.RoundTrip(request)
	})
	status, err := customer.licenseWith(options).Activate(context.Background(), testKey)
	if err != nil {
		t.Fatal(err)
	}
	expectStatus(t, status, Valid, "")
	expectEqual(t, describe(sent), `["POST /validate"]`)
}

func TestTransportThatNeverReturnsTimesOut(t *testing.T) {
	customer := newCustomer(t)
	end := make(chan struct{})
	t.Cleanup(func() { close(end) })
	options := customer.options()
	options.Timeout = 20 * time.Millisecond
	options.Transport = roundTrip(func(*http.Request) (*http.Response, error) {
		<-end
		return nil, errors.New("ended")
	})
	_, err := customer.licenseWith(options).Activate(context.Background(), testKey)
	expectCode(t, err, "timeout")
}

func TestNetworkErrorIsTheCauseOfNoResponse(t *testing.T) {
	_, err := newCustomer(t).license().Activate(context.Background(), testKey)
	if !errors.Is(expectCode(t, err, "no_response"), syscall.ECONNREFUSED) {
		t.Errorf("the cause is %v", errors.Unwrap(err))
	}
}

func TestCancellingTheContextStopsARequestAndChangesNothing(t *testing.T) {
	customer := newCustomer(t)
	license := customer.activated(content{})
	ctx, cancel := context.WithCancel(context.Background())
	customer.script(func(_ http.ResponseWriter, request *http.Request) {
		// A server notices a closed connection only after it has read the request.
		_, _ = io.Copy(io.Discard, request.Body)
		cancel()
		<-request.Context().Done()
	})
	expectStatus(t, customer.license().Refresh(ctx), Valid, "no_response")
	expectStatus(t, license.Status(), Valid, "")
}

func TestResponseThatOnlyClaimsToBeCompressedChangesNothing(t *testing.T) {
	customer := newCustomer(t)
	customer.activated(content{})
	customer.script(func(writer http.ResponseWriter, _ *http.Request) {
		writer.Header().Set("Content-Encoding", "gzip")
		_, _ = writer.Write([]byte(`{"status":"revoked"}`))
	})
	expectStatus(t, customer.license().Refresh(context.Background()), Valid, "no_response")
}

func TestTimeoutOverTenMinutesIsAnInvalidOption(t *testing.T) {
	customer := newCustomer(t)
	for _, timeout := range []time.Duration{-1, maxTimeout + 1} {
		options := customer.options()
		options.Timeout = timeout
		_, err := New(options)
		expectEqual(t, expectCode(t, err, "option").Message, "Timeout must be more than 0 and at most 600 seconds.")
	}
}
