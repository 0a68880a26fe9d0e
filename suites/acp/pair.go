package acpsuite

import (
	"context"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/acp/environment"
	"github.com/capconform/capconform/suites/acp/sample"
)

// pairKind is how two packages share their triggers.
type pairKind int

// The kinds of pairs.
const (
	byEither     pairKind = iota // by regular expressions and by keywords
	byExpression                 // by regular expressions alone
	byKeyword                    // by keywords alone
	byCommands                   // as byEither, and they match every command as well
	byEndings                    // as byEither, for those that end: nobody else's conversations are with them
	pairKinds
)

// pair is two packages that share one trigger and have one each of their own.
type pair struct {
	a, b           *specimen
	shared         string    // a word that the triggers of both match
	winner, loser  *specimen // of the shared word in a new conversation
	err, undecided error     // why there is no pair, and why nobody wins
	fickle         error     // why the shared word does not show who is active
}

// together makes and installs a pair once a run.
func (p party) together(ctx context.Context, kind pairKind) pair {
	return p.done.pairs[kind].Get(ctx, func() (pair, bool) {
		made := p.makePair(kind)
		for _, s := range []*specimen{made.a, made.b} {
			if made.err == nil {
				made.err = p.mounted(ctx, s)
			}
		}
		if made.err == nil {
			p.contest(ctx, &made)
		}
		return made, ctx.Err() == nil
	})
}

func (p party) makePair(kind pairKind) pair {
	made := pair{a: p.Sample(), b: p.Sample(), shared: "both" + environment.Mark()[2:14]}
	for _, s := range []*specimen{made.a, made.b} {
		p.endings(s)
		s.Triggers = map[pairKind][]environment.Trigger{
			byEither:     sample.BothTriggers(s.Word, made.shared),
			byEndings:    sample.BothTriggers(s.Word, made.shared),
			byExpression: {{Type: "regex", Value: made.shared}, {Type: "regex", Value: "please " + s.Word + "|" + parted(s.Word)}}, // its own is not the first
			byKeyword:    {{Type: "keyword", Value: made.shared}, {Type: "keyword", Value: s.Word}},                                // its own is not the first
			byCommands:   sample.BothTriggers(s.Word, made.shared, "/back", "/switch"),
		}[kind]
	}
	return made
}

// parted is a regular expression that a text with the word matches and that does not
// stand in the text: the text's own example has a group of anything between two texts.
func parted(word string) string {
	const end = 4
	return word[:len(word)-end] + "(.*)" + word[len(word)-end+1:]
}

// endings gives a package tools that say that it is done, and some that do not.
func (p party) endings(s *specimen) {
	for _, tool := range []string{toolFinish, toolConclude, toolGoOn, toolHint} {
		s.Binds(tool, "mcp_service", map[string]string{"service_uri": environment.Service, "mcp_action": string(behaviours[tool])})
	}
	for _, tool := range []string{toolComplete, toolDally} {
		s.Binds(tool, "http_post", map[string]string{"url": p.Environment.Tools.URL(behaviours[tool], s.Mark)})
	}
	s.Binds(toolReport, "nuwa_a2a", map[string]string{"target_did": environment.DoneAgent, "service_method": method})
	s.Binds(toolClose, "http_get", map[string]string{"url": p.Environment.Tools.URL(behaviours[toolClose], s.Mark)})
}

// The tools by which a capability ends, or does not.
const (
	toolFinish   = "finish"
	toolConclude = "conclude"
	toolComplete = "complete"
	toolClose    = "close"
	toolReport   = "report"
	toolGoOn     = "go_on"
	toolHint     = "hint"
	toolDally    = "dally"
)

// behaviours are those of the services behind them.
var behaviours = map[string]environment.Behaviour{
	toolFinish: environment.Done, toolConclude: environment.DoneInText, toolComplete: environment.Done, toolClose: environment.Done, toolReport: environment.Done,
	toolGoOn: environment.NotDone, toolHint: environment.DoneString, toolDally: environment.Hangs,
}

// contest finds out whom a new conversation with the shared word goes to. It is
// asked twice: what is not the same twice could be mistaken for anything.
func (p party) contest(ctx context.Context, made *pair) {
	var winners [2]*specimen
	for i := range winners {
		t := p.say(ctx, newConversation(), sample.Amid(made.shared), environment.Script{})
		if made.undecided = t.ended(); made.undecided != nil {
			return
		}
		toA, toB := p.reached(t, made.a), p.reached(t, made.b)
		switch {
		case toA && toB:
			made.undecided = suites.Undecided("a message that the triggers of two packages match goes to both, so that it shows of neither whether it is active")
			return
		case toA:
			winners[i] = made.a
		case toB:
			winners[i] = made.b
		}
	}
	if winners[0] != winners[1] {
		made.undecided = suites.Undecided("a message that the triggers of two packages match goes to one and then to the other, so that it shows of neither whether it is active")
		return
	}
	made.winner, made.loser = winners[0], made.a
	if made.winner == made.a {
		made.loser = made.b
	}
	made.fickle = p.keepsLoser(ctx, made)
}

// keepsLoser is the control of all that asks who is active: the one that loses the
// shared word in a new conversation keeps it where it is on top.
func (p party) keepsLoser(ctx context.Context, made *pair) error {
	conversation := newConversation()
	if err := p.askFor(ctx, conversation, made.loser, environment.Script{}).ended(); err != nil {
		return err
	}
	t := p.say(ctx, conversation, sample.Amid(made.shared), environment.Script{})
	if err := t.ended(); err != nil {
		return err
	}
	if !p.reached(t, made.loser) {
		return suites.Undecided("a message that the active capability matches does not stay with it, so that nothing shows which one is active: see ACP-ROUTE-02")
	}
	return nil
}

// other gives the package of a pair that another is not.
func (m pair) other(s *specimen) *specimen {
	if s == m.a {
		return m.b
	}
	return m.a
}
