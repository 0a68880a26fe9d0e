package history

import (
	"slices"
	"strings"

	"github.com/capconform/capconform/suites/acp/environment"
	"github.com/capconform/capconform/suites/acp/sample"
	"github.com/capconform/capconform/suites/record"
)

// Execution is one call by the model of a tool that is not built in, with the requests that it caused at
// services.
type Execution struct {
	*Turn
	By      *sample.Package      // the acting package
	Tool    string               // the name in the package
	Binding *environment.Binding // nil: the package has no binding for this tool
	Given   Object               // the arguments
	Uses    []*Use
	Told    ToolResult
	First   bool // it is the first call of its turn
	Beside  bool // the model called further tools in the same message
	Again   bool // an earlier call of the tool arrived at a service
}

// Executions returns the calls of tools that are not built in, in the order in which they were made.
// They are computed again only if turns or requests to services were added.
func (h *History) Executions() []*Execution {
	turns, asked := h.Turns(), h.Asked(record.Service)
	h.Lock()
	defer h.Unlock()
	if h.executionsOf == [2]int{len(turns), len(asked)} {
		return h.executions
	}
	var uses []*Use
	for _, a := range asked {
		if u := a.Used(); u != nil {
			uses = append(uses, u)
		}
	}
	arrived := map[string]bool{}
	h.executions, h.executionsOf = nil, [2]int{len(turns), len(asked)}
	for _, t := range turns {
		for i, c := range t.callings() {
			e := executionOf(t, c)
			if e == nil {
				continue
			}
			name := e.By.ID + " " + e.By.Mark + " " + e.Tool
			e.First, e.Told, e.Again, e.Beside = i == 0, t.ToolResult(c.result), arrived[name], len(c.Question.Called) > 1
			e.Uses = slices.DeleteFunc(slices.Clone(uses),
				func(u *Use) bool { return !e.caused(u, c.Question, t.until(c.Question)) })
			arrived[name] = e.Again || len(e.Uses) > 0
			h.executions = append(h.executions, e)
		}
	}
	return h.executions
}

// calling is one call of a tool by the model, with the request that it answers.
type calling struct {
	*Question
	call   *Called
	result int // its index among the results of the turn
}

// callings returns the calls of tools by the model, each once. If the model repeated a call because it
// was asked again before it received a result, both count as one.
func (t *Turn) callings() []calling {
	var all []calling
	made := 0
	for _, q := range t.Questions {
		results := len(q.Results())
		if len(q.Called) == 0 || len(q.Acting) != 1 || results < made {
			continue
		}
		for i, c := range q.Called {
			all = append(all, calling{q, c, results + i})
		}
		made = results + len(q.Called)
	}
	return all
}

// until returns the end of the time in which the runtime executes a call of the model.
func (t *Turn) until(q *Question) record.Tick {
	for _, later := range t.Questions {
		if later.Entry > q.Done {
			return later.Entry
		}
	}
	return t.Done
}

func executionOf(t *Turn, c calling) *Execution {
	p := c.Acting[0]
	at := slices.IndexFunc(p.Tools,
		func(tool environment.PackageTool) bool { return environment.SameTool(c.call.Name, tool.Name) })
	if at < 0 || builtIn(p.Tools[at].Name) {
		return nil
	}
	e := &Execution{Turn: t, By: p, Tool: p.Tools[at].Name, Given: c.call.Arguments}
	for i, b := range p.Bindings {
		if b.Tool == e.Tool {
			e.Binding = &p.Bindings[i]
		}
	}
	return e
}

// builtIn reports whether a name is that of a tool that the runtime provides.
func builtIn(tool string) bool {
	return slices.Contains([]string{sample.Create, sample.Update, sample.Query, sample.Delete}, tool)
}

// caused reports whether a call of the model caused a request to a service. It did if the request
// contains the mark in the arguments of the call. Otherwise the request must have arrived before the
// runtime continued, and either at the place of the tool's binding or without any mark.
func (e *Execution) caused(u *Use, q *Question, until record.Tick) bool {
	if u.Entry < q.Entry || u.Method == "HEAD" || u.Method == "OPTIONS" { // these only test whether the service exists
		return false
	}
	if topic := Topic(e.Given); topic != "" && strings.Contains(u.text(), topic) {
		return true
	}
	return u.Entry < until && (e.At(u) || len(sample.Marks(u.text())) == 0)
}

// At reports whether a request arrived at the place that the binding of the tool names.
func (e *Execution) At(u *Use) bool {
	return e.Binding != nil && u.Kind == "http" && Names(*e.Binding, u)
}

// Names reports whether a binding names the place of a request over HTTP.
func Names(b environment.Binding, u *Use) bool {
	place, _, _ := strings.Cut(b.Parameters["url"], "?")
	return strings.HasSuffix(place, u.Path)
}

// Elsewhere returns a request of the execution to the place of another binding, and the package with
// that binding. Both are nil if there is none.
func (h *History) Elsewhere(e *Execution) (*Use, *sample.Package) {
	for _, u := range e.Uses {
		if u.Kind != "http" || e.At(u) {
			continue
		}
		for _, p := range h.known(u.Place) {
			if slices.ContainsFunc(p.Bindings, func(b environment.Binding) bool { return Names(b, u) }) {
				return u, p
			}
		}
	}
	return nil, nil
}

// Topic returns the mark in the argument topic, "" if there is none.
func Topic(given Object) string {
	topic, _ := given["topic"].(string)
	marks := sample.Marks(topic)
	if len(marks) == 0 {
		return ""
	}
	return marks[0]
}

// text returns all parts of a request that may contain a mark.
func (u *Use) text() string {
	query := ""
	for name, values := range u.Query {
		query += " " + name + "=" + strings.Join(values, " ")
	}
	return u.Place + query + " " + string(u.Sent) + " " + string(u.Arguments)
}

// Print returns the arguments that arrived, as one line.
func (u *Use) Print() string {
	switch {
	case u.Method == "GET":
		return u.Query.Encode()
	case u.Arguments != nil:
		return string(u.Arguments)
	default:
		return string(u.Sent)
	}
}

// Entries returns the entries that show an execution: those of the turn, and those of the requests.
func (e *Execution) Entries() []record.Tick {
	all := e.Turn.Entries()
	for _, u := range e.Uses {
		all = append(all, u.Entry)
	}
	return all
}

// Of returns the requests to one kind of service: http, mcp or agent.
func (e *Execution) Of(kind string) []*Use {
	return slices.DeleteFunc(slices.Clone(e.Uses), func(u *Use) bool { return u.Kind != kind })
}
