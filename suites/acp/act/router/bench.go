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

func (c bench) conversation(l *suites.Laboratory, pkg *sample.Package) conversation {
	return conversation{Caller: c.Caller, l: l, id: newConversationID(), pkg: pkg}
}

// withStoringPackage returns a conversation with a package that has every built-in tool. The package is
// installed once per run.
func (c bench) withStoringPackage(ctx context.Context, l *suites.Laboratory) (conversation, error) {
	if err := c.Ready(); err != nil {
		return conversation{}, err
	}
	if c.storingPackage == nil {
		s := c.NewPackage()
		s.AddBuiltInTools(sample.Update, sample.Delete)
		if err := c.installValid(ctx, l, s); err != nil {
			return conversation{}, err
		}
		c.storingPackage = s
	}
	return c.conversation(l, c.storingPackage), nil
}

// withNewPackage installs a further package that stores objects, and returns a conversation with it. The
// function change, if not nil, changes the package first.
func (c bench) withNewPackage(ctx context.Context, l *suites.Laboratory,
	change func(*sample.Package)) (conversation, error) {
	if err := c.Ready(); err != nil {
		return conversation{}, err
	}
	s := c.NewPackage()
	if change != nil {
		change(s)
	}
	return c.conversation(l, s), c.installValid(ctx, l, s)
}

// withActivePackage installs a new package, and returns a conversation in which it acts.
func (c bench) withActivePackage(ctx context.Context, l *suites.Laboratory,
	change func(*sample.Package)) (conversation, error) {
	k, err := c.withNewPackage(ctx, l, change)
	if err != nil {
		return k, err
	}
	t, err := k.sendScripted(ctx, nil, environment.Script{})
	if err == nil && !t.Reaches(k.pkg) {
		err = verdict.Undecided("a message does not reach the package that its trigger matches: see ACP-FIELD-06")
	}
	return k, err
}

// checkReachable is a positive control: it returns nil if a message reaches the first package.
func (c bench) checkReachable(ctx context.Context, l *suites.Laboratory) error {
	if err := c.Ready(); err != nil {
		return err
	}
	k := c.conversation(l, c.FirstInstalled())
	t, err := k.sendScripted(ctx, nil, environment.Script{})
	if err == nil && !t.Reaches(k.pkg) {
		err = verdict.Undecided("a message does not reach the package that its trigger matches: see ACP-FIELD-06")
	}
	return err
}
