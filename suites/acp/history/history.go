// Package history reads the record of a run as the objects of ACP: the calls to the subject, and the
// requests of the subject to the model, the gateway, the resolver, the services and the chain that the
// suite plays (DESIGN section 11). It judges nothing.
package history

import (
	"fmt"

	json "github.com/go-json-experiment/json/v1" // decodes what encoding/json decodes, in less time

	"github.com/capconform/capconform/schemas"
	"github.com/capconform/capconform/suites/acp/environment"
	"github.com/capconform/capconform/suites/acp/sample"
	"github.com/capconform/capconform/suites/reading"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/verdict"
)

// Object is a JSON object.
type Object = map[string]any

// History is what one run did and observed. It is safe for concurrent use. The objects that it returns
// must not be changed.
type History struct {
	reading.Reading
	calls            map[string][]*Call // by operation
	requests         map[record.Party][]*SubjectRequest
	modelRequests    map[string][]*SubjectRequest // to the model, by mark
	turns            []*Turn                      // the turns that were read so far, in the order in which they were sent
	turnsByPackage   map[string][]*Turn           // the turns that reached a package, by its mark
	reader           *environment.Reader
	size             int // of the requests of the subject, in bytes
	packages         []*sample.Package
	packagesByMark   map[string]*sample.Package
	flawed           map[string]bool      // by mark: packages that were also served with a flaw
	discovery        *Discovery           // nil: not known yet
	answeredControls map[record.Tick]bool // by the closed call: the subject still answered other calls
	publishing       publishing

	executions      []*Execution
	executionInputs [2]int // the numbers of turns and of requests to services from which executions was computed
}

// maxRequestBytes limits how many bytes of the requests of a subject are kept.
const maxRequestBytes = 64 << 20

// Full reports whether the subject sent more requests than are kept, so that nothing can be judged.
func (h *History) Full() bool {
	h.RLock()
	defer h.RUnlock()
	return h.size > maxRequestBytes
}

// New returns an empty history.
func New() *History {
	return &History{
		reader: &environment.Reader{}, calls: map[string][]*Call{}, requests: map[record.Party][]*SubjectRequest{},
		turnsByPackage: map[string][]*Turn{}, modelRequests: map[string][]*SubjectRequest{},
		packagesByMark:   map[string]*sample.Package{},
		flawed:           map[string]bool{},
		answeredControls: map[record.Tick]bool{},
	}
}

// UseReader makes the history use the reader of the model for requests to the model, so that each is
// parsed once. It must be called before the first entry is added.
func (h *History) UseReader(r *environment.Reader) { h.reader = r }

// Call is one call to the subject, with its answer.
type Call struct {
	reading.Observed
	Operation string
	Params    Object
	Outcome   record.Outcome
	Value     any // the decoded result
	Fault     record.FaultKind

	readings *record.Readings // values that were derived from the call
}

// Add adds an entry. Entries must be added in the order in which they ended.
func (h *History) Add(e record.Entry) {
	h.Lock()
	defer h.Unlock()
	switch {
	case e.Party == record.Gateway && e.Operation == OpServe:
		if p := record.Once(e, readPackage); p != nil {
			h.packages = append(h.packages, p)
			h.flawed[p.Mark] = h.flawed[p.Mark] || p.Flaw != ""
			if h.packagesByMark[p.Mark] == nil {
				h.packagesByMark[p.Mark] = p
			}
		}
	case e.Party == record.Chain && e.Operation == OpRegister:
		h.publishing.addRelease(e)
	case e.Operation == OpDiscovery:
		h.discovery = &Discovery{}
		if text, err := e.Sent.Text(); err != nil || json.Unmarshal(text, h.discovery) != nil {
			h.discovery = nil
		}
	case e.From == record.Target:
		a := record.Once(e, h.readRequest)
		if h.size += a.size(); h.size > maxRequestBytes {
			return
		}
		h.requests[e.Party] = append(h.requests[e.Party], a)
		if a.chat != nil {
			h.modelRequests[a.chat.Mark] = append(h.modelRequests[a.chat.Mark], a)
		}
	case h.Conclude(e):
	default:
		read := *record.Once(e, readCall)
		c := &read
		if of, controls := c.Link(record.ControlOf); controls && e.Operation != OpConfigure {
			h.answeredControls[of] = h.answeredControls[of] || c.Returned() || c.Refused()
		}
		h.calls[e.Operation] = append(h.calls[e.Operation], c)
		h.publishing.add(c, e)
	}
}

func readCall(e record.Entry) *Call {
	c := &Call{Observed: reading.Observe(e), Operation: e.Operation, Outcome: e.Outcome, readings: &record.Readings{}}
	if e.Error != nil {
		c.Fault = e.Error.Kind
	}
	if sent, err := e.Sent.Text(); err == nil {
		c.Params = schemas.ReadObject(sent)
	}
	if e.Outcome == record.Returned && c.Lost == nil {
		text, err := e.Received.Text()
		if c.Lost = err; err == nil {
			c.Value = schemas.ReadValue(text)
		}
	}
	return c
}

func readPackage(e record.Entry) *sample.Package {
	text, err := e.Sent.Text()
	if err != nil {
		return nil
	}
	p := &sample.Package{}
	if json.Unmarshal(text, p) != nil || p.Mark == "" {
		return nil
	}
	return p
}

// Returned reports whether a result came back.
func (c *Call) Returned() bool { return c.Lost == nil && c.Outcome == record.Returned }

// Refused reports whether an error of the protocol came back.
func (c *Call) Refused() bool { return c.Lost == nil && c.Outcome == record.Refused }

// Result returns the result, nil if it is not an object.
func (c *Call) Result() Object {
	members, _ := c.Value.(Object)
	return members
}

// AnswerError returns the reason why an answer cannot be used: no answer arrived, or the operation is
// not served. It returns nil if the answer can be used.
func (c *Call) AnswerError() error {
	switch {
	case c.Lost != nil:
		return fmt.Errorf("no answer to %s: %w", c.Operation, c.Lost)
	case c.Outcome == record.NotProvided:
		return &verdict.Inconclusive{Reason: "the subject does not serve " + c.Operation,
			Supply: "serve it as suites/acp/ADAPTER.md describes"}
	}
	return nil
}

// ClosedInsteadOfAnswer reports whether the connection of a call was closed twice while the subject
// still answered other calls.
func (h *History) ClosedInsteadOfAnswer(c *Call) bool {
	h.RLock()
	defer h.RUnlock()
	return c.Closed && h.answeredControls[c.Entry]
}

// Calls returns the calls of an operation.
func (h *History) Calls(operation string) []*Call {
	h.RLock()
	defer h.RUnlock()
	return reading.NoteObjects(&h.Reading, h.calls[operation])
}

// RequestsTo returns the requests of the subject to a party.
func (h *History) RequestsTo(party record.Party) []*SubjectRequest {
	h.RLock()
	defer h.RUnlock()
	return h.requests[party]
}

// Packages returns the packages that the suite served, once for each time that it served them.
func (h *History) Packages() []*sample.Package {
	h.RLock()
	defer h.RUnlock()
	return h.packages
}

// PackageOf returns the package that a call of acp.install names, nil if it is not a package of the
// harness.
func (h *History) PackageOf(c *Call) *sample.Package {
	cid, _ := c.Params["cid"].(string)
	for _, p := range h.Packages() {
		if p.CID == cid {
			return p
		}
	}
	return nil
}

// ServedWithFlaw reports whether a package was also served with a flaw. Either form may then act under
// its mark.
func (h *History) ServedWithFlaw(p *sample.Package) bool {
	h.RLock()
	defer h.RUnlock()
	return h.flawed[p.Mark]
}

// Discovery returns the result of discovery, nil if it is unknown.
func (h *History) Discovery() *Discovery {
	h.RLock()
	defer h.RUnlock()
	return h.discovery
}
