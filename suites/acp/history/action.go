package history

import (
	"slices"

	"github.com/capconform/capconform/suites/acp/environment"
	"github.com/capconform/capconform/suites/acp/sample"
)

// Action is one call of a built-in tool by the model, as the model made it.
type Action struct {
	*Turn
	Package   *sample.Package // the acting package
	Verb      string
	URI       string // the schema URI
	ID        string // of the object; for a query, "" unless the query names one object by its id alone
	Object    Object // of a creation
	Patch     any    // of an update
	Query     Object
	Arguments Object // all arguments
	Breaks    string // the rule that the call breaks on purpose, "" if none
	Result    ToolResult
}

// Actions returns the calls of the built-in tools in the order in which they were made. If the model
// repeated a call because it was asked again before it received a result, both count as one.
func (h *History) Actions() []*Action {
	var all []*Action
	for _, t := range h.Turns() {
		all = append(all, t.actions...)
	}
	return all
}

func actionsOf(t *Turn) []*Action {
	var all []*Action
	for _, c := range t.modelCalls() {
		if d := actionOf(t, c); d != nil {
			d.Result = t.ToolResult(c.resultIndex)
			all = append(all, d)
		}
	}
	return all
}

func actionOf(t *Turn, c modelCall) *Action {
	verbs := sample.Verbs()
	at := slices.IndexFunc(verbs, func(verb string) bool { return environment.SameTool(c.call.Name, verb) })
	if at < 0 {
		return nil
	}
	arguments := c.Acting[0].HarnessArguments(c.call.Arguments)
	d := &Action{Turn: t, Package: c.Acting[0], Verb: verbs[at], Arguments: arguments,
		Breaks: t.About[AboutBreaks], Patch: arguments["patch"]}
	d.URI, _ = arguments["schema_uri"].(string)
	d.ID, _ = arguments["id"].(string)
	d.Object, _ = arguments["object"].(Object)
	d.Query, _ = arguments["query"].(Object)
	switch d.Verb {
	case sample.Create:
		d.ID, _ = d.Object[sample.MemberID].(string)
	case sample.Query:
		if len(d.Query) == 1 && arguments["cursor"] == nil {
			d.ID, _ = d.Query[sample.MemberID].(string)
		}
	}
	return d
}

// Restarts returns the first call after each restart of the subject. No verdict depends on the answers.
func (h *History) Restarts() []*Call {
	h.RLock()
	defer h.RUnlock()
	return slices.DeleteFunc(slices.Clone(h.calls[OpConfigure]),
		func(c *Call) bool { return c.Stimulus != SubjectRestarted || !c.Returned() })
}

// BoundPathPrefix is the prefix of the place to which a package binds built-in tools.
const BoundPathPrefix = "bound-"

// MaxPages is the largest number of pages of one query that the harness reads.
const MaxPages = 33
