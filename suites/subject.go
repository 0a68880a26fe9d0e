package suites

import (
	"context"

	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/live"
)

// Subject is who is examined, and what we are told about it.
type Subject struct {
	Name      string
	Version   string
	Driver    driver.Driver // nil for documents
	Documents []Document
	Unread    []string   // documents that a limit of ours left unread, each as place and limit
	Older     []Document // what documents are said to replace, for rules on upgrades
	Actors    []string   // actors played, empty: what the operations show
	Roles     map[string]map[string]live.Player
	Supports  map[string][]string // what the underlying system has, such as skills: [resources]
	Invoke    live.InvokePolicy
	Admitted  []string // ids that --invoke names, beside what safe admits
	Adapter   Adapter
	Restart   []string // a command that restarts the target, empty: none
	// RestartEnv is the environment of Restart; nil means ours.
	RestartEnv []string
	// Restarter restarts a target that lives in this process; nil: Restart does.
	Restarter func(context.Context) error
	Limits    driver.Limits
	Deadlines driver.Deadlines
	Seed      int64
	Options   map[string]string // of one suite's own, such as the mode of lint
	Known     []Package         // what an index is known to list (ACP)
	// Surroundings are what a suite started before the target, by the suite's name:
	// see Definition.Surround.
	Surroundings map[string]Surroundings
}

// Package is a published capability package (ACP). Only CapURI is never empty.
type Package struct{ CapURI, Semver, CID, SHA256 string }

// Adapter is how a plain server of another protocol is taken.
type Adapter struct {
	Mode    string // auto, adapter, operations
	Version string // of every capability; empty: the server's own
}
