package examine

import (
	"context"
	"errors"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/capconform/capconform/cmd/capconform/internal/cli/process"
	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/driver/mcpdriver"
)

// approach prepares an examination of a target. If no suite is spoken at a URL, it tries the base URL
// if the URL ends with the path of one operation, and refuses the URL if that of an MCP server was meant.
func (f *RunFlags) approach(c *cobra.Command, args []string) (*Examination, error) {
	e, err := f.Prepare(c, args)
	if err != nil || len(args) != 1 || c.ArgsLenAtDash() >= 0 {
		return e, err
	}
	if !isWebAddress(args[0]) || f.Driver == "mcp" {
		return e, nil
	}
	base := baseOf(args[0], e.Suites)
	if f.speaks(c.Context(), e, base == "") {
		return e, nil
	}
	if err := f.refuseMCP(c, args[0]); err != nil {
		e.Close()
		return nil, err
	}
	if base == "" {
		return e, nil
	}
	other, err := f.Prepare(c, []string{base})
	if err != nil {
		return e, nil // the target that was named is examined
	}
	if !f.speaks(c.Context(), other, false) {
		other.Close()
		return e, nil
	}
	e.Close()
	c.PrintErrf("capconform: no suite is spoken at %s; the base URL %s is examined instead\n",
		driver.MaskAddresses(args[0]), driver.MaskAddresses(base))
	return other, nil
}

// baseOf returns a URL without the path of an operation at its end, "" if there is none.
func baseOf(address string, all []*suites.Suite) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	paths := []string{"/rpc"}
	for _, s := range all {
		for _, route := range s.Routes {
			paths = append(paths, route.Path)
		}
	}
	trimmed := strings.TrimSuffix(u.Path, "/")
	i := slices.IndexFunc(paths, func(path string) bool {
		return !strings.Contains(path, "{") &&
			strings.HasSuffix(trimmed, path)
	})
	if i < 0 {
		return ""
	}
	u.Path, u.RawPath = strings.TrimSuffix(trimmed, paths[i]), ""
	return u.String()
}

// brieflyAtMost bounds how long a target is asked whether it is an MCP server.
const brieflyAtMost = time.Second

// speaks reports whether a target speaks one of the suites. A target that cannot be asked, or not briefly
// if this is enough, counts as speaking: the run then reports the error.
func (f *RunFlags) speaks(ctx context.Context, e *Examination, briefly bool) bool {
	options, subject := e.Options, *e.Subject
	options.Explicit = false
	err := patient(ctx, f.Wait, nil, func() error {
		ctx, cancel := ctx, func() {}
		if briefly {
			ctx, cancel = context.WithTimeout(ctx, brieflyAtMost)
		}
		defer cancel()
		_, _, err := suites.Inspect(ctx, e.Suites, &subject, options)
		return err
	})
	return !errors.Is(err, suites.ErrNotSpoken)
}

// isWebAddress reports whether a target is a URL without a driver in its scheme.
func isWebAddress(target string) bool {
	u, err := url.Parse(target)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https")
}

// refuseMCP returns an error that names the right target if the server at a URL answers the handshake of
// MCP. Judged by the binding of JSON-RPC, such a server would be accused of everything.
func (f *RunFlags) refuseMCP(c *cobra.Command, address string) error {
	if f.Driver != "" && f.Driver != "auto" {
		return nil
	}
	other, err := f.Prepare(c, []string{"mcp+" + address})
	if err != nil {
		return nil // the target that was named is examined
	}
	defer other.Close()
	shown := driver.MaskAddresses(address)
	ctx, cancel := context.WithTimeout(c.Context(), brieflyAtMost)
	defer cancel()
	session, err := other.Subject.Driver.Open(ctx)
	switch {
	case errors.Is(err, mcpdriver.ErrOldTransport):
		return process.Misuse("%s: %s: %v", c.Name(), shown, mcpdriver.ErrOldTransport)
	case err != nil:
		return nil
	}
	_ = session.Close() // it shows nothing more
	return process.Misuse("%s: %s is an MCP server over streamable HTTP; the target is mcp+%s", c.Name(), shown, shown)
}
