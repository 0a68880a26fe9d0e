package router

import (
	"context"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/acp/environment"
	"github.com/capconform/capconform/suites/acp/history"
	"github.com/capconform/capconform/suites/acp/sample"
	"github.com/capconform/capconform/suites/verdict"
)

// pairing installs two packages that share a trigger, and finds out which of them gets messages with it.
type pairing struct{ bench }

// pairOf returns the pair of a kind. Each pair is installed once per run.
func (c pairing) pairOf(ctx context.Context, l *suites.Laboratory, kind pairKind) pair {
	err := c.Ready()
	if kind == byExpression { // its stimulus must show whether messages reach their package
		err = c.History.Conclusion(history.Installs)
	}
	if err != nil {
		return pair{err: err}
	}
	if c.pairs == nil {
		c.pairs = map[pairKind]pair{}
	}
	if made, known := c.pairs[kind]; known {
		return made
	}
	made := c.makePair(kind)
	for _, s := range []*sample.Package{made.a, made.b} {
		if made.err == nil {
			made.err = c.mount(ctx, l, s)
		}
	}
	if made.err == nil {
		made.undecided = c.newConversation(ctx, l, &made)
	}
	if made.err == nil && made.undecided == nil {
		made.fickle = c.keepsLoser(ctx, l, made)
	}
	if ctx.Err() == nil {
		c.pairs[kind] = made
	}
	return made
}

func (c pairing) makePair(kind pairKind) pair {
	made := pair{a: c.Sample(), b: c.Sample(), shared: "both" + environment.Mark()[2:14]}
	if kind == byExpression || kind == byKeyword {
		made.b.Word = "wört" + made.b.Mark[2:14]
	}
	for _, s := range []*sample.Package{made.a, made.b} {
		Endings(c.Environment.Tools, s)
		s.Triggers = map[pairKind][]environment.Trigger{
			byEither: sample.BothTriggers(s.Word, made.shared),
			byExpression: append(unused("regex"), environment.Trigger{Type: "regex", Value: made.shared},
				environment.Trigger{Type: "regex", Value: "please " + s.Word + "|" + parted(s.Word)}), // its own is the last
			byKeyword: append(unused("keyword"), environment.Trigger{Type: "keyword", Value: made.shared},
				environment.Trigger{Type: "keyword", Value: s.Word}), // its own is the last
			byCommands: sample.BothTriggers(s.Word, made.shared, "/back", "/switch"),
		}[kind]
	}
	return made
}

// unused returns triggers that no message matches.
func unused(kind string) []environment.Trigger {
	const many = 8
	var all []environment.Trigger
	for range many {
		all = append(all, environment.Trigger{Type: kind, Value: "unused" + environment.Mark()[2:14]})
	}
	return all
}

// parted returns a regular expression that matches a text with the word without being a part of it. Like
// the example of the text, it has a group of any characters between two literals.
func parted(word string) string {
	const end = 4
	return word[:len(word)-end] + "(.*)" + word[len(word)-end+1:]
}

// newConversation finds out which package gets the shared word in a new conversation. It tests twice. If
// the results differ, the shared word proves nothing.
func (c pairing) newConversation(ctx context.Context, l *suites.Laboratory, made *pair) error {
	var winners [2]*sample.Package
	for i := range winners {
		t, err := c.talk(l, made.a).converse(ctx, about{history.AboutCase: history.CaseNewConversation},
			sample.Amid(made.shared), environment.Script{})
		if err != nil {
			return err
		}
		toA, toB := t.Reaches(made.a), t.Reaches(made.b)
		switch {
		case toA && toB:
			return verdict.Undecided("a message that the triggers of two packages match goes to both, " +
				"so that it shows of neither whether it is active")
		case toA:
			winners[i] = made.a
		case toB:
			winners[i] = made.b
		}
	}
	if winners[0] != winners[1] {
		return verdict.Undecided("a message that the triggers of two packages match goes to one and then to the other, " +
			"so that it shows of neither whether it is active")
	}
	made.winner, made.loser = winners[0], made.a
	if made.winner == made.a {
		made.loser = made.b
	}
	return nil
}

// keepsLoser is the positive control of all stimuli that test which package is active: if the loser is
// on top of the stack, it gets the shared word.
func (c pairing) keepsLoser(ctx context.Context, l *suites.Laboratory, made pair) error {
	k := c.talk(l, made.loser)
	if _, err := k.say(ctx, nil, environment.Script{}); err != nil {
		return err
	}
	t, err := k.converse(ctx, nil, sample.Amid(made.shared), environment.Script{})
	if err == nil && !t.Reaches(made.loser) {
		err = verdict.Undecided("a message that the active capability matches does not stay with it, " +
			"so that nothing shows which one is active: see ACP-ROUTE-02")
	}
	return err
}

// activated returns a conversation in which a package of a pair is active.
func (c pairing) activated(ctx context.Context, l *suites.Laboratory, p pair, which *sample.Package) (talk, error) {
	if err := p.open(); err != nil {
		return talk{}, err
	}
	k := c.talk(l, which)
	return k, k.activate(ctx)
}

// twice returns two conversations in which the loser of the shared word is active.
func (c pairing) twice(ctx context.Context, l *suites.Laboratory, p pair) (here, there talk, err error) {
	if here, err = c.activated(ctx, l, p, p.loser); err == nil {
		there, err = c.activated(ctx, l, p, p.loser)
	}
	return here, there, err
}

// shared sends a message that the triggers of both packages match, so that only the active one must get
// it.
func (k talk) shared(ctx context.Context, kind string, p pair, to *sample.Package) error {
	if p.fickle != nil {
		return p.fickle
	}
	_, err := k.send(ctx, kind, sample.Amid(p.shared), to)
	return err
}

// contestsAtMost is the number of new conversations that test whether the winner of the shared word has
// changed, before a breach is reported.
const contestsAtMost = 10

// leaves tests whether the package is no longer active. It is sufficient if the subject shows a stack
// without the package. Otherwise leaves sends the shared word, which the other package wins in a new
// conversation.
func (k talk) leaves(ctx context.Context, p pair) error {
	stack := k.stack(ctx, about{history.AboutCase: history.CaseLeft})
	if history.Left(stack, k.with) {
		return nil
	}
	if p.fickle != nil {
		return p.fickle
	}
	t, err := k.converse(ctx, about{history.AboutCase: history.CaseLeft}, sample.Amid(p.shared), environment.Script{})
	if err != nil || !t.Reaches(k.with) {
		return err
	}
	k.stack(ctx, nil)
	for range contestsAtMost {
		again := k
		again.id = newConversation()
		t, err := again.converse(ctx, about{history.AboutCase: history.CaseNewConversation}, sample.Amid(p.shared),
			environment.Script{})
		if err != nil || t.Reaches(k.with) {
			return err
		}
	}
	return nil
}
