package licenseclient

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"regexp"
	"strconv"
	"time"
)

const maxBody = 65_536

var retryAfterPattern = regexp.MustCompile(`^[0-9]{1,9}$`)

// response is a response is a response of the service. Its body is empty if the status alone decides, or if
// it is larger than 64 KiB.
type response struct {
	status     int
	retryAfter time.Duration
	body       []byte
}

// post sends JSON and follows no redirects. The response is complete within the timeout, even if the
// transport never returns.
func post(ctx context.Context, settings settings, path string, content map[string]any) (response, error) {
	ctx, cancel := context.WithTimeout(ctx, settings.Timeout)
	defer cancel()
	type result struct {
		response response
		err      error
	}
	results := make(chan result, 1)
	go func() {
		response, err := exchange(ctx, settings, path, content)
		results <- result{response, err}
	}()
	select {
	case result := <-results:
		return result.response, result.err
	case <-ctx.Done():
		return response{}, ctx.Err()
	}
}

func exchange(ctx context.Context, settings settings, path string, content map[string]any) (response, error) {
	data, err := json.Marshal(content)
	if err != nil {
		return response{}, err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, settings.Service+path, bytes.NewReader(data))
	if err != nil {
		return response{}, err
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", "application/json")
	// An http.Client would follow redirects.
	replied, err := settings.Transport.RoundTrip(request)
	if err != nil {
		return response{}, err
	}
	defer replied.Body.Close()
	body, err := readBody(replied)
	return response{replied.StatusCode, retryAfterOf(replied.Header), body}, err
}

func readBody(replied *http.Response) ([]byte, error) {
	status := replied.StatusCode
	// For any other status, the body does not matter and may be cut off.
	if !isDecidedByBody(status) {
		return nil, nil
	}
	body, err := io.ReadAll(io.LimitReader(replied.Body, maxBody+1))
	if len(body) > maxBody {
		return nil, nil
	}
	return body, err
}

// isDecidedByBody reports whether a response with this status may come from the service, so that its body
// counts. 407 comes from a proxy.
func isDecidedByBody(status int) bool {
	isRejected := status >= 400 && status < 500 && status != http.StatusProxyAuthRequired && status != http.StatusTooManyRequests
	return status == http.StatusOK || isRejected
}

func retryAfterOf(header http.Header) time.Duration {
	value := header.Get("Retry-After")
	if !retryAfterPattern.MatchString(value) {
		return 0
	}
	seconds, _ := strconv.Atoi(value)
	return time.Duration(seconds) * time.Second
}

// isUntrusted reports whether the server's TLS certificate is rejected.
func isUntrusted(err error) bool {
	var verification *tls.CertificateVerificationError
	return errors.As(err, &verification)
}

func isTimeout(err error) bool {
	var network net.Error
	return errors.Is(err, context.DeadlineExceeded) || errors.As(err, &network) && network.Timeout()
}
