package judge

import (
	"github.com/capconform/capconform/suites/cap/history"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/rule"
	"github.com/capconform/capconform/suites/verdict"
)

// stimulusDiscovery is the stimulus of the engine with which a run begins.
const stimulusDiscovery = "discovery"

// listing is an answer to capability.list.
type listing struct {
	*history.Listing
	in *evidence
}

func (l listing) first() bool { return l.Listing == l.in.First() }

// IsReturned reports whether the answer is a result. A later list may be refused since a limit was reached.
func (l listing) IsReturned() any {
	switch {
	case l.Unanswered():
		return &rule.Gap{Reason: l.Lost, Blocks: l.first()}
	case l.Absent:
		return blocked(verdict.Undecided("the source does not provide capability.list: see CAP-DIS-03"))
	case !l.Returned && l.Stimulus != stimulusDiscovery && l.MayBeLimit():
		return blocked(verdict.Undecided("a later list is refused: a limit of the source may explain it"))
	}
	return l.Returned
}

// Flaw is the first reason why an answer is not a list of manifests, or null.
func (l listing) Flaw() any {
	if len(l.Flaws) == 0 {
		return nil
	}
	return map[string]any{"message": l.Flaws[0].Message, "want": l.Flaws[0].Want, "got": l.Flaws[0].Got}
}

// ShowsManifest reports whether a list contains a manifest. The first list shows what there is to examine.
func (l listing) ShowsManifest() any {
	if l.first() && l.Empty() {
		return blocked(noCapability())
	}
	return !l.Empty()
}

// element is a manifest of a list that has a pair of id and version.
type element struct {
	Pair            history.Ref
	Place, Previous string // where it is, and where the same pair is before it
	entry           record.Tick
}

// Entries returns that of the list.
func (e *element) Entries() []record.Tick { return []record.Tick{e.entry} }

// elements returns the elements of all lists, those of equal answers once.
func (j *evidence) elements() []*element {
	var all []*element
	same := map[record.Tick]bool{}
	for _, l := range j.Lists() {
		if same[l.Same] {
			continue
		}
		same[l.Same] = true
		places := map[history.Ref]string{}
		for _, el := range l.Elements {
			if pair := el.Ref(); pair.ID != "" && pair.Version != "" {
				all = append(all, &element{pair, el.Pointer(), places[pair], l.Entry})
				places[pair] = el.Pointer()
			}
		}
	}
	return all
}

// call is a call of any operation of CAP.
type call struct {
	*history.Call
	Operation string
}

func (j *evidence) calls() []call {
	all := each(j.Lists(), func(l *history.Listing) call { return call{&l.Call, history.OpList} })
	all = append(all, each(j.Lookups(), func(l *history.Lookup) call { return call{&l.Call, history.OpDescribe} })...)
	return append(all, each(j.Attempts(), func(a *history.Attempt) call { return call{&a.Call, history.OpInvoke} })...)
}
