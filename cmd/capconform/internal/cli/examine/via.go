package examine

import (
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"github.com/capconform/capconform/cmd/capconform/internal/cli/process"
	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/reports/console"
)

// examineWithGateways examines the subject directly and through each gateway, and reports what each gateway
// changes.
func examineWithGateways(a *process.App, c *cobra.Command, f *RunFlags, args []string, gateways []gateway) error {
	if err := f.checkPaths("--via"); err != nil {
		return err
	}
	kept := &process.PlacedFile{Path: f.changes, Reads: append(slices.Clone(args), f.baseline.file)}
	if f.changes != "" {
		if err := kept.Open(); err != nil {
			return process.Misuse("--changes: %v", err)
		}
		defer kept.Discard()
		a.BeforeEnd(kept.Discard)
	}
	if err := f.checkGateways(c, args, gateways); err != nil {
		return err
	}
	direct, err := examineTarget(a, c, f, args)
	exit, err := verdictOf(err)
	if err != nil {
		return err
	}
	exits := []reports.Exit{exit}
	var all []reports.Gateway
	for _, g := range gateways {
		part, err := f.gatewayFlags(g, direct)
		if err != nil {
			return err
		}
		one, err := examineGateway(a, c, part, args, direct)
		if err == nil {
			err = showGateway(a, f, one)
		}
		if err != nil {
			return fmt.Errorf("gateway %s: %w", g.name, err)
		}
		all, exits = append(all, one), append(exits, one.Exit())
	}
	if f.changes != "" {
		if err := kept.Place(reports.WriteGateways(kept.File, direct, all)); err != nil {
			return err
		}
	}
	return process.ExitError(reports.WorstExit(exits...))
}

// checkGateways reports an error in the URL of a gateway before anything is contacted.
func (f *RunFlags) checkGateways(c *cobra.Command, args []string, gateways []gateway) error {
	for _, g := range gateways {
		part := *f
		part.gateway, part.via = &g, nil // whether the target has a URL is checked with the direct run
		e, err := part.Prepare(c, args)
		if err != nil {
			return fmt.Errorf("--via %s: %w", g.name, err)
		}
		e.Close()
	}
	return nil
}

// examineGateway examines the subject with the flags of a run through a gateway, and compares the result with that of
// the direct run.
func examineGateway(a *process.App, c *cobra.Command, part *RunFlags, args []string,
	direct *reports.Report) (reports.Gateway, error) {
	e, err := part.Prepare(c, args)
	if err != nil {
		return reports.Gateway{}, err
	}
	defer e.Close()
	if _, err := verdictOf(examine(c.Context(), a, part, e)); err != nil {
		return reports.Gateway{}, err
	}
	return reports.NewGateway(part.gateway.name, direct, e.report), nil
}

// showGateway prints what a gateway changes.
func showGateway(a *process.App, f *RunFlags, one reports.Gateway) error {
	if f.quiet {
		return nil
	}
	options := console.Options{Color: f.useColour(a.Out, os.Getenv), Width: process.TerminalColumns(a.Out)}
	return console.WriteGateway(a.Out, one, options)
}

// verdictOf separates the exit status of a complete run from an error.
func verdictOf(err error) (reports.Exit, error) {
	var exit process.Outcome
	switch {
	case err == nil:
		return reports.ExitConformant, nil
	case errors.As(err, &exit):
		return reports.Exit(exit), nil
	default:
		return 0, err
	}
}
