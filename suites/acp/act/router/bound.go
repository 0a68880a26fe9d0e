package router

import (
	"context"
	"errors"
	"sync"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/acp/environment"
	"github.com/capconform/capconform/suites/acp/history"
	"github.com/capconform/capconform/suites/acp/sample"
	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/verdict"
)

// bindings are the stimuli for tool bindings.
type bindings struct{ bench }

// bound calls each tool once, one tool of a service and one of an agent twice in one turn, and three
// HTTP tools in one message of the model. These are HTTP tools because ACP-EXEC-06 covers repeated calls
// of a service.
func (c bindings) bound(ctx context.Context, l *suites.Laboratory) error {
	k, err := c.beside(ctx, l, func(s *sample.Package) { Bindings(c.Environment.Tools, s) })
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
	_, err = k.together(ctx, k.with.Tool(toolOther), k.with.Tool(toolSubmit), k.with.Tool(toolLookup))
	return err
}

// placeholder uses a separate package because a runtime may refuse it.
func (c bindings) placeholder(ctx context.Context, l *suites.Laboratory) error {
	k, err := c.beside(ctx, l, func(s *sample.Package) {
		s.Binds(toolForward, "nuwa_a2a", parameters{"target_did": "{agent}", "service_method": method})
	})
	if err != nil {
		return err
	}
	_, err = k.use(ctx, k.with.Tool(toolForward))
	return err
}

func (c bindings) unbound(ctx context.Context, l *suites.Laboratory) error {
	return c.tolerated(ctx, l, toolUnbound, func(s *sample.Package) { s.Declares(toolUnbound) })
}

func (c bindings) unknownType(ctx context.Context, l *suites.Laboratory) error {
	return c.tolerated(ctx, l, toolUnknown, func(s *sample.Package) {
		s.Binds(toolUnknown, history.TypeUnknown,
			parameters{"url": c.Environment.Tools.URL(environment.Echo, "teleport-"+s.Mark)})
	})
}

// tolerated calls a tool of a package that a subject may refuse to install.
func (c bindings) tolerated(ctx context.Context, l *suites.Laboratory, tool string, shape func(*sample.Package)) error {
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
		return verdict.NotObserved("a call of a tool without a binding, since the subject installs no package with one")
	}
	_, err = c.talk(l, s).use(ctx, s.Tool(tool))
	return err
}

// binds adds a tool to a package under a name that other packages also use.
func (c bindings) binds(s *sample.Package, tool string) {
	s.DeclaresAs(tool)
	url := c.Environment.Tools.URL(environment.Echo, "common-"+s.Mark)
	s.Bindings = append(s.Bindings, environment.Binding{Tool: tool, Type: "http_get", Parameters: parameters{"url": url}})
}

// commonName returns a new name of a tool without a mark.
func commonName() string { return "common_" + environment.Mark()[2:] }

// toolsOfOneName calls a tool with the same name in two packages: first both packages bind it, each
// alone and then both at once; then only one of them binds it.
func (c bindings) toolsOfOneName(ctx context.Context, l *suites.Laboratory) error {
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
		if both {
			if err := atOnce(ctx, tool, c.talk(l, first.with), c.talk(l, second.with)); err != nil {
				return err
			}
		}
	}
	return nil
}

// atOnce calls a tool in several conversations. The turns overlap if the subject processes several
// messages at a time.
func atOnce(ctx context.Context, tool string, all ...talk) error {
	meeting, errs := environment.NewMeeting(len(all)), make([]error, len(all))
	var wg sync.WaitGroup
	for i, k := range all {
		wg.Go(func() {
			script := environment.Script{Meeting: meeting}
			script.Calls = []environment.ToolCall{{Name: tool, Arguments: given()}}
			_, errs[i] = k.converse(ctx, about{history.AboutCase: history.CaseOwn}, sample.Amid(k.with.Word), script)
		})
	}
	wg.Wait()
	return errors.Join(errs...)
}

// replaced upgrades a package to a version with another trigger and another binding of one tool.
func (c bindings) replaced(ctx context.Context, l *suites.Laboratory) error {
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
	newer.ID = newer.Identified("1.10.0") // as a text, it is lower than 1.9.0
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

// families sends messages to packages that require models of two families. The model service of the
// harness offers models of both families and others.
func (c bindings) families(ctx context.Context, l *suites.Laboratory) error {
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
