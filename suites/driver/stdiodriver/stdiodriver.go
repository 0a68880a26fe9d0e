// Package stdiodriver reaches a target that is started as a child, by JSON-RPC 2.0 over its stdin
// and stdout, one message per line (DESIGN section 9).
package stdiodriver

import (
	"context"
	"strings"

	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/driver/jsonrpc"
)

// Config describes what to start and how.
type Config struct {
	Command       []string          // the program and its arguments
	Dir           string            // working directory; empty: that of this process
	Env           []string          // NAME=value pairs in addition to the ordinary ones
	Pass          []string          // names of variables to pass on; "all": every variable
	SecretSources map[string]string // for names in Env: the value in a shell command, such as "$KEY"; masked
	Secrets       driver.Secrets    // other texts that must not appear
	Limits        driver.Limits
	Deadlines     driver.Deadlines
}

// New returns a driver for the command. Nothing is started before Open.
func New(config Config) driver.Driver { return &command{config: config} }

type command struct{ config Config }

// Target implements driver.Driver.
func (c *command) Target() driver.Target {
	return driver.Target{Driver: "stdio", Address: c.config.Address()}
}

// Open implements driver.Driver. There is no handshake: the session is open when the child has
// started.
func (c *command) Open(ctx context.Context) (driver.Session, error) {
	peer, err := Start(ctx, c.config, Wire{})
	if err != nil {
		return nil, err
	}
	return NewSession(peer, ""), nil
}

// NewSession returns a session with a running child, which it owns. The session sends no
// notifications, also if the child was started for a protocol that has some. The handshake is that of driver.Info.
func NewSession(peer *Peer, handshake string) driver.Session {
	peer.wire.Abandoned = nil
	return &session{peer: peer, handshake: handshake}
}

type session struct {
	peer      *Peer
	handshake string
}

// Call implements driver.Session.
func (s *session) Call(ctx context.Context, op driver.Operation) (driver.Answer, error) {
	answer, err := s.peer.carry(ctx, op)
	if err != nil {
		return answer, err
	}
	return jsonrpc.Within(s.peer.Limits(), op, answer)
}

// Info implements driver.Session.
func (s *session) Info() driver.Info {
	return driver.Info{Binding: "JSON-RPC 2.0 over stdio", Protocol: "json-rpc", Handshake: s.handshake, Messages: true,
		Hears: true,
		Noise: s.peer.Noise(), Warnings: s.peer.Warnings()}
}

// Alive reports whether the child can still be called.
func (s *session) Alive() bool { return s.peer.Alive() }

// Close implements driver.Session.
func (s *session) Close() error { return s.peer.Close() }

// Address returns the command line for a shell, secrets masked.
func (c Config) Address() string {
	words, _ := driver.MaskWords(c.Command)
	return driver.ShellQuote(c.secrets().MaskTexts(words...)...)
}

// secrets returns the given secrets and the values of the environment that come from a source.
func (c Config) secrets() driver.Secrets {
	var values []string
	for _, pair := range c.Env {
		name, value, _ := strings.Cut(pair, "=")
		if c.SecretSources[name] != "" {
			values = append(values, value)
		}
	}
	_, words := driver.MaskWords(c.Command)
	return c.Secrets.With(values...).With(words...)
}

// shell returns the command with its environment, secrets by reference.
func (c Config) shell() string {
	var words []string
	for _, pair := range c.Env {
		name, value, _ := strings.Cut(pair, "=")
		if source := c.SecretSources[name]; source != "" {
			words = append(words, name+`="`+source+`"`)
			continue
		}
		words = append(words, name+"="+driver.ShellQuote(c.Secrets.MaskText(value)))
	}
	return strings.Join(append(words, c.Address()), " ")
}
