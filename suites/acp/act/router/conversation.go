package router

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/acp/environment"
	"github.com/capconform/capconform/suites/acp/history"
	"github.com/capconform/capconform/suites/acp/sample"
	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/verdict"
)

// talk is one conversation in which the model uses the tools of a package.
type talk struct {
	*Caller
	l    *suites.Laboratory
	id   string
	with *sample.Package

	patience time.Duration // 0: the deadline of one call
}

// say sends a message that only the own trigger of the package matches. The model answers according to
// the script.
func (k talk) say(ctx context.Context, how about, script environment.Script) (*history.Turn, error) {
	return k.converse(ctx, how, sample.Amid(k.with.Word), script)
}

// converse sends a message with a new mark.
func (k talk) converse(ctx context.Context, how about, text string, script environment.Script) (*history.Turn, error) {
	script.Mark = environment.Mark()
	for i, call := range script.Calls {
		if arguments, is := call.Arguments.(history.Object); is && slices.Contains(sample.Verbs(), call.Name) {
			script.Calls[i].Arguments = k.with.Named(arguments)
		}
	}
	k.Environment.Model.Play(script)
	params := history.Object{"conversation": k.id, "text": text + " " + script.Mark}
	op := driver.Operation{Name: history.OpMessage, Params: jsonvalue.Encode(params)}
	e, _, err := k.l.Do(ctx, suites.Call{About: how, Operation: op, Limit: k.patience})
	t := k.History.Turn(e.Begun)
	if t == nil && err == nil {
		err = fmt.Errorf("router: the record lacks a message")
	}
	return t, unanswered(err)
}

// unanswered returns the error of a message, nil if the subject closed the connection instead of
// answering.
func unanswered(err error) error {
	if err != nil && !verdict.ClosedInsteadOfAnswer(err) {
		return fmt.Errorf("no answer to a message: %w", err)
	}
	return nil
}

// order has the model call one tool of the package. The model calls some tools even if it does not
// receive them.
func (k talk) order(ctx context.Context, how about, tool string, arguments history.Object) (*history.Turn, error) {
	unshown := tool != sample.Create && tool != sample.Query || how[history.AboutBreaks] == history.BreaksVerb
	script := environment.Script{Calls: []environment.ToolCall{{Name: tool, Arguments: arguments, Unshown: unshown}}}
	if unshown { // without the mark in the prompt, a request that only classifies the message could get the call
		script.Prompt = k.with.Mark
	}
	t, err := k.say(ctx, how, script)
	if err == nil && !unshown && !t.Offered(tool) {
		return t, verdict.Undecided("the model is not shown the tool %s, so that it can't call it: see ACP-EXEC-11", tool)
	}
	return t, err
}

// use has the model call tools of the package, one after the other. It calls only tools that it
// receives.
func (k talk) use(ctx context.Context, tools ...string) (*history.Turn, error) {
	script := environment.Script{}
	for _, tool := range tools {
		script.Calls = append(script.Calls, environment.ToolCall{Name: tool, Arguments: given()})
	}
	return k.say(ctx, nil, script)
}

// together has the model call tools of the package in one message.
func (k talk) together(ctx context.Context, tools ...string) (*history.Turn, error) {
	script := environment.Script{Together: true}
	for _, tool := range tools {
		script.Calls = append(script.Calls, environment.ToolCall{Name: tool, Arguments: given()})
	}
	return k.say(ctx, nil, script)
}

// call has the model call a tool, and returns an error if the model does not receive the tool.
func (k talk) call(ctx context.Context, tool string, arguments object) (*history.Turn, error) {
	t, err := k.say(ctx, nil, environment.Script{Calls: []environment.ToolCall{{Name: tool, Arguments: arguments}}})
	if err == nil && !t.Offered(tool) {
		err = verdict.Undecided("the model is not shown the tool %s, so that it can't call it: see ACP-EXEC-11",
			strings.TrimSuffix(tool, "_"+k.with.Mark))
	}
	return t, err
}

// send sends a message that is meant for a package, or for none if to is nil. If it is routed elsewhere,
// send also reads the stack, because a capability of another author may have received the message.
func (k talk) send(ctx context.Context, kind, text string, to *sample.Package) (*history.Turn, error) {
	t, err := k.converse(ctx, about{history.AboutCase: kind}, text, environment.Script{})
	if err == nil && (to == nil && len(t.Reached()) > 0 || to != nil && !t.Reaches(to)) {
		k.stack(ctx, nil)
	}
	return t, err
}

// ask sends a message that only the own trigger of the package matches.
func (k talk) ask(ctx context.Context) error {
	_, err := k.send(ctx, history.CaseOwn, sample.Amid(k.with.Word), k.with)
	return err
}

// activate puts the package on top of the stack of the conversation.
func (k talk) activate(ctx context.Context) error {
	t, err := k.converse(ctx, about{history.AboutCase: history.CaseActivates}, sample.Amid(k.with.Word),
		environment.Script{})
	if err == nil && !t.Reaches(k.with) {
		err = verdict.Undecided("a message does not reach the package that its trigger matches: see ACP-FIELD-06")
	}
	return err
}

// command sends a command. It contains no mark.
func (k talk) command(ctx context.Context, text string) error {
	op := driver.Operation{Name: history.OpMessage, Params: jsonvalue.Encode(object{"conversation": k.id, "text": text})}
	_, _, err := k.l.Do(ctx, suites.Call{About: about{history.AboutCase: history.CaseCommand}, Operation: op})
	return unanswered(err)
}

// switchTo sends the command /switch. The text does not define its argument.
func (k talk) switchTo(ctx context.Context, to *sample.Package) error {
	written := cmp.Or(k.l.Subject.Options["switch"], "{name}")
	argument := strings.NewReplacer("{name}", to.Label, "{cap_uri}", to.ID, "{title}", to.Name).Replace(written)
	return k.command(ctx, "/switch "+argument)
}

// stack returns the stack of the conversation, nil if the subject does not show it.
func (k talk) stack(ctx context.Context, how about) []string {
	op := driver.Operation{Name: history.OpState, Params: jsonvalue.Encode(object{"conversation": k.id})}
	e, _, _ := k.l.Do(ctx, suites.Call{About: how, Operation: op}) // the entry contains the result
	for _, c := range k.History.Of(history.OpState) {
		if c.Entry == e.Begun {
			return c.Stack()
		}
	}
	return nil
}
