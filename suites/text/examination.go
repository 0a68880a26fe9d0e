package text

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/live"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/rule"
	"github.com/capconform/capconform/suites/stimulus"
	"github.com/capconform/capconform/suites/verdict"
)

// examination is the examination of one target.
type examination struct {
	*history
	text    *Text
	subject *suites.Subject
	profile suites.Profile
	gate    *live.Gate
	info    driver.Info // what the session can do

	offering sync.Mutex          // of the capabilities of the profile
	offered  map[string][]string // the capabilities, by their names without case

	sent    atomic.Int64 // bytes
	viewing sync.Mutex
	view    *rule.View
	viewed  int // the size of the history then
}

// examine calls the probe: it returns an error only if the target does not answer.
func (t *Text) examine(ctx context.Context, subject *suites.Subject, gate *live.Gate) (*examination, error) {
	e := &examination{history: newHistory(), text: t, subject: subject, gate: gate, info: gate.Info(),
		offered: map[string][]string{}}
	e.binding = e.info.Binding
	e.profile = suites.Profile{Actors: []string{t.Actor}, Shown: []string{t.Actor}}
	if e.info.Bodies && slices.ContainsFunc(t.Operations, func(op operation) bool { return op.Method != "" }) {
		e.profile.Binding = strings.ToUpper(t.Name) + "'s own HTTP binding"
	}
	if len(subject.Actors) > 0 {
		e.profile.Actors = subject.Actors
	}
	answer, err := suites.Discover(ctx, gate, t.probe(), subject.Deadlines.Call, e.Control)
	if lost := (*driver.CallError)(nil); errors.As(err, &lost) && !suites.CanContinueAfter(lost) {
		return nil, lost
	}
	if err == nil && answer.Outcome == driver.Returned {
		t.Subject.into(&e.profile, answer.Result)
	}
	for _, op := range t.Operations {
		if op.Reads || op.ID != "" {
			continue
		}
		// The text does not say that the operation only reads, so only the user can admit it.
		gate.Offer(live.Candidate{ID: op.Name, Members: object{"readOnly": false}})
		e.addCapability(op.Name)
	}
	if err := e.begin(ctx); err != nil {
		return nil, err
	}
	return e, nil
}

// Steps implements suites.Examination.
func (e *examination) Steps(voc suites.Vocabulary, sc *suites.Scenario) {
	for _, s := range e.text.sentences {
		voc.Step(s.Expression(), s.Handler(e, func(ctx context.Context, judgement func() verdict.Verdict) error {
			return sc.Judge(ctx, func() (v verdict.Verdict) {
				e.traced(sc.Case.Requirement, func() { v = judgement() })
				return v
			})
		}))
	}
}

// Traced returns a text that passes on, while a record is judged, which answers the judgements of each requirement
// read. Those that decide whether requirements apply are those of "".
func (t *Text) Traced(trace func(requirement string, read map[record.Tick]bool)) *Text {
	traced := *t
	traced.trace = trace
	return &traced
}

// traced reads the history for a requirement.
func (e *examination) traced(requirement string, read func()) {
	if e.text.trace == nil {
		read()
		return
	}
	e.text.trace(requirement, e.View().Trace(read))
}

// View returns the history as it is now, for rules.
func (e *examination) View() *rule.View {
	e.viewing.Lock()
	defer e.viewing.Unlock()
	if size := e.Size(); e.view == nil || size != e.viewed {
		e.view, e.viewed = rule.NewView(e.text.vocabulary, e.history, &e.Reading, e.unseen), size
	}
	return e.view
}

// unseen returns the reason why a rule was judged on nothing.
func (e *examination) unseen(n rule.Need) error {
	if n.Stimulus != "" {
		if err := e.Conclusion(n.Stimulus); err != nil || n.NotObserved == "" {
			return err
		}
	}
	if n.NotObserved != "" { // which claims nothing, so that an answer that was lost changes nothing
		return verdict.NotObserved("%s", n.NotObserved)
	}
	for _, c := range e.all() {
		if c.Lost != nil && !e.unanswered(c) {
			return c.Lost
		}
	}
	for _, s := range e.text.stimuli {
		if err := e.Conclusion(s.Name); err != nil {
			return err
		}
	}
	return nil
}

// Condition implements suites.Examination.
func (e *examination) Condition(kind, name string) (err error) {
	if kind == "with" && name == "restart" {
		if e.subject.Restartable() {
			return nil
		}
		return verdict.NotObserved("a restart; the target file names no command under restart")
	}
	for _, c := range e.text.When {
		if kind == "when" && c.Name == name {
			e.traced("", func() { err = e.holds(c) })
			return err
		}
	}
	return fmt.Errorf("text: the tag @%s:%s has no meaning in a suite of one's own", kind, name)
}

// Control implements suites.Examination: a target is alive if it answers the probe.
func (e *examination) Control(ctx context.Context, session driver.Session) error {
	ctx, cancel := context.WithTimeout(ctx, e.subject.Deadlines.Call)
	defer cancel()
	answer, err := session.Call(ctx, e.text.probe())
	if err == nil && answer.Outcome != driver.Returned {
		err = fmt.Errorf("text: %s is not answered by a result", e.text.Probe)
	}
	return err
}

// Profile implements suites.Examination.
func (e *examination) Profile() suites.Profile {
	profile := e.profile
	profile.Capabilities = e.capabilities()
	return profile
}

// PerformAll implements suites.Provoker.
func (e *examination) PerformAll(ctx context.Context, sc *suites.Scenario) {
	var all []suites.Act[*examination]
	for _, s := range e.text.stimuli {
		all = append(all, suites.Act[*examination]{Name: s.Name,
			Perform: func(e *examination, ctx context.Context, l *suites.Laboratory) error {
				return s.Perform(ctx, &performer{examination: e, laboratory: l})
			}})
	}
	suites.PerformEach(ctx, sc, e, all)
}

var _ stimulus.Performer = (*performer)(nil)
