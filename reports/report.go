package reports

import (
	"fmt"
	"strings"
	"time"
)

// SchemaVersion and Kind identify the document.
const (
	SchemaVersion = "1.0"
	Kind          = "ConformanceReport"
)

// Report is the one document that a run writes (schemas/report); every other
// format is derived from it. Member names are snake case and relied on from
// outside (DESIGN section 11).
type Report struct {
	SchemaVersion string   `json:"schema_version"`
	Kind          string   `json:"kind"`
	Verdict       Verdict  `json:"verdict"`
	Harness       Harness  `json:"harness"`
	Subject       Subject  `json:"subject"`
	Run           Run      `json:"run"`
	NotSpoken     []string `json:"not_spoken"` // suites that the target does not speak
	Suites        []Suite  `json:"suites"`
	Notes         []string `json:"notes,omitempty"` // what a reader must know: capabilities left out, oddities on the wire
	Digest        string   `json:"-"`               // SHA-256 of the document that it was read from, in hex
}

// Harness identifies the tool, its catalogues and its features.
type Harness struct {
	Name            string `json:"name"`
	Version         string `json:"version"`
	Commit          string `json:"commit"`
	CatalogueDigest string `json:"catalogue_digest"`
	FeaturesDigest  string `json:"features_digest"`
}

// Subject is who was examined.
type Subject struct {
	Name    string `json:"name"`
	Version string `json:"version"`
	Driver  string `json:"driver"` // inproc, http, mcp, stdio, or documents
	Target  string `json:"target"`
	// What the target file says of the subject, and nobody checked.
	Organisation string `json:"organisation,omitempty"`
	URL          string `json:"url,omitempty"`
	Contact      string `json:"contact,omitempty"`
	// TargetFileDigest is the SHA-256 of the target file, in hex; empty without one.
	TargetFileDigest string `json:"target_file_digest,omitempty"`
}

// Run is how and when.
type Run struct {
	ID          string    `json:"id"`
	StartedAt   time.Time `json:"started_at"`
	DurationMS  int64     `json:"duration_ms"`
	Seed        int64     `json:"seed"`
	Command     string    `json:"command"` // shell-quoted, secrets by reference
	Options     []string  `json:"options"` // what was given beside the target
	Partial     bool      `json:"partial"` // a selection of the requirements, or stopped early by --fail-fast
	Interrupted bool      `json:"interrupted"`
	Strict      bool      `json:"strict,omitempty"`  // a failed SHOULD counts as failed
	Stopped     *Stop     `json:"stopped,omitempty"` // set where the run as a whole could not go on

	// RecordDigest is the SHA-256 of the record of the run, in hex; empty without one.
	RecordDigest string `json:"record_digest,omitempty"`

	Shard    *Shard       `json:"shard,omitempty"`    // set where this is one of several parts
	Parts    []Part       `json:"parts,omitempty"`    // set where this was merged, in the order of their indices
	Baseline *BaselineUse `json:"baseline,omitempty"` // set where known failures were given
}

// Shard is one of several parts of a run, by requirement.
type Shard struct {
	Index int `json:"index"` // from 1
	Count int `json:"count"`
}

// Part is one of the reports that a merged report was made of.
type Part struct {
	Index  int    `json:"index"` // from 1
	RunID  string `json:"run_id"`
	Target string `json:"target"`
	SHA256 string `json:"sha256"` // of the document of the part
}

// BaselineUse says which known failures a run was given. They change the exit
// status, and no verdict.
type BaselineUse struct {
	SHA256    string   `json:"sha256"`    // of the file
	Tolerated []string `json:"tolerated"` // requirements that failed as it says
}

// Stop says why a run could not go on, such as a target that can't be reached.
// What goes wrong inside one scenario stands there (Scenario.Fault).
type Stop struct {
	Fault  Fault  `json:"fault"`
	Reason string `json:"reason"` // one line
}

// Suite is the outcome of one suite.
type Suite struct {
	Suite       string   `json:"suite"`
	SpecVersion string   `json:"spec_version"`
	Edition     string   `json:"edition"`            // of the text
	Actors      []string `json:"actors"`             // that were examined
	LeftOut     []string `json:"left_out,omitempty"` // actors that the subject shows and the target file leaves out
	// versions that the subject says it speaks, the preferred one first
	Declared     []string      `json:"declared"`
	Verdict      Verdict       `json:"verdict"`
	Binding      string        `json:"binding"`
	Negotiated   string        `json:"negotiated"`
	Mappings     []Mapping     `json:"mappings"`
	Invoked      []Invoked     `json:"invoked,omitempty"`     // how often each capability was called, by id
	NotInvoked   []NotInvoked  `json:"not_invoked,omitempty"` // what is listed and was never called, by id
	Counts       Counts        `json:"counts"`
	Plan         Plan          `json:"plan"`
	Requirements []Requirement `json:"requirements"` // in catalogue order
	RootCauses   []RootCause   `json:"root_causes"`
}

// Invoked says how often a capability was called. The entry without one counts the calls
// of references that the subject does not list.
type Invoked struct {
	Capability string `json:"capability"`
	Calls      int    `json:"calls"`
	Copies     int    `json:"copies,omitempty"` // calls of copies of it that the harness registered, which run its code
}

// NotInvoked is a capability that was not called.
type NotInvoked struct {
	Capability string `json:"capability"`
	Reason     string `json:"reason"`         // why the policy excludes it; empty: nothing needed it
	Flag       string `json:"flag,omitempty"` // that admits it
}

// Mapping is one operation whose wire the target file maps.
type Mapping struct {
	Operation string `json:"operation"`
	Request   string `json:"request"`  // method and path
	Response  string `json:"response"` // jq
}

// Counts are the numbers of requirements by level class and status.
type Counts struct {
	Must   Count `json:"must"`
	Should Count `json:"should"`
	May    Count `json:"may"`
}

// Count is one row of Counts. NotObserved counts some of NotApplicable.
type Count struct {
	Passed        int `json:"passed"`
	Provided      int `json:"provided"`
	Failed        int `json:"failed"`
	Inconclusive  int `json:"inconclusive"`
	NotApplicable int `json:"not_applicable"`
	NotObserved   int `json:"not_observed"`
	Error         int `json:"error"`
	Excluded      int `json:"excluded"`
}

// Plan is how many scenarios were to run, and how many did.
type Plan struct {
	Planned  int `json:"planned"`
	Executed int `json:"executed"`
}

// Requirement is the outcome of one requirement.
type Requirement struct {
	ID        string     `json:"id"`
	Level     string     `json:"level"`
	Section   string     `json:"section"`
	Summary   string     `json:"summary"`
	Status    Status     `json:"status"`
	Reason    string     `json:"reason"` // why it is not passed; empty where it is
	Scenarios []Scenario `json:"scenarios"`
	Known     bool       `json:"-"` // the baseline of the run tolerates that it is not kept; follows from Run.Baseline
}

// Scenario is the outcome of one scenario.
type Scenario struct {
	Name       string   `json:"name"`
	Status     Status   `json:"status"`
	Reason     string   `json:"reason,omitempty"`
	Fault      Fault    `json:"fault,omitempty"` // where the status is error: whose fault
	DurationMS int64    `json:"duration_ms"`
	Failure    *Failure `json:"failure,omitempty"` // set where the status is failed or error
	Remarks    []Remark `json:"remarks,omitempty"` // what breaks nothing and is still worth a look, whatever the status
}

// Failure explains. Message holds no generated value (id, time, port); Want and Got may.
type Failure struct {
	Message   string        `json:"message"`
	Want      string        `json:"want"`
	Got       string        `json:"got"`
	Hint      string        `json:"hint,omitempty"`
	Step      string        `json:"step,omitempty"` // the sentence of the feature that failed
	Findings  []Finding     `json:"findings,omitempty"`
	Kinds     []FailureKind `json:"kinds,omitempty"` // where several places were found: each kind, the worst first
	Exchanges []Exchange    `json:"exchanges"`
	Repeat    string        `json:"repeat"` // shell-quoted command that repeats just this
}

// FailureKind is one way in which a requirement was broken in a run.
type FailureKind struct {
	Message string `json:"message"`
	Count   int    `json:"count"` // of places
	Want    string `json:"want"`  // of one example
	Got     string `json:"got"`
}

// kindsAtMost bounds the kinds that Found names.
const kindsAtMost = 4

// Found tells in a line at how many places the requirement was broken, by kind. It is
// empty where one place was found.
func (f *Failure) Found() string {
	places := 0
	var named []string
	for i, k := range f.Kinds {
		places += k.Count
		if i < kindsAtMost {
			named = append(named, fmt.Sprintf("%s (%d)", k.Message, k.Count))
		}
	}
	switch more := len(f.Kinds) - kindsAtMost; {
	case places < 2:
		return ""
	case more > 0:
		named = append(named, fmt.Sprintf("%d more kinds", more))
	}
	return fmt.Sprintf("at %d places: %s", places, strings.Join(named, "; "))
}

// Finding is one place in a document that breaks the requirement.
type Finding struct {
	File    string `json:"file"`
	Line    int    `json:"line"`
	Column  int    `json:"column"`
	Message string `json:"message"`
	// EndLine and EndColumn are the place behind the last character; both are zero where it is not known.
	EndLine   int `json:"end_line,omitempty"`
	EndColumn int `json:"end_column,omitempty"`
	// Replacement is what to write there, where only one text can be meant; else empty.
	Replacement string `json:"replacement,omitempty"`
}

// Remark is a place in a document that the text leaves open and a reader should
// look at. It never changes a status.
type Remark struct {
	Finding
	Weight Weight `json:"weight"`
}

// Weight says how much a remark matters.
type Weight string

// The weights of remarks.
const (
	Warning Weight = "warning"
	Notice  Weight = "notice"
)

// Exchange is one call of the failing scenario.
type Exchange struct {
	Operation string  `json:"operation"`
	Sent      Payload `json:"sent"`
	Received  Payload `json:"received"`
	AtMS      int64   `json:"at_ms"` // since the run began; 0 if unknown, as in a record that is judged again
	// Params are those of the operation, whatever the wire made of them; nil where
	// what was sent had no form.
	Params *Payload `json:"params,omitempty"`
	Repeat string   `json:"repeat,omitempty"` // a shell command that sends just this again, secrets by reference
}

// RootCause groups requirements whose failures have the same message.
type RootCause struct {
	Message      string   `json:"message"`
	Requirements []string `json:"requirements"`
}
