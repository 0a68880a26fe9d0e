package suites

import (
	"context"
	"io"

	"github.com/capconform/capconform/suites/document"
	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/live"
)

// Subject is the subject that is examined, with the settings of the user.
type Subject struct {
	Name      string
	Version   string
	Driver    driver.Driver // nil for documents
	Documents []Document
	Unread    []string   // documents that a limit of the harness left unread, each as place and limit
	Older     []Document // the documents that Documents replace, for rules on upgrades
	Actors    []string   // the actors that the subject plays; if empty, those that the operations show
	Roles     map[string]map[string]live.Player
	Supports  map[string][]string // the features of the underlying system, such as skills: [resources]
	Invoke    live.InvokePolicy
	Admitted  []string // ids that --invoke names, in addition to those that "safe" admits
	Adapter   Adapter
	Restart   []string // a command that restarts the target; may be empty
	// RestartEnv is the environment of Restart. If it is nil, Restart inherits the environment of
	// the harness.
	RestartEnv []string
	// Restarter restarts a target that runs in this process. If it is nil, Restart is used.
	Restarter func(context.Context) error
	Limits    driver.Limits
	Deadlines driver.Deadlines
	Seed      int64
	Options   map[string]string // options of single suites, such as the mode of lint
	Known     []Package         // the packages that an index lists (ACP)
	// TestDoubles are the parties that the suites started before the target, by the name of the
	// suite: see Definition.StartTestDoubles.
	TestDoubles map[string]TestDoubles
}

// Package is a published capability package (ACP). Only CapURI is never empty.
type Package struct{ CapURI, Semver, CID, SHA256 string }

// Adapter states how a server of another protocol is adapted.
type Adapter struct {
	Mode    string // auto, adapter or operations
	Version string // version of every capability; if empty, the version of the server
}

// TestDoubles are the parties that a suite simulates for a subject.
type TestDoubles struct {
	Variables []string  // NAME=VALUE, for the environment of a child
	Closer    io.Closer // closes what was started; the caller of StartTestDoubles closes it
}

// Document is a parsed file under examination, with the positions of its values.
type Document = document.File
