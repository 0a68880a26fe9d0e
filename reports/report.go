package reports

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// SchemaVersion and Kind identify the document.
const (
	SchemaVersion = "1.0"
	Kind          = "ConformanceReport"
)

// Report is the only document that a run writes (schemas/report). All other formats are derived
// from it. The member names are snake case and a public interface (DESIGN section 11).
type Report struct {
	SchemaVersion string   `json:"schema_version"`  // the constant SchemaVersion
	Kind          string   `json:"kind"`            // the constant Kind
	Verdict       Verdict  `json:"verdict"`         // of all suites together
	Harness       Harness  `json:"harness"`         // the program that examined
	Subject       Subject  `json:"subject"`         // the subject that was examined
	Run           Run      `json:"run"`             // how and when
	NotSpoken     []string `json:"not_spoken"`      // suites that the target does not speak
	Suites        []Suite  `json:"suites"`          // that were examined
	Notes         []string `json:"notes,omitempty"` // for the reader, such as capabilities that were not invoked
	Digest        string   `json:"-"`               // SHA-256 of the document that it was read from, in hex
}

// Harness identifies the program, its catalogues and its features.
type Harness struct {
	Name            string `json:"name"`             // capconform
	Version         string `json:"version"`          // such as v0.1.0; "devel" for a build without one
	Commit          string `json:"commit"`           // of the build, in hex; empty if unknown
	CatalogueDigest string `json:"catalogue_digest"` // SHA-256 of the catalogues of the suites, in hex
	FeaturesDigest  string `json:"features_digest"`  // SHA-256 of their features, in hex
}

// shortVersion bounds Short.
const shortVersion = 16

// Short returns the version, cut if it is that of a build between releases.
func (h Harness) Short() string {
	if runes := []rune(h.Version); len(runes) > shortVersion {
		return string(runes[:shortVersion-1]) + "…"
	}
	return h.Version
}

// Subject identifies what was examined.
type Subject struct {
	Name    string `json:"name"`    // from the subject, the target file or --name
	Version string `json:"version"` // empty if unknown
	Driver  string `json:"driver"`  // inproc, http, mcp, stdio, or documents
	Target  string `json:"target"`  // address, command or paths, secrets masked
	// The next three are from the target file and were not verified.
	Organisation string `json:"organisation,omitempty"`
	URL          string `json:"url,omitempty"`     // of a description of the subject
	Contact      string `json:"contact,omitempty"` // for questions
	// TargetFileDigest is the SHA-256 of the target file, in hex; empty without one.
	TargetFileDigest string `json:"target_file_digest,omitempty"`
}

// Run describes how and when the subject was examined.
type Run struct {
	ID          string    `json:"id"`                // a UUID
	StartedAt   time.Time `json:"started_at"`        // in UTC
	DurationMS  int64     `json:"duration_ms"`       // in milliseconds
	Seed        int64     `json:"seed"`              // of the inputs that the harness generates
	Command     string    `json:"command"`           // shell-quoted, secrets by reference
	Options     []string  `json:"options"`           // the arguments in addition to the target
	Partial     bool      `json:"partial"`           // a selection of the requirements, or stopped early by --fail-fast
	Interrupted bool      `json:"interrupted"`       // it ended before its plan was complete
	Strict      bool      `json:"strict,omitempty"`  // a failed SHOULD counts as failed
	Stopped     *Stop     `json:"stopped,omitempty"` // set if the run as a whole could not continue

	Health *Health `json:"health,omitempty"` // nil for documents and records

	// RecordDigest is the SHA-256 of the record of the run, in hex; empty without one.
	RecordDigest string `json:"record_digest,omitempty"`

	Shard    *Shard       `json:"shard,omitempty"`    // set if this is one of several parts
	Parts    []Part       `json:"parts,omitempty"`    // set if this was merged, in the order of their indices
	Baseline *BaselineUse `json:"baseline,omitempty"` // set if known failures were given
}

// Shard is one of several parts of a run, divided by requirement.
type Shard struct {
	Index int `json:"index"` // from 1
	Count int `json:"count"` // how many there are
}

// Part is one of the reports from which a merged report was made.
type Part struct {
	Index  int    `json:"index"`  // from 1
	RunID  string `json:"run_id"` // Run.ID of the part
	Target string `json:"target"` // Subject.Target of the part
	SHA256 string `json:"sha256"` // of the document of the part
}

// BaselineUse identifies the known failures that were given to a run. They change the exit status,
// and no verdict.
type BaselineUse struct {
	SHA256    string   `json:"sha256"`    // of the file
	Tolerated []string `json:"tolerated"` // requirements that failed with the messages of the file
}

// Stop is the reason why a run could not continue, such as an unreachable target. A problem in one
// scenario is in Scenario.Fault.
type Stop struct {
	Fault  Fault  `json:"fault"`  // whose fault
	Reason string `json:"reason"` // one line
}

// Suite is the result of one suite.
type Suite struct {
	Suite       string `json:"suite"`        // cap, chp, acp or acd
	SpecVersion string `json:"spec_version"` // of the text
	Edition     string `json:"edition"`      // of the text
	// TextDigest is the SHA-256, in hexadecimal, of the folder of a text of one's own; empty for the suites of capconform.
	TextDigest string   `json:"text_digest,omitempty"`
	Actors     []string `json:"actors"`             // that were examined
	LeftOut    []string `json:"left_out,omitempty"` // that the subject shows and the target file omits
	// Declared are the versions that the subject declares, the preferred one first.
	Declared     []string      `json:"declared"`
	Verdict      Verdict       `json:"verdict"`               // only for the actors and the edition
	Binding      string        `json:"binding"`               // how operations are transported, in words
	Negotiated   string        `json:"negotiated"`            // revision of the wire; empty if it has none
	Mappings     []Mapping     `json:"mappings"`              // by operation; empty without a target file that maps any
	Invoked      []Invoked     `json:"invoked,omitempty"`     // how often each capability was called, by id
	NotInvoked   []NotInvoked  `json:"not_invoked,omitempty"` // listed capabilities that were never called, by id
	Counts       Counts        `json:"counts"`                // of Requirements
	Plan         Plan          `json:"plan"`                  // of their scenarios
	Requirements []Requirement `json:"requirements"`          // in catalogue order
	RootCauses   []RootCause   `json:"root_causes"`           // the causes with the most requirements come first
}

// Invoked is the number of calls of a capability. The entry without a capability counts the calls
// of references that the subject does not list.
type Invoked struct {
	Capability string `json:"capability"`       // its id
	Calls      int    `json:"calls"`            // of the capability itself
	Copies     int    `json:"copies,omitempty"` // of copies that the harness registered: they run its code
}

// NotInvoked is a listed capability that was not called.
type NotInvoked struct {
	Capability string `json:"capability"`     // its id
	Reason     string `json:"reason"`         // why the policy excludes it; empty: nothing needed it
	Flag       string `json:"flag,omitempty"` // the flag that admits it
}

// Mapping is one operation that the target file maps.
type Mapping struct {
	Operation string `json:"operation"` // as the protocol names it
	Request   string `json:"request"`   // method and path
	Response  string `json:"response"`  // jq
}

// Counts are the numbers of requirements by level class and status.
type Counts struct {
	Must   Count `json:"must"`   // MUST, MUST NOT and DECLARED
	Should Count `json:"should"` // SHOULD and SHOULD NOT
	May    Count `json:"may"`    // MAY and ADVICE
}

// Count is one row of Counts. NotObserved counts some of NotApplicable.
type Count struct {
	Passed        int `json:"passed"`         // the requirement is met
	Provided      int `json:"provided"`       // met by an adapter or a mapping, not by the target
	Failed        int `json:"failed"`         // the requirement is broken
	Inconclusive  int `json:"inconclusive"`   // the observations decide nothing
	NotApplicable int `json:"not_applicable"` // the text requires nothing of this subject
	NotObserved   int `json:"not_observed"`   // some of these: the event did not occur
	Error         int `json:"error"`          // the harness or its environment failed
	Excluded      int `json:"excluded"`       // it cannot be observed from outside
}

// Plan contains the numbers of planned and of executed scenarios.
type Plan struct {
	Planned  int `json:"planned"`  // scenarios that were planned
	Executed int `json:"executed"` // scenarios that ran
}

// Requirement is the result of one requirement.
type Requirement struct {
	ID        string     `json:"id"`             // of the catalogue, such as CHP-7-02
	Level     string     `json:"level"`          // MUST, MUST NOT, SHOULD, SHOULD NOT, MAY, DECLARED or ADVICE
	Section   string     `json:"section"`        // of the text
	Summary   string     `json:"summary"`        // in the words of the catalogue
	Status    Status     `json:"status"`         // the worst of its scenarios
	Reason    string     `json:"reason"`         // why it did not pass; empty if it passed
	Part      *Share     `json:"part,omitempty"` // of the capabilities, that a statement about each was judged on; nil: on all
	Scenarios []Scenario `json:"scenarios"`      // empty if none was selected
	Known     bool       `json:"-"`              // Run.Baseline tolerates its failure
}

// Share is how many of the listed capabilities were invoked.
type Share struct {
	Invoked int `json:"invoked"`
	Listed  int `json:"listed"`
}

// String returns the share in words, such as "6 of 8".
func (s Share) String() string { return fmt.Sprintf("%d of %d", s.Invoked, s.Listed) }

// Scenario is the result of one scenario.
type Scenario struct {
	Name       string   `json:"name"`              // from the feature
	Status     Status   `json:"status"`            // of this scenario alone
	Reason     string   `json:"reason,omitempty"`  // one line, why it did not pass
	Fault      Fault    `json:"fault,omitempty"`   // the origin of an error
	DurationMS int64    `json:"duration_ms"`       // in milliseconds
	Failure    *Failure `json:"failure,omitempty"` // set if the status is failed or error
	Remarks    []Remark `json:"remarks,omitempty"` // places that break nothing but that a reader should check
}

// Failure explains a failure. Message contains no generated value (id, time, port); Want and Got
// may contain some.
type Failure struct {
	Message   string        `json:"message"`            // what is wrong, in one line
	Want      string        `json:"want"`               // what the text requires
	Got       string        `json:"got"`                // what was observed instead
	Hint      string        `json:"hint,omitempty"`     // how to satisfy it
	Step      string        `json:"step,omitempty"`     // the sentence of the feature that failed
	Findings  []Finding     `json:"findings,omitempty"` // in documents
	Kinds     []FailureKind `json:"kinds,omitempty"`    // set if several places were found: each kind, the worst first
	Exchanges []Exchange    `json:"exchanges"`          // that prove it, in the order of the calls
	Repeat    string        `json:"repeat"`             // shell-quoted command that repeats only this
}

// FailureKind is one way in which a requirement was broken in a run.
type FailureKind struct {
	Message string `json:"message"` // as Failure.Message
	Count   int    `json:"count"`   // of places
	Want    string `json:"want"`    // of one example
	Got     string `json:"got"`     // of the same example
}

// maxKinds bounds the kinds that Found names.
const maxKinds = 4

// Found returns in one line at how many places the requirement was broken, and which they are or of which kinds. It is
// empty if one place was found.
func (f *Failure) Found() string {
	places := 0
	var named []string
	for i, k := range f.Kinds {
		places += k.Count
		if i < maxKinds {
			named = append(named, fmt.Sprintf("%s (%d)", k.Message, k.Count))
		}
	}
	more := len(f.Kinds) - maxKinds
	switch {
	case places < 2:
		return ""
	case len(f.Kinds) == 1 && f.Kinds[0].Message == f.Message: // the title of the failure says it
		if named, more = f.places(), 0; len(named) == 0 {
			return fmt.Sprintf("at %d places", places)
		}
		return fmt.Sprintf("at %d places, in %s", places, strings.Join(named, ", "))
	case more > 0:
		named = append(named, fmt.Sprintf("%d more kinds", more))
	}
	return fmt.Sprintf("at %d places: %s", places, strings.Join(named, "; "))
}

// placesNamed bounds the places that Found names.
const placesNamed = 5

// places names the places of a failure: those in documents, or else the operations whose exchanges prove it.
func (f *Failure) places() []string {
	var all []string
	for _, one := range f.Findings {
		all = append(all, fmt.Sprintf("%s:%d:%d", one.File, one.Line, one.Column))
	}
	for _, e := range f.Exchanges {
		if len(f.Findings) == 0 && !slices.Contains(all, e.Operation) {
			all = append(all, e.Operation)
		}
	}
	if len(all) > placesNamed {
		all = append(all[:placesNamed], fmt.Sprintf("%d more", len(all)-placesNamed))
	}
	return all
}

// Finding is one place in a document that breaks the requirement.
type Finding struct {
	File    string `json:"file"`    // its path as it was given
	Line    int    `json:"line"`    // from 1
	Column  int    `json:"column"`  // in characters, from 1
	Message string `json:"message"` // what is wrong there
	// EndLine and EndColumn are the place after the last character; both are 0 if it is unknown.
	EndLine   int `json:"end_line,omitempty"`
	EndColumn int `json:"end_column,omitempty"`
	// Replacement is the text to write there if only one is possible, otherwise empty.
	Replacement string `json:"replacement,omitempty"`
}

// Remark is a place in a document that the text permits and a reader should check. It never changes
// a status.
type Remark struct {
	Finding
	Weight Weight `json:"weight"` // warning or notice
}

// Weight is the importance of a remark.
type Weight string

// The weights of remarks.
const (
	Warning Weight = "warning"
	Notice  Weight = "notice"
)

// Exchange is one call of the failing scenario.
type Exchange struct {
	Operation string  `json:"operation"` // as the protocol names it
	Sent      Payload `json:"sent"`      // as it went over the wire, secrets masked
	Received  Payload `json:"received"`  // as it arrived; empty if nothing arrived
	AtMS      int64   `json:"at_ms"`     // since the run began; 0 if unknown, as in a record that is judged again
	// Params are the params of the operation, independent of their form on the wire. They are nil
	// if the request has no such form.
	Params *Payload `json:"params,omitempty"`
	Repeat string   `json:"repeat,omitempty"` // a shell command that sends only this again, secrets by reference
}

// RootCause groups requirements whose failures have the same message.
type RootCause struct {
	Message      string   `json:"message"`      // as Failure.Message
	Requirements []string `json:"requirements"` // their ids, in catalogue order
}

// TargetFile returns the path of the target file as the command of the run names it, "" if the run
// had none.
func (r *Report) TargetFile() string {
	path := r.Run.Command[strings.LastIndex(r.Run.Command, " ")+1:]
	if r.Subject.TargetFileDigest == "" || !strings.HasSuffix(path, ".yaml") && !strings.HasSuffix(path, ".yml") {
		return ""
	}
	return path
}
