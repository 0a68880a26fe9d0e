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
	calls      map[string][]*Call // by operation
	asked      map[record.Party][]*Asked
	questions  map[string][]*Asked // to the model, by mark
	ordered    []*Turn             // the turns that were read so far, in the order in which they were sent
	reaching   map[string][]*Turn  // the turns that reached a package, by its mark
	reader     *environment.Reader
	size       int // of the requests of the subject, in bytes
	packages   []*sample.Package
	byMark     map[string]*sample.Package
	flawed     map[string]bool      // by mark: packages that were also served with a flaw
	met        *Met                 // nil: not known yet
	controls   map[record.Tick]bool // by the call whose connection was closed: the subject still answered other calls
	publishing publishing

	executions   []*Execution
	executionsOf [2]int // the numbers of turns and of requests to services from which executions was computed
}

// keptAtMost limits how many bytes of the requests of a subject are kept.
const keptAtMost = 64 << 20

// Full reports whether the subject sent more requests than are kept, so that nothing can be judged.
func (h *History) Full() bool {
	h.RLock()
	defer h.RUnlock()
	return h.size > keptAtMost
}

// New returns an empty history.
func New() *History {
	return &History{
		reader: &environment.Reader{}, calls: map[string][]*Call{}, asked: map[record.Party][]*Asked{},
		reaching: map[string][]*Turn{}, questions: map[string][]*Asked{}, byMark: map[string]*sample.Package{},
		flawed:   map[string]bool{},
		controls: map[record.Tick]bool{},
	}
}

// ReadBy makes the history use the reader of the model for requests to the model, so that each is parsed
// once. It must be called before the first entry is added.
func (h *History) ReadBy(r *environment.Reader) { h.reader = r }

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
			if h.byMark[p.Mark] == nil {
				h.byMark[p.Mark] = p
			}
		}
	case e.Party == record.Chain && e.Operation == OpRegister:
		h.publishing.release(e)
	case e.Operation == OpMeet:
		h.met = &Met{}
		if text, err := e.Sent.Text(); err != nil || json.Unmarshal(text, h.met) != nil {
			h.met = nil
		}
	case e.From == record.Target:
		a := record.Once(e, h.readAsked)
		if h.size += a.size(); h.size > keptAtMost {
			return
		}
		h.asked[e.Party] = append(h.asked[e.Party], a)
		if a.question != nil {
			h.questions[a.question.Mark] = append(h.questions[a.question.Mark], a)
		}
	case h.Conclude(e):
	default:
		read := *record.Once(e, readCall)
		c := &read
		if of, controls := c.Link(record.ControlOf); controls && e.Operation != OpConfigure {
			h.controls[of] = h.controls[of] || c.Returned() || c.Refused()
		}
		h.calls[e.Operation] = append(h.calls[e.Operation], c)
		h.publishing.take(c, e)
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

// Missing returns the reason why an answer cannot be used: no answer arrived, or the operation is not
// served. It returns nil if the answer can be used.
func (c *Call) Missing() error {
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
	return c.Closed && h.controls[c.Entry]
}

// Of returns the calls of an operation.
func (h *History) Of(operation string) []*Call {
	h.RLock()
	defer h.RUnlock()
	return reading.GivesAll(&h.Reading, h.calls[operation])
}

// Asked returns the requests of the subject to a party.
func (h *History) Asked(party record.Party) []*Asked {
	h.RLock()
	defer h.RUnlock()
	return h.asked[party]
}

// Packages returns the packages that the suite served, once for each time that it served them.
func (h *History) Packages() []*sample.Package {
	h.RLock()
	defer h.RUnlock()
	return h.packages
}

// PackageAt returns the package that a call of acp.install names, nil if it is not a package of the
// harness.
func (h *History) PackageAt(c *Call) *sample.Package {
	cid, _ := c.Params["cid"].(string)
	for _, p := range h.Packages() {
		if p.CID == cid {
			return p
		}
	}
	return nil
}

// Flawed reports whether a package was also served with a flaw. Either form may then act under its mark.
func (h *History) Flawed(p *sample.Package) bool {
	h.RLock()
	defer h.RUnlock()
	return h.flawed[p.Mark]
}

// Met returns the result of discovery, nil if it is unknown.
func (h *History) Met() *Met {
	h.RLock()
	defer h.RUnlock()
	return h.met
}
