// Package history reads the record of a run as the objects of ACD: registries, manifests
// and what the agent does with them (DESIGN section 11). It judges nothing.
package history

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/record"
)

// The operations of ACD (suites/acd/ADAPTER.md).
const (
	OpManifest  = "acd.manifest"
	OpList      = "acd.registry.list"
	OpGet       = "acd.registry.get"
	OpCreate    = "acd.registry.create"
	OpUpdate    = "acd.registry.update"
	OpDelete    = "acd.registry.delete"
	OpQuery     = "acd.registry.query"
	OpLegacy    = "acd.legacy"
	OpInvoke    = "acd.invoke"
	OpDeclare   = "acd.channel.declare"
	OpProject   = "acd.channel.project"
	OpDocs      = "acd.docs"
	OpAudit     = "acd.audit"
	OpConfigure = "acd.configure"
	OpExecLog   = "acd.execlog"
	OpCalls     = "acd.llm.calls"

	// OpPath is the text's own path of the lists, and before the name of a legacy list
	// that list's path. They are served over HTTP alone.
	OpPath = "acd.path"
	// OpCapabilityList is the list of CAP.
	OpCapabilityList = "capability.list"
)

// ProbePrefix begins the ids of the copies that the suite registers.
const ProbePrefix = "conformance.probe."

// Ours tells an entry that the suite registered, in this run or in another one.
func Ours(id string) bool { return strings.HasPrefix(id, ProbePrefix) }

// History is what one run did and saw. It is safe for concurrent use; the objects that it
// gives must not be changed.
type History struct {
	mu          sync.RWMutex
	calls       map[string][]*Call // by operation
	items       map[string]*Item   // by text
	manifests   map[string]any     // by text
	conclusions map[string]error   // of stimuli that were not performed
	looks       map[string]Look    // by stimulus and parameters
	nowhere     *Call              // a path that no text knows
	byTick      map[record.Tick]*Call
	invocations []*Invocation
	copies      []*Copy
	byID        map[string]*Copy
	confirms    map[record.Tick][]*Call // by the entry that they confirm
	gets        map[string][]*Call      // readings of one entry, by its id
}

// New makes an empty history.
func New() *History {
	return &History{
		calls: map[string][]*Call{}, items: map[string]*Item{}, manifests: map[string]any{},
		conclusions: map[string]error{}, looks: map[string]Look{}, byTick: map[record.Tick]*Call{}, byID: map[string]*Copy{}, confirms: map[record.Tick][]*Call{},
		gets: map[string][]*Call{},
	}
}

// Call is one call and what came of it.
type Call struct {
	Entry, Done record.Tick
	Stimulus    string
	About       map[string]string
	Operation   string
	Params      Object
	Outcome     record.Outcome
	Status      int
	Value       any              // of a result, decoded; nil for a list, which has items
	Items       []*Item          // of a list
	Listed      bool             // a list is what came back
	index       map[string]*Item // of a list, the first item of each id
	Lost        error            // why no answer came
	Got         string           // what came back, in a line
	links       []record.Link
}

// Item is one element of a list. It stands once, however many lists show it.
type Item struct {
	Entry   record.Tick // that showed it first
	ID      string      // of a descriptor, or the id that stands in its place
	Value   any
	Members Object // nil where it is no object
}

// Add takes an entry. The entries come in the order in which they were done.
func (h *History) Add(e record.Entry) {
	h.mu.Lock()
	defer h.mu.Unlock()
	switch {
	case e.Operation == "":
		if e.Outcome == record.NotPerformed {
			h.conclusions[e.Stimulus] = suites.LostCall(e)
		}
	case e.Operation == suites.Nowhere().Operation:
		if h.nowhere == nil {
			h.nowhere = h.read(e)
		}
	default:
		c := h.read(e)
		if h.elsewhere(c) {
			c.Outcome = record.NotProvided
		}
		h.calls[e.Operation] = append(h.calls[e.Operation], c)
		h.byTick[c.Entry] = c
		h.keepLook(e, c)
		if e.Operation == OpGet {
			id := Text(c.Params, "capability_id")
			h.gets[id] = append(h.gets[id], c)
		}
		for _, link := range c.links {
			if link.Relation == record.Confirms {
				h.confirms[link.To] = append(h.confirms[link.To], c)
			}
		}
		if e.Outcome == record.NotSent {
			return
		}
		if e.Operation == OpInvoke {
			h.invocations = append(h.invocations, h.invocationOf(c))
		}
		h.keepChange(c)
	}
}

// Lists tells whether the answer to an operation is a list, which may be long.
func Lists(operation string) bool { return memberOf(operation) != "" }

// memberOf names the member that holds the list of an answer, "" where it is no list.
func memberOf(operation string) string {
	switch {
	case operation == OpAudit:
		return "records"
	case operation == OpExecLog:
		return "entries"
	case strings.HasPrefix(operation, OpPath):
		return "capabilities"
	case operation == OpList, operation == OpQuery, operation == OpLegacy, operation == OpCapabilityList:
		return "capabilities"
	default:
		return ""
	}
}

func (h *History) read(e record.Entry) *Call {
	c := &Call{
		Entry: e.Begun, Done: e.Done, Stimulus: e.Stimulus, About: e.About, Operation: e.Operation, Outcome: e.Outcome,
		Status: e.Status, Lost: suites.LostCall(e), Got: received(e), links: e.Links,
	}
	if sent, err := e.Sent.Text(); err == nil {
		c.Params, _ = valueOf(sent).(Object)
	}
	if e.Outcome != record.Returned || c.Lost != nil {
		return c
	}
	text, err := e.Received.Text()
	if err != nil {
		c.Lost = err
		return c
	}
	if e.Operation == OpManifest {
		if _, known := h.manifests[string(text)]; !known {
			h.manifests[string(text)] = valueOf(text)
		}
		c.Value = h.manifests[string(text)]
		return c
	}
	holder := memberOf(e.Operation)
	var elements []json.RawMessage
	if holder != "" {
		elements, c.Listed = elementsOf(text, holder)
	}
	if !c.Listed {
		c.Value = valueOf(text)
		return c
	}
	c.index = make(map[string]*Item, len(elements))
	for _, element := range elements {
		i := h.item(string(element), e.Begun)
		c.Items = append(c.Items, i)
		if c.index[i.ID] == nil {
			c.index[i.ID] = i
		}
	}
	return c
}

func (h *History) item(text string, entry record.Tick) *Item {
	if known := h.items[text]; known != nil {
		return known
	}
	i := &Item{Entry: entry, Value: valueOf([]byte(text))}
	i.Members, _ = i.Value.(Object)
	i.ID = Text(i.Members, "capability_id")
	if id, isText := i.Value.(string); isText {
		i.ID = id
	}
	h.items[text] = i
	return i
}

// elsewhere tells an answer on a path of the text that is what the server answers on every
// path that it does not serve: an error of its own, a page or a redirect, and no list.
func (h *History) elsewhere(c *Call) bool {
	if h.nowhere == nil || !strings.HasPrefix(c.Operation, OpPath) || c.Listed || c.Lost != nil || h.nowhere.Lost != nil {
		return false
	}
	return c.Outcome == h.nowhere.Outcome && c.Status == h.nowhere.Status
}

// received tells in a line what came back.
func received(e record.Entry) string {
	if err := suites.LostCall(e); err != nil {
		return err.Error()
	}
	answer, err := suites.AnswerOf(e)
	return suites.Received(answer, err)
}

// Served tells whether the operation is provided at all.
func (c *Call) Served() bool { return c.Lost != nil || c.Outcome != record.NotProvided }

// Returned tells whether a result came back.
func (c *Call) Returned() bool { return c.Lost == nil && c.Outcome == record.Returned }

// Accepted tells whether a result came back, and no error in its place.
func (c *Call) Accepted() bool { return c.Returned() && !c.saysError() }

// Refused tells whether an error came back. The text names none, so that any will do.
func (c *Call) Refused() bool {
	return c.Lost == nil && (c.Outcome == record.Refused || c.Outcome == record.Returned && c.saysError())
}

// saysError tells whether a result has an error, and no output.
func (c *Call) saysError() bool {
	told := Member(c.Value, "error")
	return told != nil && told != false && Member(c.Value, "output") == nil
}

// At gives the call of an entry, nil where there is none.
func (h *History) At(entry record.Tick) *Call {
	h.mu.RLock()
	defer h.mu.RUnlock()
	return h.byTick[entry]
}

// Missing says why an answer can't be used for anything else, nil if it can: no answer
// came, or the operation is not served. What is no response of the binding is a breach.
func (c *Call) Missing() error {
	switch {
	case c.Lost != nil:
		return fmt.Errorf("no answer to %s: %w", c.Operation, c.Lost)
	case !c.Served():
		return &suites.Inconclusive{
			Reason: c.Operation + " is not served",
			Supply: "serve it (suites/acd/ADAPTER.md), or map it under bindings in the target file",
		}
	}
	return nil
}

// Malformed tells an answer that is no response of the binding.
func (c *Call) Malformed() bool { return c.Lost == nil && c.Outcome == record.Malformed }

// Of gives the calls of an operation.
func (h *History) Of(operation string) []*Call {
	h.mu.RLock()
	defer h.mu.RUnlock()
	return h.calls[operation]
}

// Size tells how many calls the history holds.
func (h *History) Size() int {
	h.mu.RLock()
	defer h.mu.RUnlock()
	return len(h.byTick)
}

// Conclusion says why a stimulus was not performed, nil if it was.
func (h *History) Conclusion(stimulus string) error {
	h.mu.RLock()
	defer h.mu.RUnlock()
	return h.conclusions[stimulus]
}
