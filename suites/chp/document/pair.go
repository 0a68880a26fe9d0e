package chpdocument

import (
	"slices"

	"github.com/capconform/capconform/suites/chp/history"
	"github.com/capconform/capconform/suites/jsonvalue"
)

// pairs follows the invocations of one log from their start to their end. It keeps the invocations that
// are open, and a bounded number of those that ended.
type pairs struct {
	*evidence
	file         string
	open         map[uint64][]uint64 // invocations that began, with the hosts that began them
	overflowed   bool                // more invocations were open than are kept
	ended        boundedSet          // invocations that ended, with the hosts that ended them
	untyped      map[uint64]bool     // invocations with an event that has no type
	unnamedStart bool                // a start names no invocation
	unreadable   string              // the first place that cannot be read
	doubts       []*doubt
	doubted      map[uint64][]*doubt
	executed     []*entry // skips of invocations that began and did not end before
}

func newPairs(v *evidence, file string) *pairs {
	return &pairs{evidence: v, file: file, open: map[uint64][]uint64{}, doubted: map[uint64][]*doubt{},
		untyped: map[uint64]bool{}}
}

// maxOpen bounds the invocations that are kept while they are open.
const maxOpen = 1 << 20

// doubt is a closing event without a start before it in the text: the text is out of order, or the
// start lies before the beginning, or the start is missing.
type doubt struct {
	*entry
	second     bool   // the invocation was closed before
	unreadable string // the first place before it that cannot be read
}

// add adds an event.
func (p *pairs) add(e *entry) {
	outcome, closes := history.OutcomeOfEvent[e.kind]
	switch {
	case e.invocation == "" && e.kind == history.EventStarted:
		p.unnamedStart = true
	case e.invocation != "" && e.kind == "" && len(p.untyped) < maxOpen:
		p.untyped[p.hash(e.invocation)] = true
	}
	if e.invocation == "" || !closes && e.kind != history.EventStarted {
		return
	}
	key, host := p.hash(e.invocation), p.hash(e.host)
	if e.kind == history.EventStarted {
		p.start(e, key, host)
		return
	}
	p.AddKind(kindClosed)
	p.addKindOf(e.kind)
	if said := e.node.Get("outcome").Str(); said != "" {
		p.judge(ofEnding, p.file, e.node.Get("outcome"),
			facts{"type": e.kind, "claimed_outcome": said, "outcome_of_type": outcome})
	}
	p.report(p.file, e, outcome)
	p.close(e, key, host)
}

func (p *pairs) start(e *entry, key, host uint64) {
	for i, d := range p.doubted[key] {
		if d.host == e.host && d.numbered && e.numbered && e.sequence < d.sequence {
			p.doubted[key] = slices.Delete(p.doubted[key], i, i+1) // out of order, which CHP-10-10 judges
			p.doubts = slices.DeleteFunc(p.doubts, func(other *doubt) bool { return other == d })
			return
		}
	}
	began, isOpen := p.open[key]
	switch {
	case !isOpen && len(p.open) >= maxOpen:
		p.overflowed = true
	case !slices.Contains(began, host):
		p.open[key] = append(began, host)
	}
}

// close ends an invocation that is open: for the same host, or for another one if the invocation was
// handed on. Denials and skips need no start.
func (p *pairs) close(e *entry, key, host uint64) {
	began := p.open[key]
	closedBefore, bySame := p.ended.find(key, uint32(host))
	if e.kind == history.EventSkipped && slices.Contains(began, host) && len(p.executed) < maxDoubts {
		p.executed = append(p.executed, e)
	}
	switch i := slices.Index(began, host); {
	case len(began) > 1:
		p.open[key] = slices.Delete(began, max(i, 0), max(i, 0)+1)
	case len(began) == 1:
		delete(p.open, key)
	case bySame:
		p.addDoubt(&doubt{e, true, p.unreadable}, key)
	case !closedBefore && (e.kind == history.EventCompleted || e.kind == history.EventFailed):
		p.addDoubt(&doubt{e, false, p.unreadable}, key)
	}
	if !bySame {
		p.ended.add(key, uint32(host))
	}
}

// maxDoubts bounds the events that wait for their start. With so many, there are enough to report.
const maxDoubts = 1 << 12

func (p *pairs) addDoubt(d *doubt, key uint64) {
	if len(p.doubts) < maxDoubts {
		p.doubts = append(p.doubts, d)
		p.doubted[key] = append(p.doubted[key], d)
	}
}

// settle judges the closing events without a start. The function complete reports whether the log contains all events
// of an invocation.
func (p *pairs) settle(complete func(*doubt) bool) {
	for _, d := range p.doubts {
		missing := any(true)
		if why := p.mayBeStarted(d, complete); why != "" {
			missing = open("the start of %s at %s:%d:%d may %s", jsonvalue.Print(d.kind), p.file, d.node.Line, d.node.Column,
				why)
		}
		lacking := "lacks_start"
		if d.second {
			lacking = "repeats_end"
		}
		p.judge(ofEnding, p.file, d.node, facts{"type": d.kind, lacking: missing})
	}
}

// mayBeStarted returns where the start of an invocation may be, "" if it is missing.
func (p *pairs) mayBeStarted(d *doubt, complete func(*doubt) bool) string {
	switch {
	case d.unreadable != "":
		return "be in the part that cannot be read: " + d.unreadable
	case !d.second && (p.unnamedStart || p.untyped[p.hash(d.invocation)]):
		return "be an event without a type or an invocation"
	case p.overflowed, p.ended.discarded && !d.second:
		return "be too far back in the log"
	case !d.second && !complete(d):
		return "lie before the beginning of the file"
	}
	return ""
}

// settleSkips judges the skips of invocations that began before. The function ordered reports whether the
// events of a host are in the order of its sequence.
func (p *pairs) settleSkips(ordered func(host string) bool) {
	for _, e := range p.executed {
		follows := any(true)
		if !ordered(e.host) {
			follows = open("the execution_started of the skip at %s:%d:%d may be a later one, since %s is not in the order "+
				"of its sequence", p.file, e.node.Line, e.node.Column, p.file)
		}
		p.judge(ofEnding, p.file, e.node, facts{"type": e.kind, "follows_start": follows})
	}
}
