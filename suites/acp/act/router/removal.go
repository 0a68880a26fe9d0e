package router

import (
	"context"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/acp/environment"
	"github.com/capconform/capconform/suites/acp/history"
	"github.com/capconform/capconform/suites/acp/sample"
	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/verdict"
)

// removals are the stimuli that remove or replace a package.
type removals struct{ bench }

// removed uninstalls a package, installs it again, and uninstalls it a second time. After each step,
// messages are sent to it in a new conversation and in the one in which it was active, and to a package
// that remains, finally in the conversation in which the uninstalled one was active.
func (c removals) removed(ctx context.Context, l *suites.Laboratory) error {
	k, err := c.acting(ctx, l, nil)
	if err != nil {
		return err
	}
	if err := c.gone(ctx, k); err != nil {
		return err
	}
	if err := c.talk(l, c.First()).other(ctx); err != nil {
		return err
	}
	install := driver.Operation{Name: history.OpInstall, Params: jsonvalue.Encode(object{"cid": k.with.CID})}
	_, answer, err := l.Do(ctx, suites.Call{About: about{history.AboutCase: history.CaseAgain}, Operation: install})
	switch {
	case err != nil:
		return err
	case answer.Outcome != driver.Returned:
		return verdict.Undecided("an uninstalled package is not installed again: see ACP-MOT-01")
	}
	if err := c.talk(l, k.with).ask(ctx); err != nil {
		return err
	}
	if err := k.ask(ctx); err != nil { // installed packages also act in open conversations
		return err
	}
	if err := c.gone(ctx, k); err != nil {
		return err
	}
	gone := k.with
	k.with = c.First() // the conversation must continue with another package
	if err := k.other(ctx); err != nil {
		return err
	}
	return c.rewritten(ctx, l, gone)
}

// rewritten installs other content under the capability URI of an uninstalled package, and sends a
// message that the triggers of both match. A router may refuse it because a version was used twice.
func (c removals) rewritten(ctx context.Context, l *suites.Laboratory, gone *sample.Package) error {
	s := c.Upgraded(gone)
	s.ID, s.Word = gone.ID, "next"+s.Mark[2:14]
	s.Triggers = sample.BothTriggers(s.Word)
	answer, err := c.offer(ctx, l, s)
	if err != nil || answer.Outcome != driver.Returned {
		return err
	}
	_, err = c.talk(l, s).converse(ctx, nil, sample.Amid(gone.Word+" "+s.Word), environment.Script{})
	return err
}

// other sends a message to the package, which is not the one that is removed.
func (k talk) other(ctx context.Context) error {
	_, err := k.send(ctx, history.CaseOther, sample.Amid(k.with.Word), k.with)
	return err
}

// gone uninstalls the package, and sends messages that only its trigger matches.
func (c removals) gone(ctx context.Context, k talk) error {
	if err := c.uninstall(ctx, k.l, k.with); err != nil {
		return err
	}
	if _, err := c.talk(k.l, k.with).say(ctx, nil, environment.Script{}); err != nil {
		return err
	}
	_, err := k.say(ctx, nil, environment.Script{})
	return err
}

// upgraded installs a newer version of a package that acts. The text does not say whether an open
// conversation continues with the previous version.
func (c removals) upgraded(ctx context.Context, l *suites.Laboratory) error {
	old, err := c.acting(ctx, l, nil)
	if err != nil {
		return err
	}
	newer := c.Upgraded(old.with)
	if err := c.upgrade(ctx, l, old.with, newer); err != nil {
		return err
	}
	return c.talk(l, newer).ask(ctx)
}

// unreached sends two more messages to each package that no message reached. Before each of them, a
// message to another package must reach it: a subject that does not answer at all for some time proves
// nothing.
func (c removals) unreached(ctx context.Context, l *suites.Laboratory) error {
	const packagesAtMost = 3
	never := c.History.Unreached()
	for _, p := range never[:min(len(never), packagesAtMost)] {
		for range 2 {
			if err := c.works(ctx, l); err != nil {
				return err
			}
			if err := c.talk(l, p).ask(ctx); err != nil {
				return err
			}
		}
	}
	return nil
}

// unserved removes a package from the gateway after it was installed.
func (c removals) unserved(ctx context.Context, l *suites.Laboratory) error {
	k, err := c.acting(ctx, l, nil)
	if err != nil {
		return err
	}
	c.Environment.Gateway.Leave(k.with.CID)
	return c.talk(l, k.with).ask(ctx)
}
