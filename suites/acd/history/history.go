// Package history reads the record of a run as the objects of ACD: registries, manifests
// and what the agent does with them (DESIGN section 11). It judges nothing.
package history

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/reading"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/transcript"
	"github.com/capconform/capconform/suites/verdict"
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
	reading.Reading

	calls         map[string]*reading.Series[*Call] // by operation
	lists         map[listDigest]list               // by their text
	items         map[string]*Item                  // by text
	manifests     map[string]any                    // by text
	confirmations map[string]Confirmation           // by stimulus and parameters
	asked         []asked                           // of parties that the suite plays
	nowhere       *Call                             // a path that no text knows
	size          int                               // how many calls there are
	invocations   reading.Series[*Invocation]
	copies        []*Copy
	byID          map[string]*Copy
	changes       reading.Series[*Call] // those that made the states of copies
	changed       int                   // how many those are
	stock         stock
	confirms      map[record.Tick][]*Call // by the entry that they confirm
	gets          map[string][]*Call      // readings of one entry, by its id
}

// New makes an empty history.
func New() *History {
	return &History{
		calls: map[string]*reading.Series[*Call]{}, lists: map[listDigest]list{}, items: map[string]*Item{},
		manifests: map[string]any{}, confirmations: map[string]Confirmation{},
		byID: map[string]*Copy{}, confirms: map[record.Tick][]*Call{}, gets: map[string][]*Call{},
	}
}

// Call is one call and what came of it.
type Call struct {
	reading.Observed
	Operation string
	Params    Object
	ID        string // of the capability that it names
	Channel   string // that it names
	Outcome   record.Outcome
	Status    int
	Value     any // of a result, decoded; nil for a list, which has items
	list
	closedTwice bool // the connection was closed twice, while the subject went on serving others
}

// list is what an answer lists.
type list struct {
	Items  []*Item
	Listed bool             // a list is what came back
	index  map[string]*Item // the first item of each id
}

// Item is one element of a list. It stands once, however many lists show it.
type Item struct {
	Entry   record.Tick // that showed it first, a list of the registry if one did
	ID      string      // of a descriptor, or the id that stands in its place
	Value   any
	Members Object // nil where it is no object

	registered bool // a list of the registry showed it
	sent       *element
}

// Readings keep what was found out about the item, also where a record is judged again in which it
// stands. They are nil for an item of no list.
func (i *Item) Readings() *record.Readings {
	if i.sent == nil {
		return nil
	}
	return &i.sent.readings
}

// Add takes an entry. The entries come in the order in which they were done.
func (h *History) Add(e record.Entry) {
	h.Lock()
	defer h.Unlock()
	switch {
	case h.Conclude(e):
	case e.Party != record.Target:
		h.asked = append(h.asked, asked{e.Party, e.Operation, e.Begun})
	case e.Operation == transcript.Nowhere:
		if h.nowhere == nil {
			h.nowhere = h.read(e)
		}
	default:
		h.addCall(h.read(e))
	}
}

// addCall adds a call, but for one whose connection was closed and that is made once more, and for
// a control, which tells that an answer was owed.
func (h *History) addCall(c *Call) {
	of, controls := c.Link(record.ControlOf)
	closed := reading.Held[*Call](&h.Reading, of)
	switch _, again := c.Link(record.RetryOf); {
	case controls && c.Stimulus == controlling:
		if closed != nil && c.Accepted() {
			closed.closedTwice = true
		}
	case c.Closed && !again:
	default:
		h.add(c)
	}
}

// controlling is the engine's own stimulus by which it asks whether the subject is there.
const controlling = "control"

func (h *History) add(c *Call) {
	if h.elsewhere(c) {
		c.Outcome = record.NotProvided
	}
	if h.calls[c.Operation] == nil {
		h.calls[c.Operation] = &reading.Series[*Call]{}
	}
	h.calls[c.Operation].Add(c)
	h.Put(c.Entry, c)
	h.size++
	h.keepConfirmation(c)
	if c.Operation == OpGet {
		h.gets[c.ID] = append(h.gets[c.ID], c)
	}
	if of, confirms := c.Link(record.Confirms); confirms {
		h.confirms[of] = append(h.confirms[of], c)
	}
	if c.Outcome == record.NotSent {
		return
	}
	if c.Operation == OpInvoke {
		h.invocations.Add(h.invocationOf(c))
	}
	h.keepChange(c)
}

// asked is what the subject asked of a party that the suite plays.
type asked struct {
	party     record.Party
	operation string
	at        record.Tick
}

// AskedModel reports whether the subject asked the language model between two calls.
func (h *History) AskedModel(from, to *Call) bool {
	h.RLock()
	defer h.RUnlock()
	h.Gives(from)
	h.Gives(to)
	return slices.ContainsFunc(h.asked, func(a asked) bool {
		return a.party == record.Model && a.at > from.Entry && a.at < to.Entry
	})
}

// Escaped returns the entry by which the shell did something to us, 0 if it did not.
func (h *History) Escaped(operation string) record.Tick {
	h.RLock()
	defer h.RUnlock()
	for _, a := range h.asked {
		if a.party == record.Service && a.operation == operation {
			return a.at
		}
	}
	return 0
}

// Lists reports whether the answer to an operation is a list, which may be long.
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
	c := *record.Once(e, readCall)
	text := reading.ResultOf(e)
	if text == nil || c.Lost != nil {
		return &c
	}
	if e.Operation == OpManifest {
		if _, known := h.manifests[string(text)]; !known {
			h.manifests[string(text)] = record.Once(e, readResult).value
		}
		c.Value = h.manifests[string(text)]
		return &c
	}
	if Lists(e.Operation) {
		c.list = h.list(e)
	}
	if !c.Listed {
		c.Value = record.Once(e, readResult).value
	}
	return &c
}

// readCall reads what does not depend on other entries, but for the result.
func readCall(e record.Entry) *Call {
	c := &Call{Observed: reading.Observe(e), Operation: e.Operation, Outcome: e.Outcome, Status: e.Status}
	if sent, err := e.Sent.Text(); err == nil {
		c.Params, _ = valueOf(sent).(Object)
		c.ID, c.Channel = Text(c.Params, "capability_id"), cmp.Or(Text(c.Params, "channel_id"), Text(c.Params, "channel"))
	}
	return c
}

// result is a result, decoded.
type result struct{ value any }

func readResult(e record.Entry) result { return result{valueOf(reading.ResultOf(e))} }

// list reads a list, unless the same text was read before: most calls show the list that an
// earlier one showed.
func (h *History) list(of record.Entry) list {
	digest := record.Once(of, digestOf)
	if known, is := h.lists[digest]; is {
		return known
	}
	sent := record.Once(of, readElements)
	l := list{Listed: sent.listed, index: make(map[string]*Item, len(sent.all))}
	for _, one := range sent.all {
		i := h.item(one, of)
		l.Items = append(l.Items, i)
		if l.index[i.ID] == nil {
			l.index[i.ID] = i
		}
	}
	h.lists[digest] = l
	return l
}

func (h *History) item(sent *element, of record.Entry) *Item {
	registry := of.Operation == OpList || of.Operation == OpPath
	if known := h.items[sent.text]; known != nil {
		if registry && !known.registered {
			known.Entry, known.registered = of.Begun, true
		}
		return known
	}
	i := &Item{Entry: of.Begun, Value: sent.value(), registered: registry, sent: sent}
	i.Members, _ = i.Value.(Object)
	i.ID = Text(i.Members, "capability_id")
	if id, isText := i.Value.(string); isText {
		i.ID = id
	}
	h.items[sent.text] = i
	return i
}

// elsewhere tells an answer on a path of the text that is what the server answers on every
// path that it does not serve: an error, a page or a redirect, and no list.
func (h *History) elsewhere(c *Call) bool {
	if h.nowhere == nil || !strings.HasPrefix(c.Operation, OpPath) || c.Listed || c.Lost != nil || h.nowhere.Lost != nil {
		return false
	}
	return c.Outcome == h.nowhere.Outcome && c.Status == h.nowhere.Status
}

// Served reports whether the operation is provided at all.
func (c *Call) Served() bool { return c.Lost != nil || c.Outcome != record.NotProvided }

// Returned reports whether a result came back.
func (c *Call) Returned() bool { return c.Lost == nil && c.Outcome == record.Returned }

// Accepted reports whether a result came back, and no error in its place.
func (c *Call) Accepted() bool { return c.Returned() && !c.saysError() }

// Refused reports whether an error came back. The text names none, so that any will do.
func (c *Call) Refused() bool {
	return c.Lost == nil && (c.Outcome == record.Refused || c.Outcome == record.Returned && c.saysError())
}

// saysError reports whether a result has an error, and no output.
func (c *Call) saysError() bool {
	told := Member(c.Value, "error")
	return told != nil && told != false && Member(c.Value, "output") == nil
}

// At returns the call of an entry, nil if there is none.
func (h *History) At(entry record.Tick) *Call { return reading.ObjectAt[*Call](&h.Reading, entry) }

// Missing returns why an answer cannot be used for anything else, nil if it can: no answer
// came, or the operation is not served. What is no response of the binding is a breach.
func (c *Call) Missing() error {
	switch {
	case c.Lost != nil && !c.closedInsteadOfAnswer():
		return fmt.Errorf("no answer to %s: %w", c.Operation, c.Lost)
	case !c.Served():
		return &verdict.Inconclusive{
			Reason: c.Operation + " is not served",
			Supply: "serve it (suites/acd/ADAPTER.md), or map it under bindings in the target file",
		}
	}
	return nil
}

// Declares returns the ids that a channel declares.
func (c *Call) Declares() []string { return jsonvalue.Texts(Member(c.Value, "capabilities")) }

// IsConfirmation reports whether the call settles a doubt, or confirms a refusal.
func (c *Call) IsConfirmation() bool { return c.About[AboutConfirmation] != "" }

// Malformed tells an answer that is no response of the binding, or none at all where one is owed.
func (c *Call) Malformed() bool {
	return c.Lost == nil && c.Outcome == record.Malformed || c.closedInsteadOfAnswer()
}

// closedInsteadOfAnswer reports whether the connection of a call was closed twice while the subject
// continued to serve other calls.
func (c *Call) closedInsteadOfAnswer() bool { return c.Closed && c.closedTwice }

// Of returns the calls of an operation.
func (h *History) Of(operation string) []*Call {
	h.RLock()
	calls := h.calls[operation]
	h.RUnlock()
	return reading.AllOf(&h.Reading, calls)
}

// Size tells how many calls the history holds.
func (h *History) Size() int {
	h.RLock()
	defer h.RUnlock()
	return h.size
}
