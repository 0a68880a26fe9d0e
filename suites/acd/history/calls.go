package history

import (
	"strings"

	"github.com/capconform/capconform/suites/reading"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/verdict"
)

// calls are the calls of one run, in order, and the objects that their answers show.
type calls struct {
	reading.Reading

	byOperation   map[string]*reading.Series[*Call]
	lists         map[listDigest]list     // by their text
	items         map[string]*Item        // by text
	manifests     map[string]any          // by text
	confirmations map[string]Confirmation // by stimulus and parameters
	confirms      map[record.Tick][]*Call // by the entry that they confirm
	gets          map[string][]*Call      // readings of one entry, by its id
	invocations   reading.Series[*Invocation]
	undefinedPath *Call // the answer on a path that the text does not define
	size          int   // the number of calls
}

func newCalls() calls {
	return calls{
		byOperation: map[string]*reading.Series[*Call]{}, lists: map[listDigest]list{}, items: map[string]*Item{},
		manifests: map[string]any{}, confirmations: map[string]Confirmation{}, confirms: map[record.Tick][]*Call{},
		gets: map[string][]*Call{},
	}
}

// add stores a call.
func (h *calls) add(c *Call) {
	if h.isUndefinedPathAnswer(c) {
		c.Outcome = record.NotProvided
	}
	if h.byOperation[c.Operation] == nil {
		h.byOperation[c.Operation] = &reading.Series[*Call]{}
	}
	h.byOperation[c.Operation].Add(c)
	h.Put(c.Entry, c)
	h.size++
	h.keepConfirmation(c)
	if c.Operation == OpGet {
		h.gets[c.ID] = append(h.gets[c.ID], c)
	}
	if of, confirms := c.Link(record.Confirms); confirms {
		h.confirms[of] = append(h.confirms[of], c)
	}
	if c.Operation == OpInvoke && c.Outcome != record.NotSent {
		h.invocations.Add(invocationOf(c))
	}
}

func (h *calls) read(e record.Entry) *Call {
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

// list reads a list. Most calls return a list that an earlier call returned, so each text is read once.
func (h *calls) list(of record.Entry) list {
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

func (h *calls) item(sent *element, of record.Entry) *Item {
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

// isUndefinedPathAnswer reports whether an answer on a path of the text is the answer of the server on every path that
// it does not serve: an error, a page or a redirect, and not a list.
func (h *calls) isUndefinedPathAnswer(c *Call) bool {
	if h.undefinedPath == nil || !strings.HasPrefix(c.Operation, OpPath) || c.Listed || c.Lost != nil ||
		h.undefinedPath.Lost != nil {
		return false
	}
	return c.Outcome == h.undefinedPath.Outcome && c.Status == h.undefinedPath.Status
}

// At returns the call of an entry, nil if there is none.
func (h *calls) At(entry record.Tick) *Call { return reading.ObjectAt[*Call](&h.Reading, entry) }

// Of returns the calls of an operation.
func (h *calls) Of(operation string) []*Call {
	h.RLock()
	calls := h.byOperation[operation]
	h.RUnlock()
	return reading.AllOf(&h.Reading, calls)
}

// Size returns the number of calls in the history.
func (h *calls) Size() int {
	h.RLock()
	defer h.RUnlock()
	return h.size
}

// Confirmations returns the confirmations that settled a doubt, in order. It returns none if the doubt is not settled
// yet, or if a call is missing.
func (h *calls) Confirmations(s verdict.Settle) []Confirmation {
	h.RLock()
	defer h.RUnlock()
	var all []Confirmation
	for n := range MaxConfirmations {
		confirmation := h.confirmations[confirmationKey(s.Stimulus, About(s, n))]
		if len(confirmation) == 0 || n > 0 && len(confirmation) != len(all[0]) {
			return nil
		}
		for _, c := range confirmation {
			h.NoteObject(c)
		}
		all = append(all, confirmation)
	}
	return all
}

// keepConfirmation adds a call to its confirmation. A call that was repeated after a closed connection replaces the
// first one.
func (h *calls) keepConfirmation(c *Call) {
	if !c.IsConfirmation() {
		return
	}
	key := confirmationKey(c.Stimulus, c.About)
	confirmation := h.confirmations[key]
	if len(confirmation) > 0 && c.Is(record.RetryOf, confirmation[len(confirmation)-1].Entry) {
		confirmation = confirmation[:len(confirmation)-1]
	}
	h.confirmations[key] = append(confirmation, c)
}

// Confirming returns the calls by which an answer was confirmed, in their order.
func (h *calls) Confirming(entry record.Tick) []*Call {
	h.RLock()
	defer h.RUnlock()
	for _, c := range h.confirms[entry] {
		h.NoteObject(c)
	}
	return h.confirms[entry]
}

// UndefinedPathUnanswered reports whether a request of an undefined path got no answer at all. The paths of the lists
// then get none either.
func (h *calls) UndefinedPathUnanswered() bool {
	h.RLock()
	defer h.RUnlock()
	return h.undefinedPath != nil && h.undefinedPath.Lost != nil
}

// Invocations returns the calls of the engine that were sent.
func (h *calls) Invocations() []*Invocation {
	return reading.AllOf(&h.Reading, &h.invocations)
}

// LogAfter returns the first log of executions that was read after a call and before the next entry that may affect
// the log, nil if there is none.
func (h *calls) LogAfter(after record.Tick) *Call {
	for _, c := range h.Of(OpExecLog) {
		if c.Entry > after && c.Accepted() {
			return c
		}
	}
	return nil
}
