package router

import (
	"context"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/acp/environment"
	"github.com/capconform/capconform/suites/acp/history"
	"github.com/capconform/capconform/suites/acp/sample"
	"github.com/capconform/capconform/suites/driver"
)

// The service methods of the agents in our packages.
const (
	method      = "receiveSimpleMessage"
	otherMethod = "alerts.receiveUrgent"
)

// The tools of a package with bindings, by the part of their names that is its own.
const (
	toolLookup   = "lookup"   // http_get
	toolOther    = "browse"   // http_get, to another place
	toolSubmit   = "submit"   // http_post
	toolNotify   = "notify"   // nuwa_a2a
	toolAlert    = "alert"    // nuwa_a2a, another method of another agent
	toolExtract  = "extract"  // mcp_service
	toolDescribe = "describe" // mcp_service, another action of another service
	toolForward  = "forward"  // nuwa_a2a, its agent a placeholder
	toolUnbound  = "dream"
	toolUnknown  = "teleport"
)

type parameters = map[string]string

// Bindings gives a sample tools of each type of binding.
func (c *Caller) Bindings(s *sample.Package) {
	const fixedQuery = "?unit=metric" // the part of an address that no argument makes
	place := func(word string) string { return c.Environment.Tools.URL(environment.Echo, word+s.Mark) }
	s.Bindings[0].Parameters["url"] += fixedQuery // that of toolLookup
	s.Binds(toolOther, "http_get", parameters{"url": place("other-")})
	s.Binds(toolSubmit, "http_post", parameters{"url": place("submit-") + fixedQuery})
	s.Binds(toolNotify, "nuwa_a2a", parameters{"target_did": environment.Agent, "service_method": method})
	s.Binds(toolAlert, "nuwa_a2a", parameters{"target_did": environment.OtherAgent, "service_method": otherMethod})
	s.Binds(toolExtract, "mcp_service",
		parameters{"service_uri": environment.Service, "mcp_action": string(environment.Echo)})
	s.Binds(toolDescribe, "mcp_service",
		parameters{"service_uri": environment.OtherService, "mcp_action": string(environment.EchoText)})
}

// given makes arguments that nobody gave before. Some say nothing by their value, and are
// given all the same.
func given() object {
	return object{
		"topic": "topic " + environment.Mark(), "amount": 3, "agent": environment.OtherAgent,
		"parts":  []any{object{"label": "größer"}, object{"label": "a/b?c&d"}},
		"urgent": false, "depth": 0, "remark": "", "labels": []any{}, "options": object{}, "ratio": -2.5,
		"comment": sample.AtLength(600),
	}
}

// use lets the model call tools of the package that it is shown, one after the other.
func (k talk) use(ctx context.Context, tools ...string) (*history.Turn, error) {
	script := environment.Script{}
	for _, tool := range tools {
		script.Calls = append(script.Calls, environment.ToolCall{Name: tool, Arguments: given()})
	}
	return k.say(ctx, nil, script)
}

// bound calls each tool once, and one of a service and one of an agent twice in one turn.
func (c *Caller) bound(ctx context.Context, l *suites.Laboratory) error {
	k, err := c.beside(ctx, l, c.Bindings)
	if err != nil {
		return err
	}
	for _, tool := range []string{toolLookup, toolOther, toolSubmit, toolNotify, toolAlert, toolExtract, toolDescribe} {
		if _, err := k.use(ctx, k.with.Tool(tool)); err != nil {
			return err
		}
	}
	for _, tool := range []string{k.with.Tool(toolNotify), k.with.Tool(toolExtract)} {
		if _, err := k.use(ctx, tool, tool); err != nil {
			return err
		}
	}
	return nil
}

// placeholder has a package to itself, since a runtime may refuse it.
func (c *Caller) placeholder(ctx context.Context, l *suites.Laboratory) error {
	k, err := c.beside(ctx, l, func(s *sample.Package) {
		s.Binds(toolForward, "nuwa_a2a", parameters{"target_did": "{agent}", "service_method": method})
	})
	if err != nil {
		return err
	}
	_, err = k.use(ctx, k.with.Tool(toolForward))
	return err
}

func (c *Caller) unbound(ctx context.Context, l *suites.Laboratory) error {
	return c.tolerated(ctx, l, toolUnbound, func(s *sample.Package) { s.Declares(toolUnbound) })
}

func (c *Caller) unknownType(ctx context.Context, l *suites.Laboratory) error {
	return c.tolerated(ctx, l, toolUnknown, func(s *sample.Package) {
		s.Binds(toolUnknown, history.TypeUnknown,
			parameters{"url": c.Environment.Tools.URL(environment.Echo, "teleport-"+s.Mark)})
	})
}

// tolerated calls a tool of a package that a subject may refuse.
func (c *Caller) tolerated(ctx context.Context, l *suites.Laboratory, tool string, shape func(*sample.Package)) error {
	if err := c.Ready(); err != nil {
		return err
	}
	s := c.Sample()
	shape(s)
	answer, err := c.offer(ctx, l, s)
	switch {
	case err != nil:
		return err
	case answer.Outcome != driver.Returned:
		return suites.NotObserved("a call of a tool that nothing executes, since the subject installs no package with one")
	}
	_, err = c.talk(l, s).use(ctx, s.Tool(tool))
	return err
}

// binds gives a package a tool under a name that others have, too.
func (c *Caller) binds(s *sample.Package, tool string) {
	s.DeclaresAs(tool)
	url := c.Environment.Tools.URL(environment.Echo, "common-"+s.Mark)
	s.Bindings = append(s.Bindings, environment.Binding{Tool: tool, Type: "http_get", Parameters: parameters{"url": url}})
}

// commonName is the name of a tool in which no mark stands.
func commonName() string { return "common_" + environment.Mark()[2:] }

// namesakes calls a tool of one name by each of two packages that bind it, and by one that
// does not beside one that does.
func (c *Caller) namesakes(ctx context.Context, l *suites.Laboratory) error {
	for _, both := range []bool{true, false} {
		tool := commonName()
		first, err := c.beside(ctx, l, func(s *sample.Package) {
			if both {
				c.binds(s, tool)
			} else {
				s.DeclaresAs(tool)
			}
		})
		if err != nil {
			return err
		}
		second, err := c.beside(ctx, l, func(s *sample.Package) { c.binds(s, tool) })
		if err != nil {
			return err
		}
		if _, err := first.use(ctx, tool); err != nil {
			return err
		}
		if _, err := second.use(ctx, tool); err != nil {
			return err
		}
	}
	return nil
}

// replaced upgrades a package by one with another trigger, and another binding of one tool.
func (c *Caller) replaced(ctx context.Context, l *suites.Laboratory) error {
	tool := commonName()
	old, err := c.beside(ctx, l, func(s *sample.Package) {
		s.ID = s.Identified("1.9.0")
		c.binds(s, tool)
	})
	if err != nil {
		return err
	}
	if _, err := old.say(ctx, nil, environment.Script{}); err != nil {
		return err
	}
	newer := c.Upgraded(old.with)
	newer.ID = newer.Identified("1.10.0") // which is older as a text
	newer.Word = "next" + newer.Mark[2:14]
	newer.Triggers = sample.BothTriggers(newer.Word)
	c.binds(newer, tool)
	if err := c.upgrade(ctx, l, old.with, newer); err != nil {
		return err
	}
	k := c.talk(l, newer)
	if err := k.ask(ctx); err != nil {
		return err
	}
	_, err = k.use(ctx, tool)
	return err
}

// families talks to packages that ask for models of two families. The model that is played
// offers both, and others.
func (c *Caller) families(ctx context.Context, l *suites.Laboratory) error {
	for _, family := range []string{"claude-3", "llama-3"} {
		k, err := c.beside(ctx, l, func(s *sample.Package) { s.Requirements = object{"model_family": []any{family}} })
		if err != nil {
			return err
		}
		if _, err := k.say(ctx, nil, environment.Script{}); err != nil {
			return err
		}
	}
	return nil
}
