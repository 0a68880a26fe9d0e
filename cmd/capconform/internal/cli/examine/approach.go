package examine

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/capconform/capconform/cmd/capconform/internal/cli/access"
	"github.com/capconform/capconform/cmd/capconform/internal/cli/process"
	"github.com/capconform/capconform/cmd/capconform/internal/target"
	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/driver/mcpdriver"
)

// unspoken finds out what else is at a URL where nothing shows that the target speaks a suite.
type unspoken struct {
	command *cobra.Command
	flags   *RunFlags
	to      *access.Target
	suites  []*suites.Suite
}

// ask implements suites.Options.Unspoken. Its error proposes another target, or is a *moved.
func (u unspoken) ask(ctx context.Context) (note string, err error) {
	if note, err = u.mcp(ctx); note != "" || err != nil {
		return note, err
	}
	return "", u.base(ctx)
}

// briefTimeout bounds how long a target is asked whether it is an MCP server.
const briefTimeout = time.Second

// mcp returns an error that names the right target if an MCP server is at the URL. Judged by the binding of JSON-RPC,
// such a server would be accused of everything. If the user chose that binding, the error is only a note.
func (u unspoken) mcp(ctx context.Context) (note string, err error) {
	carries, err := u.to.WithDriver("mcp").Open()
	if err != nil {
		return "", nil // the target that was named is examined
	}
	ctx, cancel := context.WithTimeout(ctx, briefTimeout)
	defer cancel()
	session, err := carries.Open(ctx)
	if err == nil {
		_ = session.Close() // it shows nothing more
	}
	outdated, shown := errors.Is(err, mcpdriver.ErrOldTransport), driver.MaskAddresses(u.to.URL)
	switch {
	case err != nil && !outdated:
		return "", nil
	case u.to.ByChoice() && outdated:
		return mcpdriver.ErrOldTransport.Error(), nil
	case u.to.ByChoice():
		return "the URL answers as an MCP server over streamable HTTP; --driver mcp examines it as one", nil
	case outdated:
		return "", process.Misuse("%s: %s: %v", u.command.Name(), shown, mcpdriver.ErrOldTransport)
	case u.to.File.Path != "":
		return "", process.Misuse("%s: %s: %s is an MCP server over streamable HTTP; add driver: mcp", u.command.Name(),
			u.to.File.Path, shown)
	}
	return "", process.Misuse("%s: %s is an MCP server over streamable HTTP; the target is mcp+%s", u.command.Name(), shown,
		shown)
}

// moved ends an examination because another one is the right one: of the base URL, or by another suite.
type moved struct {
	why string
	to  *Examination
}

// Error states what is examined instead.
func (m *moved) Error() string { return m.why }

// serverSuite examines MCP servers.
const serverSuite = "mcp"

// asServer returns a *moved to an examination of the same target as an MCP server.
func (f *RunFlags) asServer(c *cobra.Command, args []string) error {
	named := *f
	named.Suites = []string{serverSuite}
	other, err := named.Prepare(c, args)
	if err != nil {
		return err
	}
	return &moved{"the target is an MCP server and is examined as one; " +
		"--suite cap examines it as a source of capabilities", other}
}

// asSource reports whether a target file describes an MCP server as a source of capabilities.
func asSource(file *target.File) bool {
	return len(file.Roles) > 0 || file.MCP.Mode != "" && file.MCP.Mode != "auto"
}

// followed returns the examination that an error refers to, and tells the user about it.
func followed(c *cobra.Command, err error) (*Examination, bool) {
	m, is := errors.AsType[*moved](err)
	if !is {
		return nil, false
	}
	c.PrintErrf("capconform: %v\n", m)
	return m.to, true
}

// base returns a *moved if the URL ends with the path of one operation, and its base URL speaks a suite.
func (u unspoken) base(ctx context.Context) error {
	base := baseOf(u.to.URL, u.suites)
	if base == "" || u.to.File.Path != "" { // a target file is taken at its word
		return nil
	}
	other, err := u.flags.Prepare(u.command, []string{base})
	if err != nil {
		return nil // the target that was named is examined
	}
	other.Options.Unspoken = nil
	options, subject := other.Options, *other.Subject
	options.Explicit = false
	if _, _, err := suites.Inspect(ctx, other.Suites, &subject, options); errors.Is(err, suites.ErrNotSpoken) {
		other.Close()
		return nil
	}
	return &moved{fmt.Sprintf("no suite is spoken at %s; the base URL %s is examined instead",
		driver.MaskAddresses(u.to.URL), driver.MaskAddresses(base)), other}
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
