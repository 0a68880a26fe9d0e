package cli

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/capconform/capconform/cmd/capconform/internal/cli/process"
	"github.com/capconform/capconform/cmd/capconform/internal/cli/requirements"
	"github.com/capconform/capconform/cmd/capconform/internal/cli/scope"
	"github.com/capconform/capconform/cmd/capconform/internal/nearest"
	"github.com/capconform/capconform/reference"
	"github.com/capconform/capconform/reference/chphost"
	"github.com/capconform/capconform/reference/population"
)

type serveFlags struct {
	suites     []string
	edition    string
	listen     string
	stdio      bool
	mcpStdio   bool
	mcpListen  string
	mutants    []string
	variant    string
	noFixtures bool
	key        string
	evidence   string
	state      string
}

const aboutServe = `Serve the reference host, which keeps every requirement, to try the suites or your own
client against it. With --mutant it breaks one requirement; with --variant it conforms in
another style.`

func serveCommand(a *process.App) *cobra.Command {
	f := &serveFlags{}
	c := &cobra.Command{
		Use:   "serve [flags]",
		Short: "Serve the reference host, a mutant, or a variant",
		Long:  aboutServe,
		Example: `  capconform serve --suite cap --listen 127.0.0.1:0
  capconform serve --suite chp --edition 0.2 --listen 127.0.0.1:0
  capconform serve --mutant cap-no-describe --stdio`,
		Args: process.NoArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			handler, err := f.editionHandler(c.Flags())
			if err != nil {
				return err
			}
			if handler != nil {
				return serveHTTP(c.Context(), a, f.listen, "http://%s\n", handler)
			}
			return serve(c.Context(), a, f)
		},
	}
	flags := c.Flags()
	flags.SortFlags = false
	flags.StringSliceVar(&f.suites, "suite", nil, "serve the protocol of `SUITE` (repeatable; without it, all)")
	scope.RegisterEdition(flags, &f.edition, "that of the name of the suite")
	flags.StringVar(&f.listen, "listen", "",
		"serve JSON-RPC over HTTP on `ADDR`; :0 picks a port; the URL is the first line of stdout")
	flags.StringVar(&f.mcpListen, "mcp-listen", "",
		"serve MCP over streamable HTTP on `ADDR`; the URL is the first line of stdout")
	flags.BoolVar(&f.stdio, "stdio", false, "serve JSON-RPC over stdin and stdout")
	flags.BoolVar(&f.mcpStdio, "mcp-stdio", false, "serve MCP over stdin and stdout")
	flags.StringArrayVar(&f.mutants, "mutant", nil,
		"break one requirement: `NAME` of capconform list mutants (repeatable)")
	flags.StringVar(&f.variant, "variant", "", "conform in another style: `NAME` of capconform list variants")
	flags.BoolVar(&f.noFixtures, "no-fixtures", false, "serve ordinary capabilities in place of the fixture profile")
	flags.StringVar(
		&f.key,
		"key",
		"",
		"require `KEY` in the header X-CHP-Key on every route over HTTP that is not public",
	)
	flags.StringVar(&f.evidence, "evidence", "", "keep the evidence of CHP in `FILE`, from one start to the next")
	flags.StringVar(&f.state, "state", "", "keep the state of ACP in `FILE`, from one start to the next")
	return c
}

// serve serves until ctx ends, which is not an error.
func serve(ctx context.Context, a *process.App, f *serveFlags) error {
	var journal *chphost.Journal
	if f.evidence != "" {
		var err error
		if journal, err = chphost.OpenJournal(f.evidence); err != nil {
			return process.Misuse("--evidence: %s", strings.TrimPrefix(err.Error(), "chphost: "))
		}
		defer func() { _ = journal.Close() }() // each event was written as it came
	}
	if err := f.stateFile(); err != nil {
		return err
	}
	host, err := f.host(journal)
	if err != nil {
		return err
	}
	defer func() { _ = host.Close() }() // each change was written as it came
	chosen := 0
	for _, on := range []bool{f.listen != "", f.mcpListen != "", f.stdio, f.mcpStdio} {
		if on {
			chosen++
		}
	}
	switch {
	case chosen == 0:
		return process.Misuse("serve: choose one of --listen ADDR, --stdio, --mcp-listen ADDR or --mcp-stdio")
	case chosen > 1:
		return process.Misuse("serve: --listen, --stdio, --mcp-listen and --mcp-stdio exclude each other")
	case f.key != "" && (f.stdio || f.mcpStdio):
		return process.Misuse("serve: --key is for HTTP: use it with --listen or --mcp-listen")
	case f.stdio:
		return reference.ServeStdio(ctx, a.In, a.Out, host.Handle)
	case f.mcpStdio:
		return reference.ServeMCP(ctx, io.NopCloser(a.In), keepOpen{a.Out}, host)
	case f.mcpListen != "":
		return serveHTTP(ctx, a, f.mcpListen, "mcp+http://%s/mcp\n", reference.MCPHandler(host, reference.MCPOptions{}))
	default:
		return serveHTTP(ctx, a, f.listen, "http://%s\n", host.HTTPHandler())
	}
}

// stateFile checks, before anything is served, that the state can be stored where --state says.
func (f *serveFlags) stateFile() error {
	if f.state == "" {
		return nil
	}
	if info, err := os.Stat(f.state); err == nil && !info.Mode().IsRegular() {
		return process.Misuse("--state: %s is not a regular file", f.state)
	}
	if info, err := os.Stat(filepath.Dir(f.state)); err != nil || !info.IsDir() {
		return process.Misuse("--state: %s cannot be written: the folder does not exist", f.state)
	}
	return nil
}

// host makes the host to be served.
func (f *serveFlags) host(journal *chphost.Journal) (*reference.Host, error) {
	if err := scope.OwnSuites("serve", f.suites); err != nil {
		return nil, err
	}
	options := reference.Options{
		Suites:     f.suites,
		NoFixtures: f.noFixtures,
		Key:        f.key,
		Evidence:   journal,
		State:      f.state,
	}
	switch {
	case len(f.mutants) > 0 && f.variant != "":
		return nil, process.Misuse("serve: --mutant and --variant exclude each other")
	case len(f.mutants) > 0:
		var breaks []func(*reference.Parts)
		for _, name := range f.mutants {
			m, ok := population.FindMutant(name)
			if !ok {
				return nil, unknownHost("mutant", name, requirements.ListMutants)
			}
			if err := f.serves(m.Suite, "--mutant "+m.Name); err != nil {
				return nil, err
			}
			breaks = append(breaks, m.Apply)
		}
		options.Alter = func(parts *reference.Parts) {
			for _, apply := range breaks {
				apply(parts)
			}
		}
	case f.variant != "":
		v, ok := population.FindVariant(f.variant)
		if !ok {
			return nil, unknownHost("variant", f.variant, requirements.ListVariants)
		}
		options.Alter = v.Apply
		if err := f.serves(v.Suite, "--variant "+v.Name); err != nil {
			return nil, err
		}
	}
	return reference.New(options)
}

// serves refuses a host of a suite that is not served: it would not differ from the reference.
func (f *serveFlags) serves(suite, what string) error {
	if len(f.suites) > 0 && !slices.Contains(f.suites, suite) {
		return process.Misuse(
			"serve: %s belongs to %s, but --suite names only %s",
			what,
			suite,
			strings.Join(f.suites, ", "),
		)
	}
	return nil
}

// unknownHost proposes the mutant or variant that was probably meant.
func unknownHost(kind, name string, list func([]string) (process.Table, error)) error {
	all, err := list(nil)
	if err != nil {
		return err
	}
	var names []string
	for _, row := range all.Rows {
		names = append(names, row[0])
	}
	return process.Misuse(
		"--%s: unknown %s %q%s (capconform list %ss shows all)",
		kind,
		kind,
		name,
		nearest.Hint(name, names),
		kind,
	)
}

func serveHTTP(ctx context.Context, a *process.App, address, form string, handler http.Handler) error {
	listener, err := reference.Listen(ctx, address)
	if err != nil {
		return process.Misuse("serve: %s", strings.TrimPrefix(err.Error(), "reference: "))
	}
	if _, err := fmt.Fprintf(a.Out, form, listener.Addr()); err != nil {
		_ = listener.Close()
		return err
	}
	return reference.ServeHTTP(ctx, listener, handler)
}

// keepOpen keeps stdout from being closed.
type keepOpen struct{ io.Writer }

// Close implements io.Closer.
func (keepOpen) Close() error { return nil }
