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

// boundTools calls each tool once, one tool of a service and one of an agent twice in one turn, and
// three HTTP tools in one message of the model. These are HTTP tools because ACP-EXEC-06 covers repeated
// calls of a service.
func (c bindings) boundTools(ctx context.Context, l *suites.Laboratory) error {
	k, err := c.withNewPackage(ctx, l, func(s *sample.Package) { AddBoundTools(c.Environment.Tools, s) })
	if err != nil {
		return err
	}
	for _, tool := range []string{toolLookup, toolOther, toolSubmit, toolNotify, toolAlert, toolExtract, toolDescribe} {
		if _, err := k.callTools(ctx, k.pkg.ToolName(tool)); err != nil {
			return err
		}
	}
	for _, tool := range []string{k.pkg.ToolName(toolNotify), k.pkg.ToolName(toolExtract)} {
		if _, err := k.callTools(ctx, tool, tool); err != nil {
			return err
		}
	}
	_, err = k.callToolsTogether(ctx, k.pkg.ToolName(toolOther), k.pkg.ToolName(toolSubmit), k.pkg.ToolName(toolLookup))
	return err
}

// placeholder uses a separate package because a runtime may refuse it.
func (c bindings) placeholder(ctx context.Context, l *suites.Laboratory) error {
	k, err := c.withNewPackage(ctx, l, func(s *sample.Package) {
		s.AddBoundTool(toolForward, "nuwa_a2a", parameters{"target_did": "{agent}", "service_method": agentMethod})
	})
	if err != nil {
		return err
	}
	_, err = k.callTools(ctx, k.pkg.ToolName(toolForward))
	return err
}

func (c bindings) unbound(ctx context.Context, l *suites.Laboratory) error {
	return c.callOptionalTool(ctx, l, toolUnbound, func(s *sample.Package) { s.AddTool(toolUnbound) })
}

func (c bindings) unknownType(ctx context.Context, l *suites.Laboratory) error {
	return c.callOptionalTool(ctx, l, toolUnknown, func(s *sample.Package) {
		s.AddBoundTool(toolUnknown, history.UndefinedBindingType,
			parameters{"url": c.Environment.Tools.URL(environment.Echo, "teleport-"+s.Mark)})
	})
}

// callOptionalTool calls a tool of a package that a subject may refuse to install.
func (c bindings) callOptionalTool(ctx context.Context, l *suites.Laboratory, tool string,
	change func(*sample.Package)) error {
	if err := c.Ready(); err != nil {
		return err
	}
	s := c.NewPackage()
	change(s)
	answer, err := c.publishAndInstall(ctx, l, s)
	switch {
	case err != nil:
		return err
	case answer.Outcome != driver.Returned:
		return verdict.NotObserved("a call of a tool without a binding, since the subject installs no package with one")
	}
	_, err = c.conversation(l, s).callTools(ctx, s.ToolName(tool))
	return err
}

// addCommonTool adds a tool to a package under a name that other packages also use.
func (c bindings) addCommonTool(s *sample.Package, tool string) {
	s.AddToolNamed(tool)
	url := c.Environment.Tools.URL(environment.Echo, "common-"+s.Mark)
	s.Bindings = append(s.Bindings, environment.Binding{Tool: tool, Type: "http_get", Parameters: parameters{"url": url}})
}

// newCommonName returns a new name of a tool without a mark.
func newCommonName() string { return "common_" + environment.NewMark()[2:] }

// toolsOfOneName calls a tool with the same name in two packages: first both packages bind it, each
// alone and then both at once; then only one of them binds it.
func (c bindings) toolsOfOneName(ctx context.Context, l *suites.Laboratory) error {
	for _, both := range []bool{true, false} {
		tool := newCommonName()
		first, err := c.withNewPackage(ctx, l, func(s *sample.Package) {
			if both {
				c.addCommonTool(s, tool)
			} else {
				s.AddToolNamed(tool)
			}
		})
		if err != nil {
			return err
		}
		second, err := c.withNewPackage(ctx, l, func(s *sample.Package) { c.addCommonTool(s, tool) })
		if err != nil {
			return err
		}
		if _, err := first.callTools(ctx, tool); err != nil {
			return err
		}
		if _, err := second.callTools(ctx, tool); err != nil {
			return err
		}
		if both {
			if err := callConcurrently(ctx, tool, c.conversation(l, first.pkg), c.conversation(l, second.pkg)); err != nil {
				return err
			}
		}
	}
	return nil
}

// callConcurrently calls a tool in several conversations. The turns overlap if the subject processes
// several messages at a time.
func callConcurrently(ctx context.Context, tool string, all ...conversation) error {
	meeting, errs := environment.NewBarrier(len(all)), make([]error, len(all))
	var wg sync.WaitGroup
	for i, k := range all {
		wg.Go(func() {
			script := environment.Script{Barrier: meeting}
			script.Calls = []environment.ToolCall{{Name: tool, Arguments: newArguments()}}
			_, errs[i] = k.sendText(ctx, about{history.AboutCase: history.CaseOwnTrigger}, sample.TextWith(k.pkg.Word), script)
		})
	}
	wg.Wait()
	return errors.Join(errs...)
}

// replaced upgrades a package to a version with another trigger and another binding of one tool.
func (c bindings) replaced(ctx context.Context, l *suites.Laboratory) error {
	tool := newCommonName()
	old, err := c.withNewPackage(ctx, l, func(s *sample.Package) {
		s.ID = s.CapURI("1.9.0")
		c.addCommonTool(s, tool)
	})
	if err != nil {
		return err
	}
	if _, err := old.sendScripted(ctx, nil, environment.Script{}); err != nil {
		return err
	}
	newer := c.NewVersion(old.pkg)
	newer.ID = newer.CapURI("1.10.0") // as a text, it is lower than 1.9.0
	newer.Word = "next" + newer.Mark[2:14]
	newer.Triggers = sample.BothTriggers(newer.Word)
	c.addCommonTool(newer, tool)
	if err := c.upgrade(ctx, l, old.pkg, newer); err != nil {
		return err
	}
	k := c.conversation(l, newer)
	if err := k.sendOwnTrigger(ctx); err != nil {
		return err
	}
	_, err = k.callTools(ctx, tool)
	return err
}

// modelFamilies sends messages to packages that require models of two families. The model service of the
// harness offers models of both families and others.
func (c bindings) modelFamilies(ctx context.Context, l *suites.Laboratory) error {
	for _, family := range []string{"claude-3", "llama-3"} {
		k, err := c.withNewPackage(ctx, l, func(s *sample.Package) { s.Requirements = object{"model_family": []any{family}} })
		if err != nil {
			return err
		}
		if _, err := k.sendScripted(ctx, nil, environment.Script{}); err != nil {
			return err
		}
	}
	return nil
}
