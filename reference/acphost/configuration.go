package acphost

import (
	"net/url"
	"strings"
	"time"
)

// answerTimeout is the time that a tool or the model may take if acp.configure sets none.
const answerTimeout = 20 * time.Second

// maxBody limits the size of a response, in bytes.
const maxBody = 8 << 20

// Configuration contains the addresses of all services that the host calls. Addresses have no trailing
// slash. An empty address is not configured.
type Configuration struct {
	Gateway, Resolver, LLM, Registry string
	// Services maps service URIs and the DIDs of agents to endpoints.
	Services map[string]string
	// AnswerTimeout is the time that a tool or the model may take.
	AnswerTimeout time.Duration
}

// readConfiguration reads the params of acp.configure.
func readConfiguration(params object) (Configuration, error) {
	c := Configuration{Services: map[string]string{}, AnswerTimeout: answerTimeout}
	for name, into := range map[string]*string{"gateway": &c.Gateway, "resolver": &c.Resolver, "llm": &c.LLM,
		"registry": &c.Registry} {
		if params[name] == nil {
			continue
		}
		address, err := url.Parse(stringOf(params[name]))
		if err != nil || address.Scheme != "http" && address.Scheme != "https" || address.Host == "" {
			return c, refuse("%s is not an http or https URL", name)
		}
		*into = strings.TrimSuffix(address.String(), "/")
	}
	for uri, endpoint := range objectOf(params["services"]) {
		c.Services[uri] = stringOf(endpoint)
	}
	if milliseconds, given := integerOf(objectOf(params["timeouts"])["capability_ms"]); given && milliseconds > 0 {
		c.AnswerTimeout = time.Duration(milliseconds) * time.Millisecond
	}
	return c, nil
}
