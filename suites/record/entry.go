// Package record stores what a run did and observed, in order, as data (DESIGN section 11). A
// Writer takes entries during a run and keeps a bounded part of them in memory. A Record reads
// them. The package is independent of protocols and judges nothing.
package record

import (
	"encoding/json"
	"fmt"
	"sync/atomic"
)

// Tick is a point in the order of a run. All ticks of one record come from one counter. Entry a
// ended before entry b began exactly if a.Done < b.Begun.
type Tick int64

// Clock counts the ticks of one run. It is safe for concurrent use.
type Clock struct{ ticks atomic.Int64 }

// Tick returns the next tick.
func (c *Clock) Tick() Tick { return Tick(c.ticks.Add(1)) }

// Relation is the kind of a link between two entries.
type Relation string

// The relations.
const (
	RetryOf   Relation = "retry-of"   // the same call again, after it got no answer
	PollOf    Relation = "poll-of"    // the same question again, until the answer changes
	PageOf    Relation = "page-of"    // a further page of a list
	ControlOf Relation = "control-of" // the positive control of a negative check
	Confirms  Relation = "confirms"   // a call that settles a doubt about the other entry
	CausedBy  Relation = "caused-by"  // the other entry caused this one
)

// Link connects an entry with an earlier one.
type Link struct {
	Relation Relation
	To       Tick // Begun of the earlier entry
}

// MarshalJSON writes {"retry-of": 12}.
func (l Link) MarshalJSON() ([]byte, error) {
	return json.Marshal(map[Relation]Tick{l.Relation: l.To})
}

// UnmarshalJSON reads the form of MarshalJSON. It returns an error unless the object has exactly one
// member.
func (l *Link) UnmarshalJSON(text []byte) error {
	var members map[Relation]Tick
	if err := json.Unmarshal(text, &members); err != nil {
		return err
	}
	if len(members) != 1 {
		return fmt.Errorf("a link has one member, this one has %d", len(members))
	}
	for relation, to := range members {
		*l = Link{Relation: relation, To: to}
	}
	return nil
}

// Party is the other side of an exchange.
type Party string

// The parties. All but the target and the documents are services that the
// harness simulates for the target.
const (
	Target   Party = "target"
	Model    Party = "model"
	Gateway  Party = "gateway"
	Resolver Party = "resolver"
	Service  Party = "service"
	Chain    Party = "chain"
	Document Party = "document"
)

// Outcome is the result of a call.
type Outcome string

// The outcomes.
const (
	Returned    Outcome = "returned"     // the result arrived
	Refused     Outcome = "refused"      // a protocol error arrived
	NotProvided Outcome = "not-provided" // the target does not provide the operation
	Malformed   Outcome = "malformed"    // a complete reply arrived that is not a response of the binding
	Lost        Outcome = "lost"         // no complete reply arrived
	Throttled   Outcome = "throttled"    // the target asked the harness to call later
	NotSent     Outcome = "not-sent"     // the invoke policy did not admit the call, or the run had ended

	// The outcomes of a complete stimulus. Its entry has no operation and follows its calls.
	Performed    Outcome = "performed"
	NotPerformed Outcome = "not-performed"
)

// Entry is one exchange with one party.
type Entry struct {
	Begun Tick   `json:"begun"`
	Done  Tick   `json:"done"`
	Suite string `json:"suite,omitempty"` // empty: before any suite was chosen
	Party Party  `json:"party"`
	From  Party  `json:"from,omitempty"` // who began the exchange; empty: the harness
	// Stimulus names the action of the harness. The names are an enumeration and the same in every
	// run; About contains what varies.
	Stimulus  string            `json:"stimulus"`
	About     map[string]string `json:"about,omitempty"`
	Links     []Link            `json:"links,omitempty"` // how it relates to earlier entries
	Operation string            `json:"operation"`       // such as chp.invoke; empty: a whole stimulus
	Sent      *Body             `json:"sent,omitempty"`  // nil: nothing was sent
	Outcome   Outcome           `json:"outcome"`
	Status    int               `json:"status,omitempty"`   // the HTTP status; 0 if there is none
	Received  *Body             `json:"received,omitempty"` // nil: nothing arrived
	Error     *Fault            `json:"error,omitempty"`    // refused, not provided, malformed, lost, throttled
	Provided  string            `json:"provided,omitempty"` // what made the answer in place of the target

	readings *Readings // nil unless Load made the entry
}

// Fault is a protocol error, or the reason why there is no answer or no stimulus.
type Fault struct {
	Kind    FaultKind       `json:"kind,omitempty"`    // why there is no answer; empty for an error that arrived
	Code    string          `json:"code,omitempty"`    // the code of the protocol, such as NOT_FOUND
	Number  int64           `json:"number,omitempty"`  // the JSON-RPC number
	Message string          `json:"message,omitempty"` // the words of the target, or of the harness
	Data    json.RawMessage `json:"data,omitempty"`    // error.data as it arrived
	Supply  string          `json:"supply,omitempty"`  // how the reader of a report can supply what was missing
}

// FaultKind is the reason why there is no answer.
type FaultKind string

// The kinds of faults. All but the last three are reasons why a call has no answer.
const (
	Unreachable   FaultKind = "unreachable"
	Closed        FaultKind = "closed"
	TimedOut      FaultKind = "timeout"
	Cancelled     FaultKind = "cancelled"
	TooLarge      FaultKind = "too-large"
	Throttling    FaultKind = "throttling"
	Configuration FaultKind = "configuration"
	// Missing: a role, a declaration or a positive control is missing, or the invoke policy does not
	// admit the call.
	Missing      FaultKind = "missing"
	Inapplicable FaultKind = "inapplicable" // the text makes it conditional, and the condition does not hold
	Internal     FaultKind = "internal"     // a defect of the harness
)

// Header begins a record. It states what was run, against what, and how.
type Header struct {
	SchemaVersion string   `json:"schema_version"` // the constant SchemaVersion
	Kind          string   `json:"kind"`           // the constant Kind
	Harness       Harness  `json:"harness"`
	Subject       Subject  `json:"subject"`
	Asked         []string `json:"asked"`             // the suites that the subject was probed for, spoken or not
	Suites        []Suite  `json:"suites"`            // the suites that were run
	Options       []string `json:"options,omitempty"` // the flags of the command, one per string
	Seed          int64    `json:"seed"`              // of the inputs that the harness made
	Peer          Peer     `json:"peer"`
	Given         Given    `json:"given"`
	Selection     Selected `json:"selection"`
	// Unfinished is the reason why the run ended early, otherwise empty. Requirements that the run
	// did not reach cannot be judged.
	Unfinished string `json:"unfinished,omitempty"`
}

// The constant members of a header.
const (
	SchemaVersion = "1.0"
	Kind          = "ConformanceRecord"
)

// Harness names the program that made the record.
type Harness struct {
	Name            string `json:"name"`
	Version         string `json:"version"`          // such as v0.1.0; devel of a build without one
	CatalogueDigest string `json:"catalogue_digest"` // SHA-256 of the catalogues of the suites, in hexadecimal
	FeaturesDigest  string `json:"features_digest"`  // SHA-256 of the features, in hexadecimal
}

// Subject identifies what was examined.
type Subject struct {
	Name    string `json:"name"`
	Version string `json:"version,omitempty"` // from the target file or the handshake
	Driver  string `json:"driver"`            // inproc, http, mcp, stdio or documents
	Target  string `json:"target,omitempty"`  // the address or command, secrets masked
}

// Suite is one suite of the run.
type Suite struct {
	Suite       string `json:"suite"`        // cap, chp, acp or acd
	SpecVersion string `json:"spec_version"` // the version of the text
	Edition     string `json:"edition,omitempty"`
	// TextDigest is the SHA-256 of the folder of a text of one's own, "" for the suites of capconform.
	TextDigest string `json:"text_digest,omitempty"`
}

// Peer is what the handshake and the listing of operations showed about the subject.
type Peer struct {
	Name       string   `json:"name,omitempty"`
	Version    string   `json:"version,omitempty"`
	Binding    string   `json:"binding,omitempty"`    // one line, as a report prints it
	Protocol   string   `json:"protocol,omitempty"`   // json-rpc or mcp
	Negotiated string   `json:"negotiated,omitempty"` // the revision that the transport negotiated
	Operations []string `json:"operations,omitempty"` // those offered as tools
	Mapped     []string `json:"mapped,omitempty"`     // those that the target file maps to a tool that is offered
	Bodies     bool     `json:"bodies,omitempty"`     // the body of an operation can be sent as it is
}

// Given contains the settings of the run for the subject.
type Given struct {
	Actors   []string                     `json:"actors,omitempty"`   // those of the target file
	Roles    map[string]map[string]Player `json:"roles,omitempty"`    // by suite and role
	Supports map[string][]string          `json:"supports,omitempty"` // what the underlying system supports, by suite
	Invoke   string                       `json:"invoke,omitempty"`   // the policy
	Admitted []string                     `json:"admitted,omitempty"` // by name, in addition to what the policy admits
	Adapter  string                       `json:"adapter,omitempty"`  // how a plain MCP server is interpreted
	Version  string                       `json:"version,omitempty"`  // of every capability of a plain MCP server
	Restart  bool                         `json:"restart,omitempty"`  // the subject can be started again
	Explicit bool                         `json:"explicit,omitempty"` // the suites were selected by name
	Message  int64                        `json:"message,omitempty"`  // the longest message, in bytes
	Known    []Package                    `json:"known,omitempty"`    // the packages of an index that the run was given
}

// Package is a published capability package.
type Package struct {
	CapURI string `json:"cap_uri"`
	Semver string `json:"semver,omitempty"`
	CID    string `json:"cid,omitempty"`    // under which a gateway serves it
	SHA256 string `json:"sha256,omitempty"` // of its bytes, in hexadecimal
}

// Player is a capability that was named for a role.
type Player struct {
	Capability string          `json:"capability"`        // its id
	Version    string          `json:"version,omitempty"` // empty: any that is listed
	Input      json.RawMessage `json:"input,omitempty"`   // nil: the harness makes one from the schema
}

// Selected is the part of the requirements that was selected for the run.
type Selected struct {
	Requirements []string `json:"requirements,omitempty"` // ids; empty: all
	Tags         string   `json:"tags,omitempty"`         // an expression of Gherkin tags; empty: all
	Level        string   `json:"level,omitempty"`        // the lowest that is judged: must, should or may; empty: all
	Without      []string `json:"without,omitempty"`      // the groups that are excluded
	Shard        [2]int   `json:"shard,omitzero"`         // index and count
	Strict       bool     `json:"strict,omitempty"`       // a broken SHOULD counts as a failure
}
