package router

import (
	"github.com/capconform/capconform/suites/acp/environment"
	"github.com/capconform/capconform/suites/acp/sample"
)

// The service methods of the agents in the packages of the harness.
const (
	agentMethod      = "receiveSimpleMessage"
	otherAgentMethod = "alerts.receiveUrgent"
)

// The tools of a package with bindings, by the distinguishing part of their names.
const (
	toolLookup   = "lookup"                // http_get
	toolOther    = "browse"                // http_get, to another place
	toolSubmit   = "submit"                // http_post
	toolNotify   = "notify"                // nuwa_a2a
	toolAlert    = "alert"                 // nuwa_a2a, another method of another agent
	toolExtract  = "extract"               // mcp_service
	toolDescribe = "describe_source_texts" // mcp_service, another action of another service; more than 32 characters
	toolForward  = "forward"               // nuwa_a2a, its agent a placeholder
	toolUnbound  = "dream"
	toolUnknown  = "teleport"
)

// The tools whose results end a capability, and tools whose results do not.
const (
	toolFinish   = "finish"
	toolConclude = "conclude"
	toolComplete = "complete"
	toolClose    = "close"
	toolReport   = "report"
	toolGoOn     = "go_on"
	toolHint     = "hint"
	toolTally    = "tally"
	toolDally    = "dally"
)

type parameters = map[string]string

// AddBoundTools adds tools with each type of binding to a package.
func AddBoundTools(tools *environment.Tools, s *sample.Package) {
	const fixedQuery = "?unit=Metric" // the part of a URL that does not depend on arguments
	place := func(word string) string { return tools.URL(environment.Echo, word+s.Mark) }
	s.Bindings[0].Parameters["url"] += fixedQuery // of toolLookup
	s.AddBoundTool(toolOther, "http_get", parameters{"url": place("other-")})
	s.AddBoundTool(toolSubmit, "http_post", parameters{"url": place("submit-") + fixedQuery})
	s.AddBoundTool(toolNotify, "nuwa_a2a", parameters{"target_did": environment.Agent, "service_method": agentMethod})
	s.AddBoundTool(toolAlert, "nuwa_a2a", parameters{"target_did": environment.OtherAgent,
		"service_method": otherAgentMethod})
	s.AddBoundTool(toolExtract, "mcp_service",
		parameters{"service_uri": environment.Service, "mcp_action": string(environment.Echo)})
	s.AddBoundTool(toolDescribe, "mcp_service",
		parameters{"service_uri": environment.OtherService, "mcp_action": string(environment.EchoText)})
}

// AddEndingTools adds tools to a package that report done, and tools that do not.
func AddEndingTools(tools *environment.Tools, s *sample.Package) {
	for _, tool := range []string{toolFinish, toolConclude, toolGoOn, toolHint, toolTally} {
		s.AddBoundTool(tool, "mcp_service", parameters{"service_uri": environment.Service,
			"mcp_action": string(behaviours()[tool])})
	}
	for _, tool := range []string{toolComplete, toolDally} {
		s.AddBoundTool(tool, "http_post", parameters{"url": tools.URL(behaviours()[tool], s.Mark)})
	}
	s.AddBoundTool(toolReport, "nuwa_a2a", parameters{"target_did": environment.DoneAgent, "service_method": agentMethod})
	s.AddBoundTool(toolClose, "http_get", parameters{"url": tools.URL(behaviours()[toolClose], s.Mark)})
}

// behaviours returns the behaviour of the service behind each tool.
func behaviours() map[string]environment.Behaviour {
	return map[string]environment.Behaviour{
		toolFinish: environment.Done, toolConclude: environment.DoneInText, toolComplete: environment.Done,
		toolClose:  environment.Done,
		toolReport: environment.Done, toolGoOn: environment.NotDone, toolHint: environment.DoneString,
		toolTally: environment.DoneNumber, toolDally: environment.Hangs,
	}
}

// newArguments returns new arguments. Some have the zero value of their type, and must arrive
// nevertheless.
func newArguments() object {
	return object{
		"topic": "topic " + environment.NewMark(), "amount": 3, "agent": environment.OtherAgent,
		"parts": []any{object{"label": "größer"}, object{"label": "a/b?c&d"}, object{"label": "c"}, object{"label": "d"},
			object{"label": "e"}},
		"urgent": false, "depth": 0, "remark": "", "labels": []any{}, "options": object{}, "ratio": -2.5,
		"comment": sample.TextOfLength(600), "code": " 0042 ", "digits": "00420",
	}
}
