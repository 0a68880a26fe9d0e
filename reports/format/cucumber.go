package format

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"time"

	messages "github.com/cucumber/messages/go/v21"

	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/reports/display"
)

// cucumberVersion is the version of Cucumber Messages whose types are written.
const cucumberVersion = "21.0.1"

// writeCucumber writes Cucumber Messages, one per line: the features, and a test case for each
// scenario of the report. Requirements without a scenario, such as excluded ones, do not appear.
// The message of the end of the run contains the verdict and the counts.
func writeCucumber(w io.Writer, r *reports.Report, o Options) error {
	c := &cucumber{clock: r.Run.StartedAt.UTC(), strict: o.Strict || r.Run.Strict, options: o}
	c.send(&messages.Envelope{Meta: &messages.Meta{
		ProtocolVersion: cucumberVersion,
		Implementation:  &messages.Product{Name: "capconform", Version: display.LinesText(r.Harness.Version)},
		Runtime:         &messages.Product{Name: "go"}, Os: &messages.Product{Name: "unknown"},
		Cpu: &messages.Product{Name: "unknown"},
	}})
	var played []scenarioPickle
	for i := range r.Suites {
		cast, err := c.writeFeatures(&r.Suites[i], r.Subject.Driver == "documents")
		if err != nil {
			return err
		}
		played = append(played, cast...)
	}
	c.send(&messages.Envelope{TestRunStarted: &messages.TestRunStarted{Timestamp: c.now()}})
	for i := range played {
		c.testCase(&played[i])
	}
	for _, p := range played {
		c.writeOutcome(p)
	}
	c.send(&messages.Envelope{TestRunFinished: &messages.TestRunFinished{
		Message: display.LinesText(
			verdictLines(r),
		), Success: r.Verdict == reports.Conformant || r.Verdict == reports.Partial, Timestamp: c.now(),
	}})
	if c.err != nil {
		return fmt.Errorf("reports: cucumber: %w", c.err)
	}
	return display.EscapeControls(w, c.buf.String())
}

// verdictLines returns the verdict of the run and of each suite, as lines.
func verdictLines(r *reports.Report) string {
	text := "capconform: " + string(r.Verdict)
	if why := r.UnfinishedBy(); why != "" {
		text += ", " + display.FoldBreaks(why)
	}
	for i := range r.Suites {
		s := &r.Suites[i]
		text += fmt.Sprintf("\n%s: %s", s.Verdict, r.VerdictSentence(s))
	}
	return text
}

// cucumber writes one stream.
type cucumber struct {
	buf     bytes.Buffer
	ids     messages.Incrementing
	clock   time.Time
	strict  bool
	options Options
	err     error
}

// scenarioPickle is a scenario of the report with its pickle.
type scenarioPickle struct {
	requirement *reports.Requirement
	scenario    *reports.Scenario
	pickle      *messages.Pickle
	id          string
	steps       []string
}

func (c *cucumber) send(e *messages.Envelope) {
	if err := json.NewEncoder(&c.buf).Encode(e); err != nil && c.err == nil {
		c.err = err
	}
}

func (c *cucumber) now() *messages.Timestamp {
	return &messages.Timestamp{Seconds: c.clock.Unix(), Nanos: int64(c.clock.Nanosecond())}
}

// writeFeatures writes the features of a suite, and finds the pickle of each scenario: the report lists the
// scenarios of a requirement in the order of the features.
func (c *cucumber) writeFeatures(s *reports.Suite, documents bool) ([]scenarioPickle, error) {
	text, err := c.options.featureSet(s.Suite, &c.ids)
	if err != nil {
		return nil, err
	}
	for i, file := range text.Sources {
		c.send(&messages.Envelope{Source: &messages.Source{
			Uri: file.Name, Data: string(file.Text), MediaType: messages.SourceMediaType_TEXT_X_CUCUMBER_GHERKIN_PLAIN,
		}})
		c.send(&messages.Envelope{GherkinDocument: text.Documents[i]})
		for _, p := range text.Pickles[i] {
			c.send(&messages.Envelope{Pickle: p})
		}
	}
	var cast []scenarioPickle
	known := text.ScenariosByRequirement(documents)
	for i := range s.Requirements {
		q := &s.Requirements[i]
		rest := known[q.ID]
		for j := range q.Scenarios {
			for len(rest) > 0 && rest[0].Name != q.Scenarios[j].Name {
				rest = rest[1:]
			}
			if len(rest) == 0 {
				return nil, fmt.Errorf("reports: cucumber: %w: %s %q", reports.ErrFeatures, q.ID, q.Scenarios[j].Name)
			}
			cast = append(cast, scenarioPickle{requirement: q, scenario: &q.Scenarios[j], pickle: rest[0]})
			rest = rest[1:]
		}
	}
	return cast, nil
}

func (c *cucumber) testCase(p *scenarioPickle) {
	p.id = c.ids.NewId()
	test := &messages.TestCase{Id: p.id, PickleId: p.pickle.Id, TestSteps: []*messages.TestStep{}}
	for _, s := range p.pickle.Steps {
		id := c.ids.NewId()
		p.steps = append(p.steps, id)
		test.TestSteps = append(test.TestSteps, &messages.TestStep{Id: id, PickleStepId: s.Id})
	}
	c.send(&messages.Envelope{TestCase: test})
}

// writeOutcome writes the outcome of a scenario. Steps before the deciding one passed, steps after it were
// skipped. If the deciding step is unknown, the first one takes its place.
func (c *cucumber) writeOutcome(p scenarioPickle) {
	attempt := c.ids.NewId()
	c.send(&messages.Envelope{TestCaseStarted: &messages.TestCaseStarted{Id: attempt, TestCaseId: p.id,
		Timestamp: c.now()}})
	shown := reports.Requirement{Level: p.requirement.Level, Status: p.scenario.Status, Known: p.requirement.Known}
	words := wordingOf(reports.MarkOf(&shown, c.strict))
	decided, at := words.step != "PASSED", p.deciding()
	took := p.scenario.DurationMS * int64(time.Millisecond)
	c.clock = c.clock.Add(time.Duration(took))
	for i, step := range p.steps {
		c.send(&messages.Envelope{TestStepStarted: &messages.TestStepStarted{TestCaseStartedId: attempt, TestStepId: step,
			Timestamp: c.now()}})
		result := &messages.TestStepResult{Status: "PASSED", Duration: &messages.Duration{}}
		switch {
		case decided && i == at:
			result.Status, result.Message = messages.TestStepResultStatus(words.step), display.LinesText(p.explanation())
			c.attach(p, attempt, step)
		case decided && i > at:
			result.Status = "SKIPPED"
		}
		if i == at {
			result.Duration = &messages.Duration{Seconds: took / int64(time.Second), Nanos: took % int64(time.Second)}
		}
		c.send(&messages.Envelope{TestStepFinished: &messages.TestStepFinished{
			TestCaseStartedId: attempt, TestStepId: step, TestStepResult: result, Timestamp: c.now(),
		}})
	}
	c.send(&messages.Envelope{TestCaseFinished: &messages.TestCaseFinished{TestCaseStartedId: attempt,
		Timestamp: c.now()}})
}

// deciding returns the index of the step that decided.
func (p scenarioPickle) deciding() int {
	if f := p.scenario.Failure; f != nil {
		for i, s := range p.pickle.Steps {
			if s.Text == f.Step {
				return i
			}
		}
	}
	return 0
}

// explanation returns the reason why a scenario has its status.
func (p scenarioPickle) explanation() string {
	if p.scenario.Failure == nil {
		return string(p.scenario.Status) + ": " + display.FoldBreaks(p.scenario.Reason)
	}
	var text bytes.Buffer
	explainFailure(&text, &reports.Failure{
		Message: p.scenario.Failure.Message, Want: p.scenario.Failure.Want, Got: p.scenario.Failure.Got,
		Kinds: p.scenario.Failure.Kinds, Hint: p.scenario.Failure.Hint, Repeat: p.scenario.Failure.Repeat,
	})
	return text.String()
}

// attach writes the exchanges, and the findings in documents.
func (c *cucumber) attach(p scenarioPickle, attempt, step string) {
	if p.scenario.Failure == nil {
		return
	}
	var text bytes.Buffer
	explainFailure(&text, &reports.Failure{Findings: p.scenario.Failure.Findings, Exchanges: p.scenario.Failure.Exchanges})
	if text.Len() == 0 {
		return
	}
	c.send(&messages.Envelope{Attachment: &messages.Attachment{
		Body: display.LinesText(text.String()), ContentEncoding: messages.AttachmentContentEncoding_IDENTITY,
		MediaType: "text/plain", TestCaseStartedId: attempt, TestStepId: step,
	}})
}
