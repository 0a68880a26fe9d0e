package router

import (
	"context"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/acp/environment"
	"github.com/capconform/capconform/suites/acp/history"
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
)

// pair is two packages that share one trigger and have one more each.
type pair struct {
	a, b           *sample.Package
	shared         string          // a word that the triggers of both match
	winner, loser  *sample.Package // of the shared word in a new conversation
	err, undecided error           // why there is no pair, and why nobody wins
	fickle         error           // why the shared word does not show who is active
}

// pairOf installs a pair once a run.
func (c *Caller) pairOf(ctx context.Context, l *suites.Laboratory, kind pairKind) pair {
	err := c.Ready()
	if kind == byExpression { // that no message reaches its package is for one stimulus to show
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
		made.undecided = c.contest(ctx, l, &made)
	}
	if made.err == nil && made.undecided == nil {
		made.fickle = c.keepsLoser(ctx, l, made)
	}
	if ctx.Err() == nil {
		c.pairs[kind] = made
	}
	return made
}

func (c *Caller) makePair(kind pairKind) pair {
	made := pair{a: c.Sample(), b: c.Sample(), shared: "both" + environment.Mark()[2:14]}
	if kind == byExpression || kind == byKeyword {
		made.b.Word = "wört" + made.b.Mark[2:14]
	}
	for _, s := range []*sample.Package{made.a, made.b} {
		c.Endings(s)
		s.Triggers = map[pairKind][]environment.Trigger{
			byEither: sample.BothTriggers(s.Word, made.shared),
			byExpression: {{Type: "regex", Value: made.shared},
				{Type: "regex", Value: "please " + s.Word + "|" + parted(s.Word)}}, // its own is not the first
			byKeyword:  {{Type: "keyword", Value: made.shared}, {Type: "keyword", Value: s.Word}}, // its own is not the first
			byCommands: sample.BothTriggers(s.Word, made.shared, "/back", "/switch"),
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

// contest finds out to whom a new conversation with the shared word goes. It asks twice: what
// is not the same twice could be mistaken for anything.
func (c *Caller) contest(ctx context.Context, l *suites.Laboratory, made *pair) error {
	var winners [2]*sample.Package
	for i := range winners {
		t, err := c.talk(l, made.a).tell(ctx, about{history.AboutCase: history.CaseContest},
			sample.Amid(made.shared), environment.Script{})
		if err != nil {
			return err
		}
		toA, toB := t.Reaches(made.a), t.Reaches(made.b)
		switch {
		case toA && toB:
			return suites.Undecided("a message that the triggers of two packages match goes to both, so that it shows of neither whether it is active")
		case toA:
			winners[i] = made.a
		case toB:
			winners[i] = made.b
		}
	}
	if winners[0] != winners[1] {
		return suites.Undecided("a message that the triggers of two packages match goes to one and then to the other, so that it shows of neither whether it is active")
	}
	made.winner, made.loser = winners[0], made.a
	if made.winner == made.a {
		made.loser = made.b
	}
	return nil
}

// keepsLoser is the control of all that asks who is active: the one that loses the shared word
// in a new conversation keeps it where it is on top.
func (c *Caller) keepsLoser(ctx context.Context, l *suites.Laboratory, made pair) error {
	k := c.talk(l, made.loser)
	if _, err := k.say(ctx, nil, environment.Script{}); err != nil {
		return err
	}
	t, err := k.tell(ctx, nil, sample.Amid(made.shared), environment.Script{})
	if err == nil && !t.Reaches(made.loser) {
		err = suites.Undecided("a message that the active capability matches does not stay with it, so that nothing shows which one is active: see ACP-ROUTE-02")
	}
	return err
}

// open says why a pair shows nothing of who is active.
func (p pair) open() error {
	if p.err != nil {
		return p.err
	}
	return p.undecided
}

// first gives the one that wins the shared word, if one of the two does.
func (p pair) first() *sample.Package {
	if p.winner == nil && p.loser != nil {
		return p.other(p.loser)
	}
	return p.winner
}

// other gives the package of a pair that another is not.
func (p pair) other(s *sample.Package) *sample.Package {
	if s == p.a {
		return p.b
	}
	return p.a
}

// activated gives a conversation in which one of a pair is active.
func (c *Caller) activated(ctx context.Context, l *suites.Laboratory, p pair, which *sample.Package) (talk, error) {
	if err := p.open(); err != nil {
		return talk{}, err
	}
	k := c.talk(l, which)
	return k, k.activate(ctx)
}
