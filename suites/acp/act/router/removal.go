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
	k, err := c.withActivePackage(ctx, l, nil)
	if err != nil {
		return err
	}
	if err := c.testUninstalled(ctx, k); err != nil {
		return err
	}
	if err := c.conversation(l, c.FirstInstalled()).sendOtherPackage(ctx); err != nil {
		return err
	}
	install := driver.Operation{Name: history.OpInstall, Params: jsonvalue.Encode(object{"cid": k.pkg.CID})}
	_, answer, err := l.Do(ctx, suites.Call{About: about{history.AboutCase: history.CaseReinstall}, Operation: install})
	switch {
	case err != nil:
		return err
	case answer.Outcome != driver.Returned:
		return verdict.Undecided("an uninstalled package is not installed again: see ACP-MOT-01")
	}
	if err := c.conversation(l, k.pkg).sendOwnTrigger(ctx); err != nil {
		return err
	}
	if err := k.sendOwnTrigger(ctx); err != nil { // installed packages also act in open conversations
		return err
	}
	if err := c.testUninstalled(ctx, k); err != nil {
		return err
	}
	uninstalled := k.pkg
	k.pkg = c.FirstInstalled() // the conversation must continue with another package
	if err := k.sendOtherPackage(ctx); err != nil {
		return err
	}
	return c.republished(ctx, l, uninstalled)
}

// republished installs other content under the capability URI of an uninstalled package, and sends a
// message that the triggers of both match. A router may refuse it because a version was used twice.
func (c removals) republished(ctx context.Context, l *suites.Laboratory, uninstalled *sample.Package) error {
	s := c.NewVersion(uninstalled)
	s.ID, s.Word = uninstalled.ID, "next"+s.Mark[2:14]
	s.Triggers = sample.BothTriggers(s.Word)
	answer, err := c.publishAndInstall(ctx, l, s)
	if err != nil || answer.Outcome != driver.Returned {
		return err
	}
	_, err = c.conversation(l, s).sendText(ctx, nil, sample.TextWith(uninstalled.Word+" "+s.Word), environment.Script{})
	return err
}

// sendOtherPackage sends a message to the package, which is not the one that is removed.
func (k conversation) sendOtherPackage(ctx context.Context) error {
	_, err := k.sendCase(ctx, history.CaseOtherPackage, sample.TextWith(k.pkg.Word), k.pkg)
	return err
}

// testUninstalled uninstalls the package, and sends messages that only its trigger matches.
func (c removals) testUninstalled(ctx context.Context, k conversation) error {
	if err := c.uninstall(ctx, k.l, k.pkg); err != nil {
		return err
	}
	if _, err := c.conversation(k.l, k.pkg).sendScripted(ctx, nil, environment.Script{}); err != nil {
		return err
	}
	_, err := k.sendScripted(ctx, nil, environment.Script{})
	return err
}

// upgraded installs a newer version of a package that acts. The text does not say whether an open
// conversation continues with the previous version.
func (c removals) upgraded(ctx context.Context, l *suites.Laboratory) error {
	old, err := c.withActivePackage(ctx, l, nil)
	if err != nil {
		return err
	}
	newer := c.NewVersion(old.pkg)
	if err := c.upgrade(ctx, l, old.pkg, newer); err != nil {
		return err
	}
	return c.conversation(l, newer).sendOwnTrigger(ctx)
}

// unreached sends two more messages to each package that no message reached. Before each of them, a
// message to another package must reach it: a subject that does not answer at all for some time proves
// nothing.
func (c removals) unreached(ctx context.Context, l *suites.Laboratory) error {
	const packagesAtMost = 3
	unreached := c.History.UnreachedPackages()
	for _, p := range unreached[:min(len(unreached), packagesAtMost)] {
		for range 2 {
			if err := c.checkReachable(ctx, l); err != nil {
				return err
			}
			if err := c.conversation(l, p).sendOwnTrigger(ctx); err != nil {
				return err
			}
		}
	}
	return nil
}

// unserved removes a package from the gateway after it was installed.
func (c removals) unserved(ctx context.Context, l *suites.Laboratory) error {
	k, err := c.withActivePackage(ctx, l, nil)
	if err != nil {
		return err
	}
	c.Environment.Gateway.Drop(k.pkg.CID)
	return c.conversation(l, k.pkg).sendOwnTrigger(ctx)
}
