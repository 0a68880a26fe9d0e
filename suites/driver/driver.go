// Package driver carries the operations of a protocol to a target and returns the answers. It never
// judges: the suite decides what an answer means. A Driver is one way to reach a target; the
// packages below this one implement it (DESIGN section 9).
package driver

import (
	"context"
	"encoding/json"
	"time"
)

// Driver opens sessions on one target. It is safe for concurrent use.
type Driver interface {
	// Open connects to the target and performs the handshake if the transport has one. An error
	// wraps one of the sentinel errors of this package. A failed Open leaves nothing behind: no
	// child, no goroutine, no connection.
	Open(ctx context.Context) (Session, error)
	// Target names what is reached and how, without secrets.
	Target() Target
}

// Session is one connection to a target. Call is safe for concurrent use. The caller of Open must
// call Close. Close ends everything that Open started, including the whole process group of a
// child, and may be called twice.
type Session interface {
	// Call performs one operation and waits for its answer. The error is nil if a complete reply
	// arrived, whatever it says: a reply that is not a response of the binding is an Answer with
	// Outcome Malformed. Otherwise the error is a *CallError that wraps one of the sentinel
	// errors. Call returns soon after ctx ends. If ctx has no deadline, Deadlines.Call applies:
	// the caller sets the deadline of a call that is known to be slow.
	Call(ctx context.Context, op Operation) (Answer, error)
	// Info describes what the handshake and the listing of operations showed.
	Info() Info
	// Close ends the session.
	Close() error
}

// Target names what a driver reaches.
type Target struct {
	Driver  string // "inproc", "http", "mcp", "stdio"
	Address string // the URL without credentials, or the command line, shell-quoted
}

// Info is what a session knows about its peer.
type Info struct {
	Binding    string   // one line: the binding spoken, as the report prints it
	Protocol   string   // "json-rpc" or "mcp"
	Negotiated string   // negotiated revision of the protocol, if the transport has one
	Name       string   // the name of the peer; empty if it sent none
	Version    string   // the version of the peer; empty if it sent none
	Operations []string // the operations offered as tools; nil if the transport does not list them
	Mapped     []string // the operations that the target file maps to an offered tool
	Bodies     bool     // the body of an operation can be sent unchanged
	Messages   bool     // a whole message can be sent unchanged
	Hears      bool     // what the target sends on its own is kept
	Requests   bool     // a request of HTTP can be stated
	Apart      bool     // an operation can travel on a further connection
	Handshake  string   // what is wrong with the answer to the handshake of a protocol that the session does not speak
	Noise      Noise    // what a child wrote besides messages
	Warnings   []string // irregular messages that are not answers
}

// Noise is the lines on stdout that are not messages.
type Noise struct {
	Lines int
	First string // the first of them, secrets masked
}

// Operation is one call of a protocol, independent of transport.
type Operation struct {
	Name   string          // the name in the protocol, such as "capability.invoke"
	Params json.RawMessage // one JSON object; nil is sent as {}
	Body   []byte          // if not nil, sent unchanged in place of Params; requires Info.Bodies
	List   bool            // the answer is a list, which may have Limits.Total bytes
	Single bool            // with List: the caller decodes one element at a time, so each may have Limits.Values
	// Message: Body is a whole message of the protocol, sent unchanged. The result is the JSON text that arrived, whatever
	// it says, and empty if the target answered nothing. Requires Info.Messages.
	Message bool
	// Method: over MCP, the name is that of a method of the peer, not of a tool. The method initialize without params
	// returns the answer to the handshake of the session and sends nothing; with params, it is sent on a further
	// connection.
	Method bool
	// Quiet: with Message, no answer is expected. Where only time shows that none arrives, the wait is short.
	Quiet bool
	// Heard: nothing is sent, and the result is what the target sent on its own since the session began: {"items": [...]},
	// of the form Heard. Requires Info.Hears.
	Heard bool
	// Request: Params are a Request, which is sent to the endpoint of the session, and the result is a Response. Requires
	// Info.Requests.
	Request bool
	// Last is the name of the event that ends a stream of events, which answers a Request. Without it, the target ends the
	// stream.
	Last string
	// Apart: the operation is the first one on a further connection, which ends with it. Requires Info.Apart.
	Apart bool
}

// Outcome is the kind of a reply.
type Outcome int

// The outcomes of an answered call.
const (
	Returned    Outcome = iota // the operation's result arrived
	Refused                    // a protocol error arrived
	NotProvided                // the target replied that it does not provide the operation
	Malformed                  // a complete reply arrived that is not a response of the binding
)

// String returns the outcome in words.
func (o Outcome) String() string {
	return [...]string{"returned", "refused", "not provided", "malformed"}[o]
}

// Answer is a complete reply.
type Answer struct {
	Outcome  Outcome
	Result   json.RawMessage // Returned: the result as received
	Error    *ProtocolError  // Refused, NotProvided
	Defect   string          // Malformed: what is wrong with the reply
	Content  *Answer         // Malformed: the result or the error that the reply contains all the same; nil if none can be read
	Provided string          // what made the answer in place of the target, such as "mapping capability.list"
	Exchange Exchange
}

// ProtocolError is the error of an operation as it was sent (DESIGN section 9).
type ProtocolError struct {
	Code    string          // the code of the protocol (error.data.code), such as "NOT_FOUND"; empty if there was none
	Number  int64           // the JSON-RPC number; 0 if the transport has none
	Message string          // the message of the target
	Data    json.RawMessage // error.data as received
}

// Exchange is what was sent and received for one call, secrets masked.
type Exchange struct {
	Operation string
	// Params are those of the operation, independent of their form on the wire; nil if a body was sent in
	// their place.
	Params   json.RawMessage
	Sent     []byte
	Received []byte // what arrived, even if it was not an answer; nil if nothing arrived
	Length   int    // bytes that arrived if Received contains only the first of them; otherwise 0
	Digest   string // SHA-256, in hexadecimal, of everything that arrived, if Length is set
	Status   int    // HTTP status; 0 on other transports
	Started  time.Time
	Took     time.Duration
	// Repeat returns a shell command that sends the same again, secrets by reference; nil, or a
	// result of "", if there is none.
	Repeat func() string
}

// Limits bound what is read from a target. A zero field has the default that its comment states.
type Limits struct {
	Message int64 // bytes of one message or of one element of a list; 0 means 8 MiB
	Total   int64 // bytes of the answer to a List operation; 0 means 64 MiB; a quarter applies if it is decoded as a whole
	Values  int   // values in one message, counting names and values of members; 0 means 1,000,000
	Depth   int   // levels of nesting in one result; 0 means 256
	Memory  int64 // bytes that the process may hold when a call begins; 0 means no limit
}

// Deadlines bound how long the harness waits. A zero field has the default that its comment states.
type Deadlines struct {
	Call      time.Duration // one call; 0 means 10 s
	Slow      time.Duration // a call of the role slow; 0 means 30 s
	Handshake time.Duration // from the start of a child to its first answer, or to make one connection; 0 means 30 s
}

// WithDefaults returns the limits with each zero field replaced by its default.
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

// For returns the limit in bytes for the answer of an operation.
func (l Limits) For(op Operation) int64 {
	const copies = 4 // the additional memory of a list that is decoded as a whole, as a factor
	switch {
	case op.List && op.Single:
		return l.Total
	case op.List:
		return max(l.Message, l.Total/copies)
	}
	return l.Message
}

// WithDefaults returns the deadlines with each zero field replaced by its default.
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
