package acpsuite

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/capconform/capconform/schemas"
	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/acp/environment"
	"github.com/capconform/capconform/suites/acp/history"
	"github.com/capconform/capconform/suites/acp/sample"
	"github.com/capconform/capconform/suites/driver"
)

// turn is one message of a user, and what came of it.
type turn struct {
	conversation string
	text         string // as sent, the mark included
	mark         string // by which the model's part of it is found; "" for a command
	to           *specimen
	calls        string // the tool that the model was to call, "" for none
	answer       driver.Answer
	err          error
	reply        string                // what the user reads
	requests     []environment.Request // what the model was asked
}

// say sends a message with a fresh mark. The model answers by the script.
func (p party) say(ctx context.Context, conversation, text string, script environment.Script) turn {
	mark := environment.Mark()
	script.Mark = mark
	p.Environment.Model.Play(script)
	t := p.send(ctx, conversation, text+" "+mark)
	t.mark, t.requests = mark, p.Environment.Model.Turn(mark)
	for _, call := range script.Calls {
		t.calls = call.Name
	}
	return t
}

// send sends a message as it is.
func (p party) send(ctx context.Context, conversation, text string) turn {
	t := turn{conversation: conversation, text: text}
	t.answer, t.err = p.call(ctx, driver.Operation{Name: opMessage, Params: suites.Encode(object{"conversation": conversation, "text": text})})
	if t.err == nil && t.answer.Outcome == driver.Returned {
		t.reply, _ = schemas.ReadObject(t.answer.Result)["text"].(string)
	}
	return t
}

// askFor sends a message that the own trigger of a package matches.
func (p party) askFor(ctx context.Context, conversation string, s *specimen, script environment.Script) turn {
	t := p.say(ctx, conversation, sample.Amid(s.Word), script)
	t.to = s
	return t
}

// order lets the model call one tool of a package.
func (p party) order(ctx context.Context, conversation string, s *specimen, call environment.ToolCall) turn {
	script := environment.Script{Calls: []environment.ToolCall{call}}
	if call.Unshown { // so that whoever classifies with a model is not confused
		script.Prompt = s.Mark
	}
	return p.askFor(ctx, conversation, s, script)
}

// exposed is what a request shows of packages of ours.
type exposed struct{ prompts, tools []*specimen }

func (e *examination) exposed(q environment.Request) exposed {
	var x exposed
	x.prompts = e.Known(q.System())
	for _, t := range q.Tools {
		for _, s := range e.Known(strings.ToLower(t.Name)) {
			if !slices.Contains(x.tools, s) {
				x.tools = append(x.tools, s)
			}
		}
	}
	return x
}

// acting gives the packages that a request lets act. A request that shows several
// prompts and no tools only asks where a message belongs.
func (x exposed) acting() []*specimen {
	switch {
	case len(x.prompts) == 1:
		return x.prompts
	case len(x.tools) == 1 || len(x.prompts) > 1:
		return x.tools
	default:
		return nil
	}
}

// reachedOnes gives the packages that a message reached.
func (e *examination) reachedOnes(t turn) []*specimen {
	var all []*specimen
	for _, q := range t.requests {
		for _, s := range e.exposed(q).acting() {
			if !slices.Contains(all, s) {
				all = append(all, s)
			}
		}
	}
	return all
}

// reached tells whether a message reached a package.
func (e *examination) reached(t turn, s *specimen) bool {
	return slices.Contains(e.reachedOnes(t), s)
}

// consulted gives the requests by which a model was asked where a message belongs:
// they tell of a package of ours what no message does, and let none act. What
// the harness's model then says is no opinion, so that whatever follows shows nothing.
func (e *examination) consulted(t turn) []environment.Request {
	return slices.DeleteFunc(slices.Clone(t.requests), func(q environment.Request) bool {
		return len(e.exposed(q).acting()) > 0 || !e.described(q.Text())
	})
}

// described tells whether a text describes a package of ours to whom it may concern.
func (e *examination) described(text string) bool {
	for _, s := range e.Samples() {
		for _, word := range []string{s.Label, "please " + s.Word, s.Package.Name, s.Description} {
			if word != "" && strings.Contains(text, word) {
				return true
			}
		}
	}
	return false
}

// astray is a message that went elsewhere than it should. Where the subject asked a
// model about it, or lets us see that a capability of somebody else's has it, the
// question stays open.
func (w *world) astray(ctx context.Context, t turn, message, want, got string) error {
	if foreign := w.foreignTop(ctx, t.conversation); foreign != "" {
		return &suites.Inconclusive{
			Reason: "a capability that is not ours has the message: " + suites.Clip(foreign),
			Supply: "uninstall it for the run: its triggers match what is said to others too",
		}
	}
	if asked := w.consulted(t); len(asked) > 0 {
		w.cite(asked...)
		return &suites.Inconclusive{
			Reason: "the subject asks a model where a message belongs, and the model of the harness has no opinion",
			Supply: "have yours go by the triggers where the model names no capability and says neither yes nor no",
		}
	}
	w.cite(t.requests...)
	return suites.Violated(message, want, got)
}

// shown gives the requests of a turn that let a package act.
func (e *examination) shown(t turn, s *specimen) []environment.Request {
	return slices.DeleteFunc(slices.Clone(t.requests), func(q environment.Request) bool {
		return !slices.Contains(e.exposed(q).acting(), s)
	})
}

// offered tells whether the model was shown the tool that it was to call.
func (t turn) offered() bool {
	return slices.ContainsFunc(t.requests, func(q environment.Request) bool {
		return slices.ContainsFunc(q.Tools, func(o environment.Tool) bool { return environment.SameTool(o.Name, t.calls) })
	})
}

// results is what tools gave in a turn, as the model was told; where the model was
// told nothing, what the user reads.
func (t turn) results() []string {
	var most []string
	for _, q := range t.requests {
		if r := q.Results(); len(r) >= len(most) {
			most = r
		}
	}
	if len(most) == 0 && t.reply != "" {
		return []string{t.reply}
	}
	return most
}

// read gives what the results of a turn hold.
func (t turn) read() history.Telling { return history.Read(t.results()) }

// told tells whether the model was told what came of a tool.
func (t turn) told() bool {
	return slices.ContainsFunc(t.requests, func(q environment.Request) bool { return len(q.Results()) > 0 })
}

// idsOf names packages for want and got.
func idsOf(all []*specimen) string {
	var names []string
	for _, s := range all {
		names = append(names, s.ID)
	}
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}

// ended gives the error of a turn that brought no answer at all.
func (t turn) ended() error {
	if t.err != nil && !suites.ClosedInFace(t.err) {
		return fmt.Errorf("no answer to a message: %w", t.err)
	}
	return t.err
}

// cite puts what the model was asked into the transcript.
func (w *world) cite(requests ...environment.Request) {
	for _, q := range requests {
		w.sc.Cite(driver.Answer{Exchange: driver.Exchange{
			Operation: "POST chat/completions (by the subject)", Received: q.Body, Started: q.At,
		}}, nil)
	}
}

// citeFile puts what the gateway served under a CID into the transcript.
func (w *world) citeFile(cid string) {
	w.sc.Cite(driver.Answer{Exchange: driver.Exchange{
		Operation: "GET ipfs/" + cid + " (by the subject)", Sent: w.Environment.Gateway.Stored(cid), Started: time.Now(),
	}}, nil)
}

// citeCalls puts the calls of services into the transcript.
func (w *world) citeCalls(calls ...environment.Call) {
	for _, c := range calls {
		received := append([]byte(c.Method+" "+c.Path+" "+c.Query.Encode()+"\n"), c.Body...)
		w.sc.Cite(driver.Answer{Exchange: driver.Exchange{
			Operation: c.Kind + " " + c.Service + " (by the subject)", Received: append(received, c.Arguments...), Started: c.At,
		}}, nil)
	}
}

// offeredTool leaves the question open where the model could not call the tool.
func (w *world) offeredTool(t turn) error {
	w.turns = append(w.turns, t)
	if err := t.ended(); err != nil {
		return err
	}
	if !t.offered() {
		return suites.Undecided("the model is not shown the tool %s, so that it can't call it: see ACP-EXEC-11", strings.TrimSuffix(t.calls, "_"+w.it.Mark))
	}
	return nil
}
