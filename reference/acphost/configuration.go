package acphost

import (
	"net/url"
	"strings"
	"time"
)

// answerTimeout is how long a tool or the model may take if nothing else is configured.
const answerTimeout = 20 * time.Second

// maxBody is the maximum size of a response that is read.
const maxBody = 8 << 20

// Configuration has the address of everything that the host calls. Addresses have
// no trailing slash; empty ones are not configured.
type Configuration struct {
	Gateway, Resolver, LLM, Registry string
	// Services are the endpoints of service URIs and agents.
	Services map[string]string
	// Patience is how long a tool or the model may take.
	Patience time.Duration
}

// readConfiguration reads the params of acp.configure.
func readConfiguration(params object) (Configuration, error) {
	c := Configuration{Services: map[string]string{}, Patience: answerTimeout}
	for name, into := range map[string]*string{"gateway": &c.Gateway, "resolver": &c.Resolver, "llm": &c.LLM,
		"registry": &c.Registry} {
		if params[name] == nil {
			continue
		}
		address, err := url.Parse(word(params[name]))
		if err != nil || address.Scheme != "http" && address.Scheme != "https" || address.Host == "" {
			return c, refuse("%s is not an http or https URL", name)
		}
		*into = strings.TrimSuffix(address.String(), "/")
	}
	for uri, endpoint := range members(params["services"]) {
		c.Services[uri] = word(endpoint)
	}
	if milliseconds, given := whole(members(params["timeouts"])["capability_ms"]); given && milliseconds > 0 {
		c.Patience = time.Duration(milliseconds) * time.Millisecond
	}
	return c, nil
}
