package act

import (
	"context"
	"slices"
	"strings"

	"github.com/capconform/capconform/schemas"
	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/acd/history"
	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/verdict"
)

// doubts settle doubts by repeated calls.
type doubts struct{ bench }

// settledAtOnce is the largest number of doubts of one judgement that are settled before it judges again.
const settledAtOnce = 4

// question is a call that is repeated to settle a doubt.
type question struct {
	operation string
	params    history.Object
}

// Settle makes the calls that settle doubts.
func (c *Caller) Settle(ctx context.Context, sc *suites.Scenario, what []verdict.Settle) {
	for _, s := range what[:min(len(what), settledAtOnce)] {
		if len(c.History.Confirmations(s)) == 0 {
			c.confirm(ctx, sc.Laboratory(s.Stimulus), s)
		}
	}
}

// confirm repeats the calls of a doubt several times. The repetitions do not alternate strictly: otherwise a value
// that changes with every second call would always appear the same.
func (c *Caller) confirm(ctx context.Context, l *suites.Laboratory, s verdict.Settle) {
	b := doubts{newBench(c, l)}
	defer b.clean(ctx)
	whole := c.History.Registry().Operation
	for n := range history.MaxConfirmations {
		for range n % 2 {
			_, _, _ = l.Do(ctx, suites.Call{Operation: driver.Operation{Name: whole, List: true}})
		}
		readings := b.readings(s)
		if n%2 == 0 && s.Stimulus == history.RunAgain {
			slices.Reverse(readings)
		}
		for _, one := range readings {
			op := driver.Operation{Name: one.operation, Params: jsonvalue.Encode(one.params), List: history.Lists(one.operation)}
			links := []record.Link{{Relation: record.Confirms, To: s.Of}}
			// The entry of the record shows the answer.
			_, _, _ = l.Do(ctx, suites.Call{About: history.About(s, n), Links: links, Operation: op})
		}
	}
}

// readings returns the calls of one repetition: the answer that names an id and the registry, the lists of both
// protocols, or an invocation and the readings around it.
func (b doubts) readings(s verdict.Settle) []question {
	id := s.About[history.AboutID]
	get := question{history.OpGet, object{"capability_id": id}}
	whole := question{b.History.Registry().Operation, object{}}
	log := question{history.OpExecLog, object{}}
	switch s.Stimulus {
	case history.BothAgain:
		return []question{whole, {history.OpCapabilityList, object{}}, whole}
	case history.ViewAgain:
		if s.About[history.AboutView] == history.OpPath || strings.HasPrefix(s.About[history.AboutView], history.OpPath+".") {
			if path := b.History.Whole(&history.View{ByPath: true}); path.Operation == history.OpPath {
				whole.operation = history.OpPath
			}
		}
		return []question{whole, viewOf(s), whole}
	case history.ReadAgain:
		return []question{whole, get, whole}
	case history.IndexAgain:
		return []question{whole, {history.OpManifest, object{}}, whole}
	case history.DocsAgain:
		return []question{{history.OpDocs, object{}}, whole, {history.OpManifest, object{}}}
	case history.ProjectAgain:
		params := object{"channel_id": s.About[history.AboutChannel], "capability_id": id}
		return []question{get, {history.OpProject, params}, get}
	case history.ShownAgain:
		return []question{get, {history.OpManifest, object{}},
			{history.OpDeclare, object{"channel_id": s.About[history.AboutChannel]}}, get}
	case history.DeclareAgain:
		manifest := question{history.OpManifest, object{}}
		return []question{manifest, {history.OpDeclare, object{"channel_id": s.About[history.AboutChannel]}}, manifest}
	case history.NamesAgain:
		return []question{b.naming(s, whole), get, whole}
	case history.RefuseAgain:
		return append(append([]question{get}, b.again(id, s.About[history.AboutMode], s.About[history.AboutHeld])...), get)
	case history.RunAgain:
		t := b.History.TrialOf(id)
		if t == nil || len(t.Ran()) == 0 {
			return nil
		}
		return append(b.again(id, s.About[history.AboutMode], history.HeldAll), b.again(id, t.Ran()[0], history.HeldAll)...)
	case history.WhereAgain:
		all := []question{get}
		if t := b.History.TrialOf(id); t != nil {
			for _, mode := range t.Ran() {
				all = append(all, b.again(id, mode, history.HeldAll)...)
			}
		}
		return append(all, log, get)
	}
	return nil
}

// naming returns the call whose answer names an id.
func (b doubts) naming(s verdict.Settle, whole question) question {
	return map[string]question{
		history.ByManifest:    {history.OpManifest, object{}},
		history.ByDeclaration: {history.OpDeclare, object{"channel_id": s.About[history.AboutChannel]}},
		history.ByHook:        whole,
		history.ByView:        viewOf(s),
	}[s.About[history.AboutBy]]
}

// viewOf returns the request of a list that was made before.
func viewOf(s verdict.Settle) question {
	params, _ := schemas.ReadValue([]byte(s.About[history.AboutParams])).(object)
	return question{s.About[history.AboutView], params}
}

// again returns the invocation of an entry that was made before, or of a meta-capability.
func (b doubts) again(id, mode, held string) []question {
	c := b.find(id)
	if c == nil {
		return nil
	}
	u := invocation{id: id, mode: mode, held: c.Required()}
	if held == history.HeldNone {
		u.held = nil
	}
	t := b.History.TrialOf(id)
	made, makeable := b.Input(c)
	switch {
	case t != nil:
		u.input = t.Input
	case makeable && !history.ChangesRegistry(id):
		u.input = made
	case history.ChangesRegistry(id) && len(b.Pool) > 0:
		of := b.copyOf(b.Pool[0], nil)
		u.input = object{"descriptor": of, "capability_id": of["capability_id"], "command_alias": "capconform-alias"}
	}
	return []question{{history.OpInvoke, paramsOf(u)}}
}
