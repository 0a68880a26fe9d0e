package judge

import (
	"errors"
	"fmt"

	"github.com/capconform/capconform/schemas"
	"github.com/capconform/capconform/suites/chp/history"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/verdict"
)

var closedSentences = []verdict.Sentence[*evidence]{
	verdict.SayOf(`each ([a-z-]+) conforms to its closed reading`, (*evidence).Closed),
}

// ClosedReading is the narrower reading of an object. It is applied only if the object satisfies
// the schema that decides, so that a defect counts once.
type ClosedReading struct{ decides, asks *schemas.Schema }

// CompileClosed compiles the closed reading of a schema in schemas/chp.
func CompileClosed(name string) (*ClosedReading, error) {
	decides, err := schemas.Own("chp/" + name + ".schema.json")
	if err != nil {
		return nil, fmt.Errorf("judge: %w", err)
	}
	asks, err := schemas.Own("chp/" + name + ".closed.schema.json")
	if err != nil {
		return nil, fmt.Errorf("judge: %w", err)
	}
	return &ClosedReading{decides, asks}, nil
}

// Causes returns the places where a value does not conform to the closed reading. The error is of a
// value that cannot be decided.
func (c *ClosedReading) Causes(value any) ([]schemas.Cause, error) {
	if c.decides.Validate(value) != nil {
		return nil, nil
	}
	err := c.asks.Validate(value)
	var invalid *schemas.Invalidity
	if errors.As(err, &invalid) {
		return invalid.Causes, nil
	}
	return nil, err
}

// Closed is the judgement of a closed reading: it validates by one of the closed schemas of
// schemas/chp.
func (j *evidence) Closed(name string) verdict.Verdict {
	r := &verdict.Verdict{}
	closed, err := CompileClosed(name)
	if err != nil {
		return r.OpenUnlessJudged(err)
	}
	for _, o := range j.objects(name) {
		r.Judged++
		if causes, _ := closed.Causes(o.members); len(causes) > 0 {
			r.AddBreach([]record.Tick{o.entry},
				o.what+" does not conform to the closed reading: "+causes[0].Keyword+" at "+causes[0].SchemaPointer,
				"the members and values of the schema", causes[0].String())
		}
	}
	return r.OpenUnlessJudged(verdict.Undecided("none of these objects was observed"))
}

// objects are those of a kind that were seen.
func (j *evidence) objects(name string) []shown {
	var all []shown
	switch name {
	case "capability-descriptor":
		return j.descriptors()
	case "host-descriptor":
		return j.hostDescriptors()
	case "invocation-result", "correlation-context":
		for _, a := range j.Attempts() {
			if a.Result != nil && name == "invocation-result" {
				all = append(all, shown{a.Result, "a result", a.Entry})
			}
			if context, ok := a.Result["correlation"].(history.Object); ok && name == "correlation-context" {
				all = append(all, shown{context, "a correlation context", a.Entry})
			}
		}
	case "evidence-event":
		for _, ev := range j.events(anyEvent) {
			all = append(all, shown{ev.Members(), "an event", ev.in.Entry})
		}
	case "replay-result":
		for _, r := range j.Replays() {
			if r.Head != nil {
				all = append(all, shown{r.Head, "a replay result", r.Entry})
			}
		}
	}
	return all
}
