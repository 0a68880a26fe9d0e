package judge

import (
	"errors"
	"fmt"
	"sync"

	"github.com/capconform/capconform/schemas"
	"github.com/capconform/capconform/suites/chp/history"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/rule"
)

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

// protocolObject is an object of the protocol that an answer shows.
type protocolObject struct {
	shown
	form string // the name of its schema
}

func objectKind() *rule.Kind {
	forms := []string{
		"capability-descriptor",
		"host-descriptor",
		"invocation-result",
		"correlation-context",
		"evidence-event",
		"replay-result",
	}
	list := func(j *evidence) []*protocolObject {
		var all []*protocolObject
		for _, form := range forms {
			for _, o := range j.objects(form) {
				all = append(all, &protocolObject{o, form})
			}
		}
		return all
	}
	closed := map[string]func() (*ClosedReading, error){}
	for _, form := range forms {
		closed[form] = sync.OnceValues(func() (*ClosedReading, error) { return CompileClosed(form) })
	}
	return rule.NewKind("object", list, func(o *protocolObject) []record.Tick { return []record.Tick{o.entry} },
		rule.Text("form", func(o *protocolObject) string { return o.form }),
		rule.Text("name", func(o *protocolObject) string { return o.what }), // for messages
		rule.Value("closed_flaw", func(o *protocolObject) any { return closedFlaw(closed[o.form], o.members) }),
	)
}

// closedFlaw returns the first place where an object does not conform to its closed reading, null if it does.
func closedFlaw(compile func() (*ClosedReading, error), members history.Object) any {
	closed, err := compile()
	if err != nil {
		return &rule.Gap{Reason: err, Blocks: true}
	}
	causes, _ := closed.Causes(members)
	if len(causes) == 0 {
		return nil
	}
	return history.Object{"place": causes[0].Keyword + " at " + causes[0].SchemaPointer, "text": causes[0].String()}
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
