package plan

import (
	"fmt"
	"slices"

	"github.com/capconform/capconform/suites"
)

// Options select the trials.
type Options struct {
	Suites     []*suites.Suite
	Population Population
	// Names restricts the trials to the hosts and documents with these names; the references are
	// always examined. Empty: all.
	Names []string
	// Drivers are the ways to reach the hosts, from Drivers(). Empty: in process only.
	Drivers []string
	// Depth is the part of the population that is tried in addition to the trials in process with
	// fixtures, which always comprise all of it.
	Depth Depth
	// Relay is the command that connects its stdin and stdout to the address that is appended to
	// it (see trial.Relay). Without it, there are no trials over stdio.
	Relay []string
	// Golden permits every status but failed and error if a golden file decides: the golden files
	// will be written from the matrix (see matrix.Matrix.Observed).
	Golden bool
}

// Depth is the part of the population that is tried over a driver that is not in process (a
// wire), and in process without fixtures. The reference, the canary, the null hosts, and in
// process each variant are always tried.
type Depth int

// The depths.
const (
	// Spread tries each variant, and one mutant per section of the text, over one wire, in turn.
	// In process without fixtures it tries one mutant per requirement, and those that a golden
	// file lists. It judges the record of one mutant per requirement again.
	Spread  Depth = iota
	Sampled       // each variant, and one mutant per requirement, over each wire
	Full          // everything over each
)

// Check returns an error if the options name an unknown host, document or driver.
func (o Options) Check() error {
	known := o.Population.Names()
	for _, name := range o.Names {
		if !slices.Contains(known, name) {
			return fmt.Errorf("plan: no host or document is named %q", name)
		}
	}
	for _, name := range o.Drivers {
		if !slices.Contains(Drivers(), name) {
			return fmt.Errorf("plan: unknown driver %q", name)
		}
	}
	return nil
}

// Over returns the drivers over which hosts are tried.
func (o Options) Over() []string {
	if len(o.Drivers) == 0 {
		return []string{InProcess}
	}
	var drivers []string
	for _, name := range o.Drivers {
		if len(o.Relay) > 0 || name != OverStdio && name != MCPStdio {
			drivers = append(drivers, name)
		}
	}
	return drivers
}

// isSelected reports whether a name is selected.
func (o Options) isSelected(name string) bool {
	return len(o.Names) == 0 || slices.Contains(o.Names, name)
}
