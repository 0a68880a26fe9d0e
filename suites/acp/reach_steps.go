package acpsuite

import (
	"context"
	"slices"
	"strings"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/acp/environment"
)

// agentCalled judges the call that was made, and one of a tool that is bound to
// another agent: who knows one alone is right by chance.
func (w *world) agentCalled(ctx context.Context) error {
	if err := w.agentReached(environment.Agent, method); err != nil {
		return err
	}
	if err := w.callInstead(ctx, toolAlert); err != nil {
		return err
	}
	return w.agentReached(environment.OtherAgent, otherMethod)
}

func (w *world) agentReached(agent, method string) error {
	calls := w.reaching(agent)
	w.citeCalls(w.calls...)
	switch {
	case len(calls) == 0:
		return suites.Violated("a tool that is bound by nuwa_a2a does not reach its agent", "a POST at the endpoint that is configured for "+agent, "none: "+w.last().read().Print())
	case !slices.ContainsFunc(calls, func(c environment.Call) bool { return strings.Contains(string(c.Body), method) }):
		return suites.Violated("an agent is called without the method", method+" in what arrives", suites.Clip(string(calls[0].Body)))
	}
	return nil
}

// callInstead lets the model call another tool of the package.
func (w *world) callInstead(ctx context.Context, tool string) error {
	var t turn
	t, w.calls = w.use(ctx, w.it, tool, "")
	return w.offeredTool(t)
}

func (w *world) mcpCalls() []environment.Call {
	return slices.DeleteFunc(slices.Clone(w.calls), func(c environment.Call) bool { return c.Kind != "mcp" })
}

// actionCalled judges the call that was made, and one of another action of another
// service.
func (w *world) actionCalled(ctx context.Context) error {
	if err := w.actionReached(environment.Service, environment.Echo); err != nil {
		return err
	}
	if err := w.callInstead(ctx, toolDescribe); err != nil {
		return err
	}
	return w.actionReached(environment.OtherService, environment.EchoText)
}

func (w *world) actionReached(service string, action environment.Behaviour) error {
	calls := w.mcpCalls()
	w.citeCalls(calls...)
	switch {
	case len(calls) == 0:
		return suites.Violated("a tool that is bound by mcp_service does not reach its service", "a call of the action at the endpoint that is configured for "+service, "none: "+w.last().read().Print())
	case !slices.ContainsFunc(calls, func(c environment.Call) bool { return c.Service == service && c.Behaviour == action }):
		return suites.Violated("a tool that is bound by mcp_service calls another action or service", string(action)+" of "+service, string(calls[0].Behaviour)+" of "+calls[0].Service)
	}
	return nil
}
