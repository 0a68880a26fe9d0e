package chpdocument

import (
	"strconv"

	"github.com/capconform/capconform/suites/chp/history"
	"github.com/capconform/capconform/suites/document"
)

// entry is one evidence event of a document.
type entry struct {
	node        *document.Node
	kind        string
	id          string
	invocation  string
	host        string
	correlation string
	sequence    uint64
	numbered    bool // sequence is known
	tooLarge    bool // it is a whole number beyond 64 bits
}

func newEntry(n *document.Node) *entry {
	e := &entry{node: n}
	for i := range n.Members {
		switch m := &n.Members[i]; m.Name {
		case "event_type":
			e.kind = m.Value.Str()
		case "event_id":
			e.id = m.Value.Str()
		case "invocation_id":
			e.invocation = m.Value.Str()
		case "host_id":
			e.host = m.Value.Str()
		case "correlation":
			e.correlation = m.Value.Get("correlation_id").Str()
		case "sequence":
			e.number(m.Value)
		}
	}
	return e
}

// identity distinguishes an event from all others: two hosts whose events are in one log may use
// the same ids.
func (e *entry) identity() string { return e.id + "\x00" + e.host }

// number reads a sequence. It accepts 7.0 as 7.
func (e *entry) number(n *document.Node) {
	if !n.Is(document.Number) {
		return
	}
	var err error
	if e.sequence, err = strconv.ParseUint(n.Text, 10, 64); err == nil {
		e.numbered = true
		return
	}
	if whole, ok := history.WholeNumber(n.Value()); ok && whole.Sign() >= 0 {
		e.sequence, e.numbered, e.tooLarge = whole.Uint64(), whole.IsUint64(), !whole.IsUint64()
	}
}

// core distinguishes the events of the host from the events that a capability emits. An event
// without a type counts as one of the host, since those of a capability have a type.
func (e *entry) core() bool { return history.IsCoreType(e.kind) }

const memberPayload = "payload"

// event judges the members of an event except its payload.
func (o *objects) event(file string, e *entry) {
	own := !e.core()
	if own {
		o.AddKind(kindCustom)
	} else {
		o.AddKind(kindEvents)
	}
	for _, p := range o.forms.Event.Parts {
		switch {
		case p.Member == memberPayload:
		case own:
			o.member(p, idCustom, file, e.node)
		default:
			o.member(p, p.Requirement, file, e.node)
		}
	}
	o.denial(file, e.node.Get("denial"))
	o.closedContext(file, e.node.Get("correlation"))
	o.closedForm(formEvent, file, e.node)
}
