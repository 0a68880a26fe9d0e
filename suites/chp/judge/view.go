package judge

import (
	"errors"
	"slices"
	"strings"
	"sync"

	"github.com/capconform/capconform/suites/chp/history"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/rule"
	"github.com/capconform/capconform/suites/shape"
	"github.com/capconform/capconform/suites/verdict"
)

// Vocabulary returns what the rules of CHP can be about. It costs nothing until a rule is used.
var Vocabulary = sync.OnceValue(func() *rule.Vocabulary {
	kinds := []*rule.Kind{attempts(), eventKind(), denialRecords(), replayKind(), malformedEnvelopes(), objectKind(),
		capabilityKind(), hostKind(), comparisonKind(), discoveryKind(), run()}
	return rule.NewVocabulary(append(kinds, descriptionKinds()...), Functions()...)
})

// Functions returns the functions of the rules of CHP.
func Functions() []rule.Function {
	forms := sync.OnceValues(CompileForms)
	shapes := func(name string) (*shape.Shape, bool) {
		f, err := forms()
		if err != nil {
			return nil, false
		}
		of, known := map[string]*shape.Shape{"descriptor": f.Descriptor, "host": f.Host, "event": f.Event, "result": f.Result,
			"replay": f.Replay, "denial": f.Denial}[name]
		return of, known
	}
	return slices.Concat(rule.Shapes(shapes), []rule.Function{
		rule.FunctionOf("states_append_only", func(v any) any { return statesAppendOnly(v) }),
		rule.FunctionOfTwo("mentions", func(v any, text string) any { return history.Contains(v, text) }),
		rule.FunctionOfTwo("names_another", namesAnother),
		rule.FunctionOfTwo("schema_flaw", schemaFlaw()),
	}, denialFunctions(), eventFunctions(), threadFunctions())
}

// View returns the history as it is now, for rules.
func (j *Judge) View() *rule.View {
	if size := j.History.Size(); j.view == nil || size != j.viewed {
		j.view, j.viewed = rule.NewView(Vocabulary(), j.evidence, &j.History.Reading, j.unseen), size
	}
	return j.view
}

// run is the kind of the whole run: there is one.
func run() *rule.Kind {
	return rule.NewKind(rule.Run, func(j *evidence) []*evidence { return []*evidence{j} },
		func(*evidence) []record.Tick { return nil },
		rule.Many("attempts", "attempt", func(j *evidence) rule.List[attempt] {
			return rule.List[attempt]{Elements: j.allAttempts()}
		}),
		rule.Value("host_id", (*evidence).hostID),
		rule.Flag("capabilities_emit", (*evidence).capabilitiesEmit),
		rule.Flag("sends_markers", (*evidence).sendsMarkers),
		rule.Flag("replays_an_invocation", (*evidence).replaysAnInvocation),
		rule.Flag("has_own_binding", func(j *evidence) bool { return j.Bodies }),
	)
}

// hostID returns the id in the host descriptor.
func (j *evidence) hostID() any {
	if own := textOf(j.host().Result, "id"); own != "" {
		return own
	}
	return &rule.Gap{Reason: undecided("the host descriptor has no id"), Blocks: true}
}

// capabilitiesEmit reports whether an event that is not of the core belongs to an invocation that was sent, or names
// none. If all such events name invocations of another caller, they may belong to those that a capability made in turn.
func (j *evidence) capabilitiesEmit() bool {
	return slices.ContainsFunc(j.events(anyEvent), func(ev event) bool {
		return !core(ev.Event) && (ev.of != nil || ev.Invocation == "")
	})
}

// unseen returns the reason why a rule was judged on nothing.
func (j *evidence) unseen(n rule.Need) error {
	if n.Needs == "queries" {
		return j.noQueries()
	}
	if slices.Contains([]string{"descriptor", "discovery"}, n.Kind) {
		return j.undeclared()
	}
	kind, role, _ := strings.Cut(n.Needs, " ")
	if kind == "binding" && !j.Bodies {
		return verdict.Inapplicable("the binding is not CHP's own")
	}
	if kind == "success" && !slices.ContainsFunc(j.Of(history.Ordinary), succeeded) {
		return j.noSuccess()
	}
	these := j.Attempts()
	switch {
	case role != "":
		these = j.inRole(role)
	case n.Stimulus != "":
		these = j.Of(n.Stimulus)
	case n.Kind != "attempt":
		these = nil
	}
	if err := j.lost(these); err != nil {
		return err
	}
	if n.Stimulus != "" {
		if err := j.Conclusion(n.Stimulus); err != nil {
			return err
		}
	}
	if role != "" {
		if err := j.Missing(kind, role); err != nil {
			return err
		}
	}
	denied := func(a *history.Attempt) bool { return a.Outcome() == history.Denied }
	if n.NotObserved != "" && (n.Needs == "" || slices.ContainsFunc(these, denied)) {
		return verdict.NotObserved("%s", n.NotObserved)
	}
	if role != "" && n.NotObserved == "" {
		return j.notShown(role, n.Otherwise)
	}
	return nil
}

// noQueries returns the reason why no replay with an optional member was answered.
func (j *evidence) noQueries() error {
	if err := j.reason(j.Of(history.Shared), history.Shared); err != nil {
		return err
	}
	if err := j.Conclusion(history.Queries); err != nil {
		return err
	}
	return verdict.Undecided("no such query was answered")
}

func succeeded(a *history.Attempt) bool { return a.Outcome() == history.Success }

// noSuccess returns the reason why no ordinary invocation succeeded.
func (j *evidence) noSuccess() error {
	if err := j.NotReady(); err != nil {
		return err
	}
	if err := j.lost(j.Of(history.Ordinary)); err != nil {
		return err
	}
	return &verdict.Inconclusive{
		Reason: "no capability succeeded",
		Supply: "name one with an input that works in the target file: roles: {chp: {echo: {capability: ID, input: {...}}}}",
	}
}

// lostGap returns the gap of a call without an answer, nil if there was one, or if the host closed the connection
// instead of answering. A host that was only overloaded for a moment does not make a requirement undecided.
func (j *evidence) lostGap(c *history.Call) *rule.Gap {
	if c.Lost == nil || j.ClosedInsteadOfAnswer(c) {
		return nil
	}
	var open *verdict.Inconclusive
	return &rule.Gap{Reason: c.Lost, Blocks: !c.Throttled && !errors.As(c.Lost, &open)}
}
