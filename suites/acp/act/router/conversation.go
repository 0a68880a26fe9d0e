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

// conversation is one conversation in which the model uses the tools of a package.
type conversation struct {
	*Caller
	l   *suites.Laboratory
	id  string
	pkg *sample.Package

	deadline time.Duration // 0: the deadline of one call
}

// sendScripted sends a message that only the own trigger of the package matches. The model answers
// according to the script.
func (k conversation) sendScripted(ctx context.Context, how about, script environment.Script) (*history.Turn, error) {
	return k.sendText(ctx, how, sample.TextWith(k.pkg.Word), script)
}

// sendText sends a message with a new mark.
func (k conversation) sendText(ctx context.Context, how about, text string,
	script environment.Script) (*history.Turn, error) {
	script.Mark = environment.NewMark()
	for i, call := range script.Calls {
		if arguments, is := call.Arguments.(history.Object); is && slices.Contains(sample.Verbs(), call.Name) {
			script.Calls[i].Arguments = k.pkg.RuntimeArguments(arguments)
		}
	}
	k.Environment.Model.SetScript(script)
	params := history.Object{"conversation": k.id, "text": text + " " + script.Mark}
	op := driver.Operation{Name: history.OpMessage, Params: jsonvalue.Encode(params)}
	e, _, err := k.l.Do(ctx, suites.Call{About: how, Operation: op, Limit: k.deadline})
	t := k.History.Turn(e.Begun)
	if t == nil && err == nil {
		err = fmt.Errorf("router: the record lacks a message")
	}
	return t, messageError(err)
}

// messageError returns the error of a message, nil if the subject closed the connection instead of
// answering.
func messageError(err error) error {
	if err != nil && !verdict.ClosedInsteadOfAnswer(err) {
		return fmt.Errorf("no answer to a message: %w", err)
	}
	return nil
}

// callTool has the model call one tool of the package. The model calls some tools even if it does not
// receive them.
func (k conversation) callTool(ctx context.Context, how about, tool string,
	arguments history.Object) (*history.Turn, error) {
	unshown := tool != sample.Create && tool != sample.Query || how[history.AboutBreaks] == history.BreaksVerb
	script := environment.Script{Calls: []environment.ToolCall{{Name: tool, Arguments: arguments, Forced: unshown}}}
	if unshown { // without the mark in the prompt, a request that only classifies the message could get the call
		script.Prompt = k.pkg.Mark
	}
	t, err := k.sendScripted(ctx, how, script)
	if err == nil && !unshown && !t.Offered(tool) {
		return t, verdict.Undecided("the model is not shown the tool %s, so that it can't call it: see ACP-EXEC-11", tool)
	}
	return t, err
}

// callTools has the model call tools of the package, one after the other. It calls only tools that it
// receives.
func (k conversation) callTools(ctx context.Context, tools ...string) (*history.Turn, error) {
	script := environment.Script{}
	for _, tool := range tools {
		script.Calls = append(script.Calls, environment.ToolCall{Name: tool, Arguments: newArguments()})
	}
	return k.sendScripted(ctx, nil, script)
}

// callToolsTogether has the model call tools of the package in one message.
func (k conversation) callToolsTogether(ctx context.Context, tools ...string) (*history.Turn, error) {
	script := environment.Script{Together: true}
	for _, tool := range tools {
		script.Calls = append(script.Calls, environment.ToolCall{Name: tool, Arguments: newArguments()})
	}
	return k.sendScripted(ctx, nil, script)
}

// callOfferedTool has the model call a tool, and returns an error if the model does not receive the
// tool.
func (k conversation) callOfferedTool(ctx context.Context, tool string, arguments object) (*history.Turn, error) {
	t, err := k.sendScripted(ctx, nil, environment.Script{Calls: []environment.ToolCall{{Name: tool,
		Arguments: arguments}}})
	if err == nil && !t.Offered(tool) {
		err = verdict.Undecided("the model is not shown the tool %s, so that it can't call it: see ACP-EXEC-11",
			strings.TrimSuffix(tool, "_"+k.pkg.Mark))
	}
	return t, err
}

// sendCase sends a message that is meant for a package, or for none if to is nil. If it is routed
// elsewhere, sendCase also reads the stack, because a capability of another author may have received the
// message.
func (k conversation) sendCase(ctx context.Context, kind, text string, to *sample.Package) (*history.Turn, error) {
	t, err := k.sendText(ctx, about{history.AboutCase: kind}, text, environment.Script{})
	if err == nil && (to == nil && len(t.Reached()) > 0 || to != nil && !t.Reaches(to)) {
		k.readStack(ctx, nil)
	}
	return t, err
}

// sendOwnTrigger sends a message that only the own trigger of the package matches.
func (k conversation) sendOwnTrigger(ctx context.Context) error {
	_, err := k.sendCase(ctx, history.CaseOwnTrigger, sample.TextWith(k.pkg.Word), k.pkg)
	return err
}

// activate puts the package on top of the stack of the conversation.
func (k conversation) activate(ctx context.Context) error {
	t, err := k.sendText(ctx, about{history.AboutCase: history.CaseActivates}, sample.TextWith(k.pkg.Word),
		environment.Script{})
	if err == nil && !t.Reaches(k.pkg) {
		err = verdict.Undecided("a message does not reach the package that its trigger matches: see ACP-FIELD-06")
	}
	return err
}

// sendCommand sends a command. It contains no mark.
func (k conversation) sendCommand(ctx context.Context, text string) error {
	op := driver.Operation{Name: history.OpMessage, Params: jsonvalue.Encode(object{"conversation": k.id, "text": text})}
	_, _, err := k.l.Do(ctx, suites.Call{About: about{history.AboutCase: history.CaseCommand}, Operation: op})
	return messageError(err)
}

// switchTo sends the command /switch. The text does not define its argument.
func (k conversation) switchTo(ctx context.Context, to *sample.Package) error {
	template := cmp.Or(k.l.Subject.Options["switch"], "{name}")
	argument := strings.NewReplacer("{name}", to.Label, "{cap_uri}", to.ID, "{title}", to.Name).Replace(template)
	return k.sendCommand(ctx, "/switch "+argument)
}

// readStack returns the stack of the conversation, nil if the subject does not show it.
func (k conversation) readStack(ctx context.Context, how about) []string {
	op := driver.Operation{Name: history.OpState, Params: jsonvalue.Encode(object{"conversation": k.id})}
	e, _, _ := k.l.Do(ctx, suites.Call{About: how, Operation: op}) // the entry contains the result
	for _, c := range k.History.Calls(history.OpState) {
		if c.Entry == e.Begun {
			return c.Stack()
		}
	}
	return nil
}
