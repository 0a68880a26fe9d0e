// Package driver carries a protocol's operations to a target and brings the
// answers back. It never judges: what an answer means is the suite's business.
// A Driver is one way to reach a target; the packages below this one are its
// implementations (DESIGN section 9).
package driver

import (
	"context"
	"encoding/json"
	"time"
)

// Driver opens sessions on one target. It is safe for concurrent use.
type Driver interface {
	// Open connects to the target and, where the wire has one, does the
	// handshake. It fails with an error that wraps one of the sentinel errors
	// of this package. A failed Open leaves nothing behind: no child, no
	// goroutine, no connection.
	Open(ctx context.Context) (Session, error)
	// Target says what is reached and how, without secrets.
	Target() Target
}

// Session is one connection with a target. Call is safe for concurrent use.
// Close may be called twice, ends what Open started (the child's whole process
// group included) and is owned by whoever called Open.
type Session interface {
	// Call carries one operation and waits for its answer. The error is nil
	// whenever a complete reply arrived, whatever it says: a reply that is no
	// response of the binding is an Answer with Outcome Malformed. Otherwise the
	// error is a *CallError that wraps one of the sentinel errors. Call returns
	// soon after ctx ends. A ctx without deadline gets Deadlines.Call: who knows that
	// a call is slow brings the deadline along.
	Call(ctx context.Context, op Operation) (Answer, error)
	// Info tells what the handshake and the listing of operations showed.
	Info() Info
	// Close ends the session.
	Close() error
}

// Target names what a driver reaches.
type Target struct {
	Driver  string // "inproc", "http", "mcp", "stdio"
	Address string // the URL without credentials, or the command line, shell-quoted
}

// Info is what a session knows of its peer.
type Info struct {
	Binding    string   // one line: the binding spoken, as the report prints it
	Protocol   string   // "json-rpc" or "mcp"
	Negotiated string   // protocol revision agreed on, if the wire has one
	Name       string   // the peer's own name, if it gave one
	Version    string   // the peer's own version, if it gave one
	Operations []string // the operations offered as tools, nil where the wire has no list of them
	Mapped     []string // the operations that a mapping of the target file carries by a tool that is offered
	Bodies     bool     // an operation's body can be sent as it is
	Warnings   []string // oddities on the wire that are no answer, such as a line that is no JSON
}

// Operation is one call of a protocol, independent of transport.
type Operation struct {
	Name   string          // the protocol's own name, such as "capability.invoke"
	Params json.RawMessage // one JSON object; nil is sent as {}
	Body   []byte          // not nil: sent in place of Params, as it is, where Info.Bodies says that this can be done
	List   bool            // the answer is a list: it may be as long as Limits.Total
	Single bool            // with List: the caller decodes one element at a time, so that each may have Limits.Values
}

// Outcome is the kind of reply that arrived.
type Outcome int

// The outcomes of a call that was answered.
const (
	Returned    Outcome = iota // the operation's result arrived
	Refused                    // a protocol error arrived
	NotProvided                // the target says that it does not provide the operation
	Malformed                  // a complete reply arrived that is no response of the binding
)

// String gives the outcome in words.
func (o Outcome) String() string {
	return [...]string{"returned", "refused", "not provided", "malformed"}[o]
}

// Answer is a complete reply.
type Answer struct {
	Outcome  Outcome
	Result   json.RawMessage // Returned: the result as it stood on the wire
	Error    *ProtocolError  // Refused, NotProvided
	Defect   string          // Malformed: what is wrong with the reply
	Provided string          // not empty: what made the answer in the target's place, such as "mapping capability.list"
	Exchange Exchange
}

// ProtocolError is the error of an operation, as it travelled (DESIGN section 9).
type ProtocolError struct {
	Code    string          // the protocol's own code (error.data.code), such as "NOT_FOUND"; empty if there was none
	Number  int64           // the JSON-RPC number, 0 where the wire has none
	Message string          // the target's own words
	Data    json.RawMessage // error.data as it stood on the wire
}

// Exchange is what went over the wire for one call, secrets masked.
type Exchange struct {
	Operation string
	Params    json.RawMessage // of the operation, whatever the wire made of them; nil where a body was sent in their place
	Sent      []byte
	Received  []byte // what arrived, also where it was no answer; nil if nothing did
	Length    int    // bytes that arrived, where Received holds only the first of them; else 0
	Digest    string // SHA-256 of all that arrived, hex, where Length is set
	Status    int    // HTTP status, 0 elsewhere
	Started   time.Time
	Took      time.Duration
	// a shell command that sends the same again, secrets by reference, "" for none; nil for none as well
	Repeat func() string
}

// Limits bound what is read from a target.
type Limits struct {
	Message int64 // bytes of one message or of one element of a list; 0 means 8 MiB
	Total   int64 // bytes of the answer to a List operation; 0 means 64 MiB, and a quarter where it is decoded as a whole
	Values  int   // values in one message, names and values of members each counted; 0 means 1,000,000
	Depth   int   // levels of nesting in one result; 0 means 256
	Memory  int64 // bytes that the process may hold when a call begins; 0 means any number
}

// Deadlines bound what is waited for.
type Deadlines struct {
	Call      time.Duration // one call; 0 means 10 s
	Slow      time.Duration // a call of the role slow; 0 means 30 s
	Handshake time.Duration // from the start of a child to its first answer, or of one connection; 0 means 30 s
}

// WithDefaults fills the zero fields.
func (l Limits) WithDefaults() Limits {
	if l.Message == 0 {
		l.Message = 8 << 20
	}
	if l.Total == 0 {
		l.Total = max(64<<20, l.Message)
	}
	if l.Values == 0 {
		l.Values = 1_000_000
	}
	if l.Depth == 0 {
		l.Depth = 256
	}
	return l
}

// For gives the bound for an operation's answer.
func (l Limits) For(op Operation) int64 {
	const copies = 4 // what a list takes more where it is decoded as a whole
	switch {
	case op.List && op.Single:
		return l.Total
	case op.List:
		return max(l.Message, l.Total/copies)
	}
	return l.Message
}

// WithDefaults fills the zero fields.
func (d Deadlines) WithDefaults() Deadlines {
	if d.Call == 0 {
		d.Call = 10 * time.Second
	}
	if d.Slow == 0 {
		d.Slow = 30 * time.Second
	}
	if d.Handshake == 0 {
		d.Handshake = 30 * time.Second
	}
	return d
}
