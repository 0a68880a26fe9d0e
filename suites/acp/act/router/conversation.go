package router

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/acp/environment"
	"github.com/capconform/capconform/suites/acp/history"
	"github.com/capconform/capconform/suites/acp/sample"
	"github.com/capconform/capconform/suites/driver"
)

// about are the parameters of a stimulus.
type about = map[string]string

// talk is one conversation in which the model uses the tools of a package.
type talk struct {
	*Caller
	l    *suites.Laboratory
	id   string
	with *sample.Package

	patience time.Duration // 0: the deadline of one call
}

func (c *Caller) talk(l *suites.Laboratory, with *sample.Package) talk {
	return talk{Caller: c, l: l, id: newConversation(), with: with}
}

// asking makes calls that belong to a stimulus.
func asking(l *suites.Laboratory) func(context.Context, driver.Operation) (driver.Answer, error) {
	return func(ctx context.Context, op driver.Operation) (driver.Answer, error) {
		_, answer, err := l.Do(ctx, suites.Call{Operation: op})
		return answer, err
	}
}

// mount publishes and installs a package. That the subject refuses it leaves the stimulus
// undone.
func (c *Caller) mount(ctx context.Context, l *suites.Laboratory, s *sample.Package) error {
	answer, err := c.offer(ctx, l, s)
	if err == nil && answer.Outcome != driver.Returned {
		return suites.Undecided("a sound package is not installed: %s", suites.Received(answer, nil))
	}
	return err
}

// offer publishes a package and asks the subject to install it.
func (c *Caller) offer(ctx context.Context, l *suites.Laboratory, s *sample.Package) (driver.Answer, error) {
	if err := c.Publish(ctx, asking(l), s); err != nil {
		return driver.Answer{}, err
	}
	return c.install(ctx, l, s)
}

func (c *Caller) install(ctx context.Context, l *suites.Laboratory, s *sample.Package) (driver.Answer, error) {
	answer, err := asking(l)(ctx,
		driver.Operation{Name: history.OpInstall, Params: suites.Encode(history.Object{"cid": s.CID})})
	if err == nil && answer.Outcome == driver.Returned {
		c.Remember(s.ID)
	}
	return answer, err
}

// say sends a message that the own trigger of the package matches. The model answers by the
// script.
func (k talk) say(ctx context.Context, how about, script environment.Script) (*history.Turn, error) {
	return k.tell(ctx, how, sample.Amid(k.with.Word), script)
}

// tell sends a message with a fresh mark.
func (k talk) tell(ctx context.Context, how about, text string, script environment.Script) (*history.Turn, error) {
	script.Mark = environment.Mark()
	for i, call := range script.Calls {
		if arguments, is := call.Arguments.(history.Object); is && slices.Contains(sample.Verbs(), call.Name) {
			script.Calls[i].Arguments = k.with.Named(arguments)
		}
	}
	k.Environment.Model.Play(script)
	params := history.Object{"conversation": k.id, "text": text + " " + script.Mark}
	op := driver.Operation{Name: history.OpMessage, Params: suites.Encode(params)}
	e, _, err := k.l.Do(ctx, suites.Call{About: how, Operation: op, Limit: k.patience})
	t := k.History.Turn(e.Begun)
	if t == nil && err == nil {
		err = fmt.Errorf("router: the record lacks a message")
	}
	return t, unanswered(err)
}

// unanswered gives the error of a message, unless the connection was closed in its face.
func unanswered(err error) error {
	if err != nil && !suites.ClosedInFace(err) {
		return fmt.Errorf("no answer to a message: %w", err)
	}
	return nil
}

// order lets the model call one tool of the package. It may be one that the model is not shown.
func (k talk) order(ctx context.Context, how about, tool string, arguments history.Object) (*history.Turn, error) {
	unshown := tool != sample.Create && tool != sample.Query || how[history.AboutBreaks] == history.BreaksVerb
	script := environment.Script{Calls: []environment.ToolCall{{Name: tool, Arguments: arguments, Unshown: unshown}}}
	if unshown { // so that whoever classifies with a model is not confused
		script.Prompt = k.with.Mark
	}
	t, err := k.say(ctx, how, script)
	if err == nil && !unshown && !t.Offered(tool) {
		return t, suites.Undecided("the model is not shown the tool %s, so that it can't call it: see ACP-EXEC-11", tool)
	}
	return t, err
}
