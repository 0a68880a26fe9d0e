package router

import (
	"context"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/acp/environment"
	"github.com/capconform/capconform/suites/acp/sample"
	"github.com/capconform/capconform/suites/verdict"
)

// bench installs packages and sends messages to them, for several groups of stimuli.
type bench struct{ installer }

func (c bench) talk(l *suites.Laboratory, with *sample.Package) talk {
	return talk{Caller: c.Caller, l: l, id: newConversation(), with: with}
}

// keeping returns a conversation with a package that has every built-in tool. The package is installed
// once per run.
func (c bench) keeping(ctx context.Context, l *suites.Laboratory) (talk, error) {
	if err := c.Ready(); err != nil {
		return talk{}, err
	}
	if c.keeper == nil {
		s := c.Sample()
		s.Keeps(sample.Update, sample.Delete)
		if err := c.mount(ctx, l, s); err != nil {
			return talk{}, err
		}
		c.keeper = s
	}
	return c.talk(l, c.keeper), nil
}

// beside installs a further package that stores objects, and returns a conversation with it. The
// function shape, if not nil, changes the package first.
func (c bench) beside(ctx context.Context, l *suites.Laboratory, shape func(*sample.Package)) (talk, error) {
	if err := c.Ready(); err != nil {
		return talk{}, err
	}
	s := c.Sample()
	if shape != nil {
		shape(s)
	}
	return c.talk(l, s), c.mount(ctx, l, s)
}

// acting installs a new package, and returns a conversation in which it acts.
func (c bench) acting(ctx context.Context, l *suites.Laboratory, shape func(*sample.Package)) (talk, error) {
	k, err := c.beside(ctx, l, shape)
	if err != nil {
		return k, err
	}
	t, err := k.say(ctx, nil, environment.Script{})
	if err == nil && !t.Reaches(k.with) {
		err = verdict.Undecided("a message does not reach the package that its trigger matches: see ACP-FIELD-06")
	}
	return k, err
}

// works is a positive control: it returns nil if a message reaches the first package.
func (c bench) works(ctx context.Context, l *suites.Laboratory) error {
	if err := c.Ready(); err != nil {
		return err
	}
	k := c.talk(l, c.First())
	t, err := k.say(ctx, nil, environment.Script{})
	if err == nil && !t.Reaches(k.with) {
		err = verdict.Undecided("a message does not reach the package that its trigger matches: see ACP-FIELD-06")
	}
	return err
}
