package httpdriver

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/capconform/capconform/suites/driver"
)

const (
	throttleTries  = 3
	maxHeaderBytes = 1 << 20
	maxIdle        = 64
)

// Client sends single requests to one target: with its own transport, to no other address, without
// redirects, proxies, cookies and compression. It is safe for concurrent use.
type Client struct {
	base      *url.URL
	shownBase string // the URL as a report may show it
	header    http.Header
	shown     map[string]string // the headers as a command that repeats a request contains them
	secrets   driver.Secrets
	transport *http.Transport
	keepAlive keepAlive
}

// Request is one request to an address below the URL of the target.
type Request struct {
	Method string
	Path   string // appended to the URL's path, percent-encoded; empty uses the URL as it is
	Query  url.Values
	Header http.Header // in addition to those of the configuration, which take precedence
	Body   []byte
	// Stated are the headers that this request decides also against the configuration; one that is not in Header is not
	// sent.
	Stated []string
	Names  string // the case of the names of all headers: lower, upper, or empty for the usual one
}

// Response is a response with its complete body.
type Response struct {
	Status int
	Header http.Header
	Body   []byte
}

// NewClient returns a client after it has checked address and headers. The error wraps
// driver.ErrConfiguration.
func NewClient(config Config) (*Client, error) {
	base, err := url.Parse(config.URL)
	switch {
	case err != nil: // not %w: the text of the error contains the whole address
		return nil, configurationError("the URL can't be read")
	case base.Scheme != "http" && base.Scheme != "https":
		return nil, configurationError("the URL must begin with http:// or https://")
	case base.Hostname() == "":
		return nil, configurationError("the URL names no host")
	case base.Port() != "" && !validPort(base.Port()):
		return nil, configurationError("the URL has a port that is not between 1 and 65535")
	}
	c := &Client{base: base, header: http.Header{}, shown: map[string]string{}}
	for name, values := range config.Header {
		c.header[http.CanonicalHeaderKey(name)] = values
	}
	if user := base.User; user != nil {
		password, _ := user.Password()
		credentials := base64.StdEncoding.EncodeToString([]byte(user.Username() + ":" + password))
		c.header.Set("Authorization", "Basic "+credentials)
	}
	var hidden []string
	c.shownBase, hidden = driver.Address(base)
	base.User, base.Fragment = nil, ""
	c.secrets = c.secrets.Join(config.Secrets).With(hidden...).With(c.values(config.SecretSources)...)
	c.transport = &http.Transport{
		DialContext:            (&net.Dialer{}).DialContext,
		DisableCompression:     true,
		ForceAttemptHTTP2:      true,
		MaxIdleConnsPerHost:    maxIdle,
		MaxResponseHeaderBytes: maxHeaderBytes,
	}
	c.keepAlive.transport, c.keepAlive.settle = c.transport, settleTime
	return c, nil
}

func validPort(text string) bool {
	port, err := strconv.ParseUint(text, 10, 16)
	return err == nil && port > 0
}

func configurationError(detail string) error {
	return &driver.CallError{Kind: driver.ErrConfiguration, Detail: "httpdriver: " + detail}
}

// shownHeaders are the headers whose values may be shown: they do not identify the client.
var shownHeaders = []string{"Accept", "Accept-Language", "Content-Type", "User-Agent"}

// values returns the values of the secret headers, and notes how each header is shown.
func (c *Client) values(sources map[string]string) []string {
	referred := map[string]string{}
	for name, source := range sources {
		referred[http.CanonicalHeaderKey(name)] = source
	}
	var secret []string
	for name, values := range c.header {
		switch source := referred[name]; {
		case source != "":
			c.shown[name] = `"` + driver.ShellReference(name) + ": " + source + `"`
		case slices.Contains(shownHeaders, name):
			c.shown[name] = driver.ShellQuote(name + ": " + strings.Join(values, ", "))
			continue
		default:
			c.shown[name] = driver.ShellQuote(name + ": " + driver.Masked)
		}
		secret = append(secret, values...)
	}
	return secret
}

// Secrets returns the masker for everything that this client sends.
func (c *Client) Secrets() driver.Secrets { return c.secrets }

// Address returns the URL of the target without credentials.
func (c *Client) Address() string { return c.secrets.MaskText(c.shownBase) }

// IsLocal reports whether the URL of the target names this machine.
func (c *Client) IsLocal() bool {
	host := c.base.Hostname()
	return strings.EqualFold(host, "localhost") || net.ParseIP(host).IsLoopback()
}

// Reach connects once, to find out whether the target listens. The error is a *driver.CallError.
func (c *Client) Reach(ctx context.Context) error {
	conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", c.endpoint())
	if err != nil {
		kind := driver.ErrUnreachable
		if errors.Is(ctx.Err(), context.Canceled) {
			kind = driver.ErrCancelled
		}
		return &driver.CallError{Kind: kind, Detail: c.secrets.MaskText(err.Error())}
	}
	_ = conn.Close()
	return nil
}

// endpoint returns the address to connect to.
func (c *Client) endpoint() string {
	port := c.base.Port()
	if port == "" {
		port = c.base.Scheme // the resolver accepts http and https as names of ports
	}
	return net.JoinHostPort(c.base.Hostname(), port)
}

// Close closes the idle connections, and the others when they become idle.
func (c *Client) Close() { c.transport.CloseIdleConnections() }

// Send sends a request and waits for the head of the response. It waits and repeats the request up
// to three times after 429 and 503 with Retry-After. The caller must close the body.
func (c *Client) Send(ctx context.Context, r Request) (*http.Response, *driver.CallError) {
	for try := 0; ; try++ {
		request, err := c.newRequest(ctx, r)
		if err != nil {
			return nil, c.failure(ctx, err)
		}
		response, err := c.keepAlive.roundTrip(request)
		if err != nil {
			return nil, c.failure(ctx, err)
		}
		wait, throttled := retryAfter(response)
		if !throttled {
			return response, nil
		}
		_ = response.Body.Close()
		detail := fmt.Sprintf("status %d with Retry-After, %d times", response.StatusCode, try+1)
		if deadline, has := ctx.Deadline(); try == throttleTries || has && time.Until(deadline) < wait {
			return nil, &driver.CallError{Kind: driver.ErrThrottled, Detail: detail,
				Exchange: driver.Exchange{Status: response.StatusCode}}
		}
		if !pause(ctx, wait) {
			return nil, &driver.CallError{Kind: driver.ContextKind(ctx), Detail: detail}
		}
		driver.Resent(ctx)
	}
}

// Do is Send, and reads the body up to a limit. The error is a *driver.CallError whose Exchange
// contains the status and what had arrived. Its Kind is ErrNoHTTP if a reply arrived that is not a
// response of HTTP.
func (c *Client) Do(ctx context.Context, r Request, limit int64) (Response, *driver.CallError) {
	response, failed := c.Send(ctx, r)
	if failed != nil {
		return Response{}, failed
	}
	defer response.Body.Close()
	body, failed := c.Read(ctx, response, limit)
	return Response{Status: response.StatusCode, Header: response.Header, Body: body}, failed
}

// Read reads a body up to a limit.
func (c *Client) Read(ctx context.Context, response *http.Response, limit int64) ([]byte, *driver.CallError) {
	body, err := readAll(response.Body, limit+1)
	var failed *driver.CallError
	switch {
	case int64(len(body)) > limit:
		failed = &driver.CallError{Kind: driver.ErrTooLarge, Detail: "a body of more than " + driver.Size(limit)}
	case err != nil:
		failed = c.failure(ctx, err)
	default:
		return body, nil
	}
	failed.Exchange = driver.Exchange{Status: response.StatusCode, Received: body}
	return body, failed
}

// readAll reads up to a limit. It ignores the length that a response announces.
func readAll(in io.Reader, limit int64) ([]byte, error) {
	var body []byte
	for int64(len(body)) < limit {
		body = driver.Grow(body, 1, limit)
		n, err := in.Read(body[len(body):min(int64(cap(body)), limit)])
		body = body[:len(body)+n]
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return driver.Fitted(body), err
		}
	}
	return driver.Fitted(body), nil
}

func (c *Client) newRequest(ctx context.Context, r Request) (*http.Request, error) {
	request, err := http.NewRequestWithContext(ctx, r.Method, c.url(r), bytes.NewReader(r.Body))
	if err != nil {
		return nil, err
	}
	maps.Copy(request.Header, r.Header)
	maps.Copy(request.Header, c.header)
	for _, name := range r.Stated {
		if request.Header[name] = r.Header[name]; r.Header[name] == nil {
			delete(request.Header, name)
		}
	}
	if host := request.Header.Get("Host"); host != "" {
		request.Host = host
	}
	request.Header = inCase(request.Header, r.Names)
	return request, nil
}

// inCase returns the headers with names in a case: lower, upper, or as they are. HTTP/1.1 sends them so.
func inCase(header http.Header, names string) http.Header {
	convert := map[string]func(string) string{"lower": strings.ToLower, "upper": strings.ToUpper}[names]
	if convert == nil {
		return header
	}
	all := http.Header{}
	for name, values := range header {
		all[convert(name)] = values
	}
	return all
}

// url returns the address of a request.
func (c *Client) url(r Request) string {
	u := *c.base
	if r.Path != "" {
		u.RawPath = strings.TrimSuffix(u.EscapedPath(), "/") + r.Path
		u.Path, _ = url.PathUnescape(u.RawPath)
	}
	if len(r.Query) > 0 {
		u.RawQuery = strings.TrimPrefix(u.RawQuery+"&"+r.Query.Encode(), "&")
	}
	return u.String()
}

// Shown returns the address of a request without credentials.
func (c *Client) Shown(r Request) string {
	base, query, _ := strings.Cut(c.shownBase, "?")
	if r.Path != "" {
		base = strings.TrimSuffix(base, "/") + r.Path
	}
	if query = strings.Trim(query+"&"+r.Query.Encode(), "&"); query != "" {
		base += "?" + query
	}
	return c.secrets.MaskText(base)
}

// ErrNoHTTP is the kind of error for a reply that is not an HTTP response. The callers of Client
// judge it; it never leaves a Session.
var ErrNoHTTP = errors.New("the reply is not an HTTP response")

// detail returns the text of an error without the parts that differ between runs or do not describe
// the target: the ports of a connection, and the words of the transport around the cause.
func detail(err error) string {
	text := err.Error()
	if of, ok := errors.AsType[*net.OpError](err); ok && of.Op != "dial" && of.Err != nil {
		text = strings.Replace(text, of.Error(), of.Op+": "+of.Err.Error(), 1)
	}
	text = strings.TrimPrefix(text, "net/http: HTTP/1.x transport connection broken: ")
	switch text = strings.TrimPrefix(text, "net/http: "); text {
	case "EOF", "http: server closed idle connection": // depends on which of them the transport noticed first
		return io.ErrUnexpectedEOF.Error()
	}
	return text
}

// failure returns the meaning of an error of the transport.
func (c *Client) failure(ctx context.Context, err error) *driver.CallError {
	failed := &driver.CallError{Kind: driver.ErrClosed, Detail: c.secrets.MaskText(detail(err))}
	var dial *net.OpError
	var dns *net.DNSError
	switch text := err.Error(); {
	case ctx.Err() != nil:
		failed.Kind = driver.ContextKind(ctx)
	case errors.As(err, &dns), errors.As(err, &dial) && dial.Op == "dial", strings.Contains(text, "tls:"),
		strings.Contains(text, "x509:"):
		failed.Kind = driver.ErrUnreachable
	case strings.Contains(text, "response headers exceeded"):
		failed.Kind = driver.ErrTooLarge
	case strings.Contains(text, "malformed"), strings.Contains(text, "unsupported protocol scheme"):
		failed.Kind = ErrNoHTTP
	}
	return failed
}

// retryAfter returns how long a throttling target asks the client to wait.
func retryAfter(response *http.Response) (time.Duration, bool) {
	after := response.Header.Get("Retry-After")
	if after == "" ||
		response.StatusCode != http.StatusTooManyRequests && response.StatusCode != http.StatusServiceUnavailable {
		return 0, false
	}
	if seconds, err := strconv.ParseUint(after, 10, 31); err == nil {
		return time.Duration(seconds) * time.Second, true
	}
	if date, err := http.ParseTime(after); err == nil {
		return max(0, time.Until(date)), true
	}
	return time.Second, true
}

// Repeat returns a shell command that sends a request again, secrets by reference.
func (c *Client) Repeat(r Request) string {
	const longest = 64 << 10 // a shell does not accept a longer command
	if len(r.Body) > longest {
		return ""
	}
	url := c.Shown(r)
	command := []string{"curl -sS -X", driver.ShellQuote(r.Method, url)}
	if strings.ContainsAny(url, "[]{}") { // curl would expand them to several addresses
		command[0] = "curl -gsS -X"
	}
	for _, name := range slices.Sorted(maps.Keys(r.Header)) {
		if c.shown[name] == "" || slices.Contains(r.Stated, name) {
			command = append(command, "-H", driver.ShellQuote(c.secrets.MaskText(name+": "+r.Header.Get(name))))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(c.shown)) {
		if !slices.Contains(r.Stated, name) {
			command = append(command, "-H", c.shown[name])
		}
	}
	if r.Body != nil {
		body, flag := c.secrets.MaskText(string(r.Body)), "--data-binary"
		if strings.HasPrefix(body, "@") { // curl would send a file
			flag = "--data-raw"
		}
		command = append(command, flag, driver.ShellQuote(body))
	}
	return strings.Join(command, " ")
}
