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
	decide(`no call of a tool without a binding succeeds`, executions.NothingMadeUp),
	decide(`no call by a binding of an unknown type succeeds`, executions.UnknownTypes),
	decide(`no tool in a sandbox reaches an address that its package does not declare`, executions.Confined),
}

type (
	execution = history.Execution
	use       = history.Use
)

// executions judges the model's calls of bound tools: those with one type of binding, or all of them if
// kind is "". The function judge reports whether it decided about the call.
func (j executions) executions(kind string, judge func(*verdict.Verdict, *execution) bool) verdict.Verdict {
	v := &verdict.Verdict{}
	for _, e := range j.Executions() {
		if e.Binding != nil && (kind == "" || e.Binding.Type == kind) && judge(v, e) {
			v.Judged++
		}
	}
	err := j.why(history.Bound)
	if err == nil {
		err = verdict.Undecided("no call of a tool with a binding arrives in a way that shows it: see ACP-EXEC-11 and ACP-BIND-06 to ACP-BIND-09")
	}
	return v.Otherwise(err)
}

// arrives reports whether a request arrived for a call. If none did, it adds a breach, except for later
// calls of a turn, whose requests may arrive too late, and for tools that hang, which the router may stop
// before it calls them.
func arrives(v *verdict.Verdict, e *execution, uses []*use, message, want string) bool {
	hangs := strings.Contains(e.Binding.Parameters["url"], "/http/"+string(environment.Hangs)+"/")
	if len(uses) == 0 && e.First && e.Lost == nil && !hangs {
		v.Broken(e.Entries(), message, want, "none: "+e.Told.Print())
	}
	return len(uses) > 0
}

// ExecutedBy judges whether each tool with a binding of type http_get or http_post is executed by that
// method at the URL of its binding.
func (j executions) ExecutedBy(method string) verdict.Verdict {
	return j.executions("http_"+strings.ToLower(method), func(v *verdict.Verdict, e *execution) bool {
		if !arrives(v, e, e.Uses, "a tool with an HTTP binding is not executed by a request", "a "+method+" of its URL") {
			return false
		}
		_, query, _ := strings.Cut(e.Binding.Parameters["url"], "?")
		name, value, _ := strings.Cut(query, "=")
		switch {
		case !slices.ContainsFunc(e.Uses, func(u *use) bool { return u.Method == method }):
			v.Broken(e.Entries(), "a tool with an HTTP binding is executed by another method",
				"a "+method, "a "+e.Uses[0].Method)
		case !slices.ContainsFunc(e.Uses, e.At):
			v.Broken(e.Entries(), "a tool with an HTTP binding is executed at another address",
				"a "+method+" of the address of the binding", e.Uses[0].Place)
		case !slices.ContainsFunc(e.Uses, func(u *use) bool { return u.Query.Get(name) == value }):
			v.Broken(e.Entries(), "a tool with an HTTP binding is executed at another address",
				"?"+query+" in its URL, as in that of the binding", jsonvalue.Clip("?"+e.Uses[0].Query.Encode()))
		}
		return true
	})
}

// AgentsCalled judges whether each tool with a binding of type nuwa_a2a calls the method of its agent.
func (j executions) AgentsCalled() verdict.Verdict {
	return j.executions("nuwa_a2a", func(v *verdict.Verdict, e *execution) bool {
		agent, method := e.Binding.Parameters["target_did"], e.Binding.Parameters["service_method"]
		argument := placeholder(agent)
		if argument != "" {
			agent, _ = e.Given[argument].(string)
		}
		calls := reaching(e, agent)
		if argument != "" && len(calls) == 0 { // PlaceholdersReplaced judges this
			return false
		}
		if !arrives(v, e, calls, "a tool with a binding of type nuwa_a2a does not reach its agent",
			"a POST to the configured endpoint of "+agent) {
			return false
		}
		if !slices.ContainsFunc(calls, func(u *use) bool { return strings.Contains(string(u.Sent), method) }) {
			v.Broken(e.Entries(), "an agent is called without its method", method+" in the request",
				jsonvalue.Clip(calls[0].Print()))
		}
		return argument == "" // calls without a placeholder are the positive control of PlaceholdersReplaced
	})
}

func reaching(e *execution, agent string) []*use {
	return slices.DeleteFunc(e.Of("agent"), func(u *use) bool { return u.Service != agent })
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
		return v.Otherwise(verdict.Undecided("no call reaches an agent without a placeholder either: see ACP-BIND-08"))
	}
	for _, e := range j.Executions() {
		if e.Binding == nil || placeholder(e.Binding.Parameters["target_did"]) == "" {
			continue
		}
		agent, _ := e.Given[placeholder(e.Binding.Parameters["target_did"])].(string)
		v.Judged++
		if len(reaching(e, agent)) == 0 {
			v.Broken(e.Entries(), "the argument of the same name does not replace a placeholder",
				"a POST to the endpoint of the agent that the argument names", "none: "+e.Told.Print())
		}
	}
	return v.Otherwise(j.why(history.Placeholder))
}

// ActionsCalled judges whether each tool with a binding of type mcp_service calls its action.
func (j executions) ActionsCalled() verdict.Verdict {
	return j.executions("mcp_service", func(v *verdict.Verdict, e *execution) bool {
		calls, service, action := e.Of("mcp"), e.Binding.Parameters["service_uri"], e.Binding.Parameters["mcp_action"]
		const lost = "a tool with a binding of type mcp_service does not reach its service"
		if !arrives(v, e, calls, lost, "a call of the action at the configured endpoint of "+service) {
			return false
		}
		if !slices.ContainsFunc(calls, func(u *use) bool { return u.Service == service && u.Behaviour == action }) {
			v.Broken(e.Entries(), "a tool with a binding of type mcp_service calls another action or service",
				action+" of "+service,
				calls[0].Behaviour+" of "+calls[0].Service)
		}
		return true
	})
}

// ArgumentsInQuery judges whether the arguments of http_get are in the query.
func (j executions) ArgumentsInQuery() verdict.Verdict {
	return j.arguments("GET", "the arguments of http_get are not in the query", func(e *execution, u *use) bool {
		for _, name := range []string{"topic", "amount"} {
			if value, isGiven := e.Given[name]; isGiven && u.Query.Get(name) != fmt.Sprint(value) {
				return false
			}
		}
		return true
	})
}

// ArgumentsInBody judges whether the arguments of http_post are the body.
func (j executions) ArgumentsInBody() verdict.Verdict {
	return j.arguments("POST", "the arguments of http_post are not the body", func(e *execution, u *use) bool {
		return jsonvalue.Equal(e.Given, schemas.ReadValue(u.Sent))
	})
}

// arguments judges where a request over HTTP contains the arguments of a call. Only requests with the
// given method count; ExecutedBy judges the method.
func (j executions) arguments(method, message string, stand func(*execution, *use) bool) verdict.Verdict {
	return j.executions("http_"+strings.ToLower(method), func(v *verdict.Verdict, e *execution) bool {
		calls := slices.DeleteFunc(e.Of("http"), func(u *use) bool { return u.Method != method })
		if len(calls) == 0 {
			return false
		}
		if !slices.ContainsFunc(calls, func(u *use) bool { return stand(e, u) }) {
			v.Broken(e.Entries(), message, jsonvalue.Print(e.Given), jsonvalue.Clip(calls[0].Print()))
		}
		return true
	})
}

// ArgumentsGiven judges whether each service over MCP, or each agent, receives the arguments of each
// call of the model.
func (j executions) ArgumentsGiven(whom string) verdict.Verdict {
	kind, to, message := "mcp_service", "mcp", "an MCP service does not receive the arguments of the model"
	gives := func(e *execution, u *use) bool { return jsonvalue.Equal(e.Given, schemas.ReadValue(u.Arguments)) }
	if whom == "agent" {
		kind, to, message = "nuwa_a2a", "agent", "an agent does not receive the arguments of the model"
		gives = func(e *execution, u *use) bool {
			body := history.ToolResult{Values: history.Unwrapped(string(u.Sent), history.WrapsAtMost)}
			return slices.ContainsFunc(body.Objects(), func(o history.Object) bool { return history.Contains(o, e.Given) })
		}
	}
	return j.executions(kind, func(v *verdict.Verdict, e *execution) bool {
		calls := e.Of(to)
		switch {
		case len(calls) == 0 && e.Again && !e.Beside && e.Lost == nil:
			v.Broken(e.Entries(), "a second call of a tool does not arrive with its own arguments",
				jsonvalue.Print(e.Given), "no call with them")
		case len(calls) > 0 && !slices.ContainsFunc(calls, func(u *use) bool { return gives(e, u) }):
			v.Broken(e.Entries(), message, jsonvalue.Print(e.Given), jsonvalue.Clip(calls[0].Print()))
		}
		return len(calls) > 0
	})
}

// OwnBindings judges whether each tool is executed by its own binding, and not by the binding of another
// tool or another package.
func (j executions) OwnBindings() verdict.Verdict {
	return j.executions("", func(v *verdict.Verdict, e *execution) bool {
		if e.Beside && e.Again && len(e.Uses) == 0 && e.Lost == nil && !j.refuses(e.Told) {
			v.Broken(e.Entries(), "a tool that the model calls in one message with others is not executed",
				"a call of "+e.Tool+", or an error as its result", "none: "+e.Told.Print())
		}
		switch u, p := j.Elsewhere(e); {
		case p == nil:
		case p.Mark == e.By.Mark:
			v.Broken(e.Entries(), "a tool is executed by the binding of another tool",
				"a call of the address in the binding of "+e.Tool, "a call of "+u.Place)
		case p.Label != e.By.Label:
			v.Broken(e.Entries(), "a tool is executed by another package's binding of the same name",
				"a call of the address in the binding of "+e.By.ID, "a call of the address in the binding of "+p.ID)
		}
		return len(e.Uses) > 0
	})
}

// NewestBindings judges whether each tool of an upgraded package is executed by the binding of
// the newest version.
func (j executions) NewestBindings() verdict.Verdict {
	v := &verdict.Verdict{}
	for _, e := range j.Executions() {
		if e.Binding == nil || !j.upgrades(e.By) {
			continue
		}
		if u, p := j.Elsewhere(e); p != nil && p.Label == e.By.Label && p.Mark != e.By.Mark {
			v.Broken(e.Entries(), "a tool is executed by the binding of the replaced version",
				"a call of the address in the binding of "+e.By.ID, "a call of "+u.Place)
		}
		if len(e.Uses) > 0 {
			v.Judged++
		}
	}
	return v.Otherwise(j.why(history.Replaced))
}

// NothingMadeUp judges whether the model is told that a call of a tool without a binding succeeded, or
// whether the binding of another package executes the call.
func (j executions) NothingMadeUp() verdict.Verdict {
	v := &verdict.Verdict{}
	for _, e := range j.Executions() {
		if e.Binding != nil || e.Lost != nil {
			continue
		}
		if _, p := j.Elsewhere(e); p != nil {
			v.Broken(e.Entries(), "a tool without a binding is executed by the binding of another package",
				"an error, or an answer that says so",
				"a call of the address in another package's binding")
		}
		j.noSuccess(v, e)
	}
	return j.whereOthersWork(v, history.Unbound)
}

// UnknownTypes judges whether the model is told that a call of a tool with an unknown type of binding
// succeeded. Refusing to install such a package also conforms.
func (j executions) UnknownTypes() verdict.Verdict {
	v := &verdict.Verdict{}
	for _, c := range j.Of(history.OpInstall) {
		if c.Stimulus == history.UnknownType && c.Refused() {
			v.Judged++
		}
	}
	for _, e := range j.Executions() {
		if e.Binding != nil && e.Binding.Type == history.TypeUnknown && e.Lost == nil {
			j.noSuccess(v, e)
		}
	}
	return j.whereOthersWork(v, history.UnknownType)
}

// refuses reports whether the result that the model receives says that the call was not executed.
func (j executions) refuses(told history.ToolResult) bool {
	return told.Outcome() == history.Refusal || j.likeFault(told)
}

func (j executions) noSuccess(v *verdict.Verdict, e *execution) {
	v.Judged++
	if e.AnsweredModel() && e.Told.Outcome() == history.Success && !j.likeFault(e.Told) {
		v.Broken(e.Entries(), "a call that cannot be fulfilled is reported as a success",
			"an error, or an answer that says so", e.Told.Print())
	}
}

// whereOthersWork returns the verdict on calls that must not succeed. The positive control is that other
// calls of bound tools are executed.
func (j executions) whereOthersWork(v *verdict.Verdict, stimulus string) verdict.Verdict {
	works := slices.ContainsFunc(j.Executions(), func(e *execution) bool { return e.Binding != nil && len(e.Uses) > 0 })
	if !works && v.Judged > 0 && len(v.Breaches) == 0 {
		v.Open = verdict.Undecided("a tool with a binding is not executed either: see ACP-BIND-06")
	}
	err := j.why(stimulus)
	if err == nil {
		err = verdict.Undecided("the model does not receive the tool, so it cannot call it: see ACP-EXEC-11")
	}
	return v.Otherwise(err)
}

// Confined judges whether a tool in the sandbox of the runtime reaches an address that its package does
// not declare. Every request counts, including one that only tests whether the address exists.
func (j executions) Confined() verdict.Verdict {
	v := &verdict.Verdict{}
	for _, a := range j.Asked(record.Service) {
		if u := a.Used(); u != nil && strings.HasPrefix(u.Place, history.PlaceOfConfined) {
			v.Broken([]record.Tick{a.Entry}, "a tool in the sandbox reaches an address that its package does not declare",
				"no request to the address", "a "+u.Method+" request")
		}
	}
	for _, e := range j.Executions() {
		if address, _ := e.Given["address"].(string); address != "" && e.Binding != nil && e.Lost == nil {
			v.Judged++
		}
	}
	return v.Otherwise(j.why(history.Confined))
}
