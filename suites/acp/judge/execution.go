package judge

import (
	"fmt"
	"slices"
	"strings"

	"github.com/capconform/capconform/schemas"
	"github.com/capconform/capconform/suites/acp/environment"
	"github.com/capconform/capconform/suites/acp/history"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/verdict"
)

// executionSentences are the sentences about bindings.
var executionSentences = []verdict.Sentence[executions]{
	about(`each tool with a binding of type http_(?:get|post) is executed by a (GET|POST) request to its URL`,
		executions.ExecutedBy),
	decide(`each tool with a binding of type nuwa_a2a calls the method of its agent`, executions.AgentsCalled),
	decide(`each tool with a binding of type mcp_service calls the action of its service`, executions.ActionsCalled),
	decide(`the argument of the same name replaces each placeholder`, executions.PlaceholdersReplaced),
	decide(`the arguments of each http_get are in the query`, executions.ArgumentsInQuery),
	decide(`the arguments of each http_post are the JSON body`, executions.ArgumentsInBody),
	about(`each (service|agent) receives the arguments of each call`, executions.ArgumentsGiven),
	decide(`each tool is executed by the binding under its name in its own package`, executions.OwnBindings),
	decide(`each tool of an upgraded package is executed by the binding of its newest version`,
		executions.NewestBindings),
	decide(`no call of a tool without a binding succeeds`, executions.UnboundFails),
	decide(`no call by a binding of an unknown type succeeds`, executions.UnknownTypesFail),
	decide(`no tool in a sandbox reaches an address that its package does not declare`, executions.Confined),
}

type (
	execution   = history.Execution
	serviceCall = history.ServiceCall
)

// judgeExecutions judges the model's calls of bound tools: those with one type of binding, or all of
// them if kind is "". The function judge reports whether it decided about the call.
func (j executions) judgeExecutions(kind string, judge func(*verdict.Verdict, *execution) bool) verdict.Verdict {
	v := &verdict.Verdict{}
	for _, e := range j.Executions() {
		if e.Binding != nil && (kind == "" || e.Binding.Type == kind) && judge(v, e) {
			v.Judged++
		}
	}
	err := j.reasonNothingShown(history.BoundTools)
	if err == nil {
		err = verdict.Undecided("no call of a tool with a binding arrives in a way that shows it: see ACP-EXEC-11 and ACP-BIND-06 to ACP-BIND-09")
	}
	return v.OpenUnlessJudged(err)
}

// requireArrival reports whether a request arrived for a call. If none did, it adds a breach, except for
// later calls of a turn, whose requests may arrive too late, and for tools that hang, which the router
// may stop before it calls them.
func requireArrival(v *verdict.Verdict, e *execution, calls []*serviceCall, message, want string) bool {
	hangs := strings.Contains(e.Binding.Parameters["url"], "/http/"+string(environment.Hangs)+"/")
	if len(calls) == 0 && e.FirstOfTurn && e.Lost == nil && !hangs {
		v.AddBreach(e.Entries(), message, want, "none: "+e.Result.Print())
	}
	return len(calls) > 0
}

// ExecutedBy judges whether each tool with a binding of type http_get or http_post is executed by that
// method at the URL of its binding.
func (j executions) ExecutedBy(method string) verdict.Verdict {
	return j.judgeExecutions("http_"+strings.ToLower(method), func(v *verdict.Verdict, e *execution) bool {
		if !requireArrival(v, e, e.ServiceCalls, "a tool with an HTTP binding is not executed by a request",
			"a "+method+" of its URL") {
			return false
		}
		_, query, _ := strings.Cut(e.Binding.Parameters["url"], "?")
		name, value, _ := strings.Cut(query, "=")
		switch {
		case !slices.ContainsFunc(e.ServiceCalls, func(u *serviceCall) bool { return u.Method == method }):
			v.AddBreach(e.Entries(), "a tool with an HTTP binding is executed by another method",
				"a "+method, "a "+e.ServiceCalls[0].Method)
		case !slices.ContainsFunc(e.ServiceCalls, e.MatchesBinding):
			v.AddBreach(e.Entries(), "a tool with an HTTP binding is executed at another address",
				"a "+method+" of the address of the binding", e.ServiceCalls[0].ServicePath)
		case !slices.ContainsFunc(e.ServiceCalls, func(u *serviceCall) bool { return u.Query.Get(name) == value }):
			v.AddBreach(e.Entries(), "a tool with an HTTP binding is executed at another address",
				"?"+query+" in its URL, as in that of the binding", jsonvalue.Clip("?"+e.ServiceCalls[0].Query.Encode()))
		}
		return true
	})
}

// AgentsCalled judges whether each tool with a binding of type nuwa_a2a calls the method of its agent.
func (j executions) AgentsCalled() verdict.Verdict {
	return j.judgeExecutions("nuwa_a2a", func(v *verdict.Verdict, e *execution) bool {
		agent, method := e.Binding.Parameters["target_did"], e.Binding.Parameters["service_method"]
		argument := placeholder(agent)
		if argument != "" {
			agent, _ = e.Arguments[argument].(string)
		}
		calls := callsOfAgent(e, agent)
		if argument != "" && len(calls) == 0 { // PlaceholdersReplaced judges this
			return false
		}
		if !requireArrival(v, e, calls, "a tool with a binding of type nuwa_a2a does not reach its agent",
			"a POST to the configured endpoint of "+agent) {
			return false
		}
		if !slices.ContainsFunc(calls, func(u *serviceCall) bool { return strings.Contains(string(u.Sent), method) }) {
			v.AddBreach(e.Entries(), "an agent is called without its method", method+" in the request",
				jsonvalue.Clip(calls[0].PrintArguments()))
		}
		return argument == "" // calls without a placeholder are the positive control of PlaceholdersReplaced
	})
}

func callsOfAgent(e *execution, agent string) []*serviceCall {
	return slices.DeleteFunc(e.ServiceCallsOf("agent"), func(u *serviceCall) bool { return u.Service != agent })
}

// placeholder returns the name in braces in a parameter of a binding, "" if there is none.
func placeholder(parameter string) string {
	if !strings.HasPrefix(parameter, "{") {
		return ""
	}
	return strings.Trim(parameter, "{}")
}

// PlaceholdersReplaced judges whether the router calls the agent that the argument names. As the
// positive control, it must reach an agent that the package names without a placeholder.
func (j executions) PlaceholdersReplaced() verdict.Verdict {
	v := &verdict.Verdict{}
	if j.AgentsCalled().Judged == 0 {
		return v.OpenUnlessJudged(verdict.Undecided("no call reaches an agent without a placeholder either: see ACP-BIND-08"))
	}
	for _, e := range j.Executions() {
		if e.Binding == nil || placeholder(e.Binding.Parameters["target_did"]) == "" {
			continue
		}
		agent, _ := e.Arguments[placeholder(e.Binding.Parameters["target_did"])].(string)
		v.Judged++
		if len(callsOfAgent(e, agent)) == 0 {
			v.AddBreach(e.Entries(), "the argument of the same name does not replace a placeholder",
				"a POST to the endpoint of the agent that the argument names", "none: "+e.Result.Print())
		}
	}
	return v.OpenUnlessJudged(j.reasonNothingShown(history.AgentPlaceholder))
}

// ActionsCalled judges whether each tool with a binding of type mcp_service calls its action.
func (j executions) ActionsCalled() verdict.Verdict {
	return j.judgeExecutions("mcp_service", func(v *verdict.Verdict, e *execution) bool {
		calls, service, action := e.ServiceCallsOf("mcp"), e.Binding.Parameters["service_uri"], e.Binding.Parameters["mcp_action"]
		const lost = "a tool with a binding of type mcp_service does not reach its service"
		if !requireArrival(v, e, calls, lost, "a call of the action at the configured endpoint of "+service) {
			return false
		}
		if !slices.ContainsFunc(calls, func(u *serviceCall) bool { return u.Service == service && u.Behaviour == action }) {
			v.AddBreach(e.Entries(), "a tool with a binding of type mcp_service calls another action or service",
				action+" of "+service,
				calls[0].Behaviour+" of "+calls[0].Service)
		}
		return true
	})
}

// ArgumentsInQuery judges whether the arguments of http_get are in the query.
func (j executions) ArgumentsInQuery() verdict.Verdict {
	return j.judgeArguments("GET", "the arguments of http_get are not in the query",
		func(e *execution, u *serviceCall) bool {
			for _, name := range []string{"topic", "amount"} {
				if value, isGiven := e.Arguments[name]; isGiven && u.Query.Get(name) != fmt.Sprint(value) {
					return false
				}
			}
			return true
		})
}

// ArgumentsInBody judges whether the arguments of http_post are the body.
func (j executions) ArgumentsInBody() verdict.Verdict {
	return j.judgeArguments("POST", "the arguments of http_post are not the body",
		func(e *execution, u *serviceCall) bool {
			return jsonvalue.Equal(e.Arguments, schemas.ReadValue(u.Sent))
		})
}

// judgeArguments judges where a request over HTTP contains the arguments of a call. Only requests with
// the given method count; ExecutedBy judges the method.
func (j executions) judgeArguments(method, message string, contains func(*execution,
	*serviceCall) bool) verdict.Verdict {
	return j.judgeExecutions("http_"+strings.ToLower(method), func(v *verdict.Verdict, e *execution) bool {
		calls := slices.DeleteFunc(e.ServiceCallsOf("http"), func(u *serviceCall) bool { return u.Method != method })
		if len(calls) == 0 {
			return false
		}
		if !slices.ContainsFunc(calls, func(u *serviceCall) bool { return contains(e, u) }) {
			v.AddBreach(e.Entries(), message, jsonvalue.Print(e.Arguments), jsonvalue.Clip(calls[0].PrintArguments()))
		}
		return true
	})
}

// ArgumentsGiven judges whether each service over MCP, or each agent, receives the arguments of each
// call of the model.
func (j executions) ArgumentsGiven(receiver string) verdict.Verdict {
	kind, to, message := "mcp_service", "mcp", "an MCP service does not receive the arguments of the model"
	receives := func(e *execution, u *serviceCall) bool {
		return jsonvalue.Equal(e.Arguments, schemas.ReadValue(u.Arguments))
	}
	if receiver == "agent" {
		kind, to, message = "nuwa_a2a", "agent", "an agent does not receive the arguments of the model"
		receives = func(e *execution, u *serviceCall) bool {
			body := history.ToolResult{Values: history.JSONValuesIn(string(u.Sent), history.MaxNesting)}
			return slices.ContainsFunc(body.Objects(), func(o history.Object) bool { return history.Contains(o, e.Arguments) })
		}
	}
	return j.judgeExecutions(kind, func(v *verdict.Verdict, e *execution) bool {
		calls := e.ServiceCallsOf(to)
		switch {
		case len(calls) == 0 && e.ArrivedBefore && !e.WithOtherCalls && e.Lost == nil:
			v.AddBreach(e.Entries(), "a second call of a tool does not arrive with its own arguments",
				jsonvalue.Print(e.Arguments), "no call with them")
		case len(calls) > 0 && !slices.ContainsFunc(calls, func(u *serviceCall) bool { return receives(e, u) }):
			v.AddBreach(e.Entries(), message, jsonvalue.Print(e.Arguments), jsonvalue.Clip(calls[0].PrintArguments()))
		}
		return len(calls) > 0
	})
}

// OwnBindings judges whether each tool is executed by its own binding, and not by the binding of another
// tool or another package.
func (j executions) OwnBindings() verdict.Verdict {
	return j.judgeExecutions("", func(v *verdict.Verdict, e *execution) bool {
		if e.WithOtherCalls && e.ArrivedBefore && len(e.ServiceCalls) == 0 && e.Lost == nil && !j.reportsRefusal(e.Result) {
			v.AddBreach(e.Entries(), "a tool that the model calls in one message with others is not executed",
				"a call of "+e.Tool+", or an error as its result", "none: "+e.Result.Print())
		}
		switch u, p := j.CallByOtherBinding(e); {
		case p == nil:
		case p.Mark == e.Package.Mark:
			v.AddBreach(e.Entries(), "a tool is executed by the binding of another tool",
				"a call of the address in the binding of "+e.Tool, "a call of "+u.ServicePath)
		case p.Label != e.Package.Label:
			v.AddBreach(e.Entries(), "a tool is executed by another package's binding of the same name",
				"a call of the address in the binding of "+e.Package.ID, "a call of the address in the binding of "+p.ID)
		}
		return len(e.ServiceCalls) > 0
	})
}

// NewestBindings judges whether each tool of an upgraded package is executed by the binding of
// the newest version.
func (j executions) NewestBindings() verdict.Verdict {
	v := &verdict.Verdict{}
	for _, e := range j.Executions() {
		if e.Binding == nil || !j.isUpgrade(e.Package) {
			continue
		}
		if u, p := j.CallByOtherBinding(e); p != nil && p.Label == e.Package.Label && p.Mark != e.Package.Mark {
			v.AddBreach(e.Entries(), "a tool is executed by the binding of the replaced version",
				"a call of the address in the binding of "+e.Package.ID, "a call of "+u.ServicePath)
		}
		if len(e.ServiceCalls) > 0 {
			v.Judged++
		}
	}
	return v.OpenUnlessJudged(j.reasonNothingShown(history.PackageReplaced))
}

// UnboundFails judges whether the model is told that a call of a tool without a binding succeeded, or
// whether the binding of another package executes the call.
func (j executions) UnboundFails() verdict.Verdict {
	v := &verdict.Verdict{}
	for _, e := range j.Executions() {
		if e.Binding != nil || e.Lost != nil {
			continue
		}
		if _, p := j.CallByOtherBinding(e); p != nil {
			v.AddBreach(e.Entries(), "a tool without a binding is executed by the binding of another package",
				"an error, or an answer that says so",
				"a call of the address in another package's binding")
		}
		j.judgeNoSuccess(v, e)
	}
	return j.withPositiveControl(v, history.UnboundTool)
}

// UnknownTypesFail judges whether the model is told that a call of a tool with an unknown type of
// binding succeeded. Refusing to install such a package also conforms.
func (j executions) UnknownTypesFail() verdict.Verdict {
	v := &verdict.Verdict{}
	for _, c := range j.Calls(history.OpInstall) {
		if c.Stimulus == history.UnknownBindingType && c.Refused() {
			v.Judged++
		}
	}
	for _, e := range j.Executions() {
		if e.Binding != nil && e.Binding.Type == history.UndefinedBindingType && e.Lost == nil {
			j.judgeNoSuccess(v, e)
		}
	}
	return j.withPositiveControl(v, history.UnknownBindingType)
}

// reportsRefusal reports whether the result that the model receives says that the call was not executed.
func (j executions) reportsRefusal(result history.ToolResult) bool {
	return result.Outcome() == history.Refusal || j.looksLikeFailure(result)
}

func (j executions) judgeNoSuccess(v *verdict.Verdict, e *execution) {
	v.Judged++
	if e.AnsweredModel() && e.Result.Outcome() == history.Success && !j.looksLikeFailure(e.Result) {
		v.AddBreach(e.Entries(), "a call that cannot be fulfilled is reported as a success",
			"an error, or an answer that says so", e.Result.Print())
	}
}

// withPositiveControl returns the verdict on calls that must not succeed. The positive control is that
// other calls of bound tools are executed.
func (j executions) withPositiveControl(v *verdict.Verdict, stimulus string) verdict.Verdict {
	controlled := slices.ContainsFunc(j.Executions(), func(e *execution) bool {
		return e.Binding != nil &&
			len(e.ServiceCalls) > 0
	})
	if !controlled && v.Judged > 0 && len(v.Breaches) == 0 {
		v.Open = verdict.Undecided("a tool with a binding is not executed either: see ACP-BIND-06")
	}
	err := j.reasonNothingShown(stimulus)
	if err == nil {
		err = verdict.Undecided("the model does not receive the tool, so it cannot call it: see ACP-EXEC-11")
	}
	return v.OpenUnlessJudged(err)
}

// Confined judges whether a tool in the sandbox of the runtime reaches an address that its package does
// not declare. Every request counts, including one that only tests whether the address exists.
func (j executions) Confined() verdict.Verdict {
	v := &verdict.Verdict{}
	for _, a := range j.RequestsTo(record.Service) {
		if u := a.ServiceCall(); u != nil && strings.HasPrefix(u.ServicePath, history.ConfinedPathPrefix) {
			v.AddBreach([]record.Tick{a.Entry}, "a tool in the sandbox reaches an address that its package does not declare",
				"no request to the address", "a "+u.Method+" request")
		}
	}
	for _, e := range j.Executions() {
		if address, _ := e.Arguments["address"].(string); address != "" && e.Binding != nil && e.Lost == nil {
			v.Judged++
		}
	}
	return v.OpenUnlessJudged(j.reasonNothingShown(history.ConfinedTool))
}
