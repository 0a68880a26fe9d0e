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
	Package        *sample.Package      // the acting package
	Tool           string               // the name in the package
	Binding        *environment.Binding // nil: the package has no binding for this tool
	Arguments      Object               // the arguments
	ServiceCalls   []*ServiceCall
	Result         ToolResult
	FirstOfTurn    bool // it is the first call of its turn
	WithOtherCalls bool // the model called further tools in the same message
	ArrivedBefore  bool // an earlier call of the tool arrived at a service
}

// Executions returns the calls of tools that are not built in, in the order in which they were made.
// They are computed again only if turns or requests to services were added.
func (h *History) Executions() []*Execution {
	turns, requests := h.Turns(), h.RequestsTo(record.Service)
	h.Lock()
	defer h.Unlock()
	if h.executionInputs == [2]int{len(turns), len(requests)} {
		return h.executions
	}
	var calls []*ServiceCall
	for _, a := range requests {
		if u := a.ServiceCall(); u != nil {
			calls = append(calls, u)
		}
	}
	arrived := map[string]bool{}
	h.executions, h.executionInputs = nil, [2]int{len(turns), len(requests)}
	for _, t := range turns {
		for i, c := range t.modelCalls() {
			e := executionOf(t, c)
			if e == nil {
				continue
			}
			name := e.Package.ID + " " + e.Package.Mark + " " + e.Tool
			e.FirstOfTurn, e.Result, e.ArrivedBefore, e.WithOtherCalls = i == 0, t.ToolResult(c.resultIndex), arrived[name], len(c.ModelRequest.ToolCalls) > 1
			e.ServiceCalls = slices.DeleteFunc(slices.Clone(calls),
				func(u *ServiceCall) bool { return !e.caused(u, c.ModelRequest, t.executionEnd(c.ModelRequest)) })
			arrived[name] = e.ArrivedBefore || len(e.ServiceCalls) > 0
			h.executions = append(h.executions, e)
		}
	}
	return h.executions
}

// modelCall is one call of a tool by the model, with the request that it answers.
type modelCall struct {
	*ModelRequest
	call        *ToolCall
	resultIndex int // its index among the results of the turn
}

// modelCalls returns the calls of tools by the model, each once. If the model repeated a call because it
// was asked again before it received a result, both count as one.
func (t *Turn) modelCalls() []modelCall {
	var all []modelCall
	made := 0
	for _, q := range t.ModelRequests {
		results := len(q.Results())
		if len(q.ToolCalls) == 0 || len(q.Acting) != 1 || results < made {
			continue
		}
		for i, c := range q.ToolCalls {
			all = append(all, modelCall{q, c, results + i})
		}
		made = results + len(q.ToolCalls)
	}
	return all
}

// executionEnd returns the end of the time in which the runtime executes a call of the model.
func (t *Turn) executionEnd(q *ModelRequest) record.Tick {
	for _, later := range t.ModelRequests {
		if later.Entry > q.Done {
			return later.Entry
		}
	}
	return t.Done
}

func executionOf(t *Turn, c modelCall) *Execution {
	p := c.Acting[0]
	at := slices.IndexFunc(p.Tools,
		func(tool environment.PackageTool) bool { return environment.SameTool(c.call.Name, tool.Name) })
	if at < 0 || builtIn(p.Tools[at].Name) {
		return nil
	}
	e := &Execution{Turn: t, Package: p, Tool: p.Tools[at].Name, Arguments: c.call.Arguments}
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
func (e *Execution) caused(u *ServiceCall, q *ModelRequest, end record.Tick) bool {
	if u.Entry < q.Entry || u.Method == "HEAD" || u.Method == "OPTIONS" { // these only test whether the service exists
		return false
	}
	if topic := TopicMark(e.Arguments); topic != "" && strings.Contains(u.text(), topic) {
		return true
	}
	return u.Entry < end && (e.MatchesBinding(u) || len(sample.Marks(u.text())) == 0)
}

// MatchesBinding reports whether a request arrived at the place that the binding of the tool names.
func (e *Execution) MatchesBinding(u *ServiceCall) bool {
	return e.Binding != nil && u.Kind == "http" && BindingMatches(*e.Binding, u)
}

// BindingMatches reports whether a binding names the place of a request over HTTP.
func BindingMatches(b environment.Binding, u *ServiceCall) bool {
	place, _, _ := strings.Cut(b.Parameters["url"], "?")
	return strings.HasSuffix(place, u.Path)
}

// CallByOtherBinding returns a request of the execution to the place of another binding, and the package
// with that binding. Both are nil if there is none.
func (h *History) CallByOtherBinding(e *Execution) (*ServiceCall, *sample.Package) {
	for _, u := range e.ServiceCalls {
		if u.Kind != "http" || e.MatchesBinding(u) {
			continue
		}
		for _, p := range h.packagesIn(u.ServicePath) {
			if slices.ContainsFunc(p.Bindings, func(b environment.Binding) bool { return BindingMatches(b, u) }) {
				return u, p
			}
		}
	}
	return nil, nil
}

// TopicMark returns the mark in the argument topic, "" if there is none.
func TopicMark(arguments Object) string {
	topic, _ := arguments["topic"].(string)
	marks := sample.Marks(topic)
	if len(marks) == 0 {
		return ""
	}
	return marks[0]
}

// text returns all parts of a request that may contain a mark.
func (u *ServiceCall) text() string {
	query := ""
	for name, values := range u.Query {
		query += " " + name + "=" + strings.Join(values, " ")
	}
	return u.ServicePath + query + " " + string(u.Sent) + " " + string(u.Arguments)
}

// PrintArguments returns the arguments that arrived, as one line.
func (u *ServiceCall) PrintArguments() string {
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
	for _, u := range e.ServiceCalls {
		all = append(all, u.Entry)
	}
	return all
}

// ServiceCallsOf returns the requests to one kind of service: http, mcp or agent.
func (e *Execution) ServiceCallsOf(kind string) []*ServiceCall {
	return slices.DeleteFunc(slices.Clone(e.ServiceCalls), func(u *ServiceCall) bool { return u.Kind != kind })
}
