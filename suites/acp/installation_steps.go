package acpsuite

import (
	"context"
	"slices"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/acp/environment"
	"github.com/capconform/capconform/suites/acp/sample"
	"github.com/capconform/capconform/suites/driver"
)

var installationSentences = []sentence{
	say(`a sound package is installed and a message reaches it`, func(w *world) any { return w.installSound }),
	say(`it is uninstalled`, func(w *world) any { return w.uninstallIt }),
	say(`it is installed again`, func(w *world) any { return w.installAgain }),
	say(`it is installed for a second time`, func(w *world) any { return w.installTwice }),
	say(`version 1\.1\.0 of it is installed`, func(w *world) any { return w.upgradeIt }),
	say(`another package still acts`, func(w *world) any { return w.sampleReached }),
	say(`a package is upgraded by one with another trigger`, func(w *world) any { return w.upgradeOtherwise }),
	say(`the gateway has it no more`, func(w *world) any { return w.leaveGateway }),
	say(`a message that only its trigger matches reaches (?:it|the new version)`, func(w *world) any { return w.reachesIt }),
	say(`a message that only its trigger matches does not reach it`, func(w *world) any { return w.reachesItNot }),
	say(`neither does one in the conversation that it was active in`, func(w *world) any { return w.reachesItNoMore }),
	say(`so does one in the conversation that it was active in`, func(w *world) any { return w.reachesItAgain }),
	say(`the model is shown nothing of the old version`, func(w *world) any { return w.nothingOld }),
}

// installFresh installs a package that the subject can't know yet.
func (w *world) installFresh(ctx context.Context) error {
	if w.blocked != nil {
		return w.blocked
	}
	w.it = w.Sample()
	return w.mounted(ctx, w.it)
}

func (w *world) installSound(ctx context.Context) error {
	if err := w.needPackages(); err != nil {
		return err
	}
	if err := w.installFresh(ctx); err != nil {
		return err
	}
	t := w.askFor(ctx, w.conversation, w.it, environment.Script{})
	if err := t.ended(); err != nil {
		return err
	}
	if !w.reached(t, w.it) {
		return suites.Undecided("a message does not reach the package that its trigger matches: see ACP-FIELD-06")
	}
	return nil
}

// uninstallIt does what it says; that it is refused is a finding of whoever looks
// at what the package does afterwards, and that it is not served is one of ACP-ABS-02.
func (w *world) uninstallIt(ctx context.Context) error {
	answer, err := w.uninstall(ctx, w.it.ID)
	if err == nil && answer.Outcome == driver.NotProvided {
		return suites.Undecided("the subject does not serve acp.uninstall: see ACP-ABS-02")
	}
	return err
}

func (w *world) installAgain(ctx context.Context) error {
	answer, err := w.install(ctx, w.it.ID, w.it.CID)
	if err == nil && answer.Outcome != driver.Returned {
		return suites.Violated("a package that was uninstalled is not installed again", "the package as at first", suites.Received(answer, nil))
	}
	return err
}

// installTwice leaves it to installAgain to say that it is not.
func (w *world) installTwice(ctx context.Context) error { return w.mounted(ctx, w.it) }

// upgradeIt installs a newer version. A router may want the old one to be gone
// before.
func (w *world) upgradeIt(ctx context.Context) error {
	return w.upgradeTo(ctx, w.Upgraded(w.it))
}

func (w *world) upgradeTo(ctx context.Context, newer *specimen) error {
	w.others = []*specimen{w.it}
	w.conversation = newConversation() // whether an open one goes on with the version before is not said
	if err := w.publish(ctx, newer); err != nil {
		return err
	}
	answer, err := w.install(ctx, newer.ID, newer.CID)
	if err == nil && answer.Outcome != driver.Returned {
		if err := w.uninstallIt(ctx); err != nil {
			return err
		}
		answer, err = w.install(ctx, newer.ID, newer.CID)
	}
	if err != nil {
		return err
	}
	if answer.Outcome != driver.Returned {
		return suites.Violated("a newer version is not installed", newer.ID+" in place of "+w.it.ID, suites.Received(answer, nil))
	}
	w.it = newer
	return nil
}

func (w *world) leaveGateway() error {
	w.Environment.Gateway.Leave(w.it.CID)
	return nil
}

func (w *world) reachesIt(ctx context.Context) error { return w.reachesItIn(ctx, newConversation()) }

// reachesItAgain: conversations that are open take part in what is installed.
func (w *world) reachesItAgain(ctx context.Context) error {
	return w.reachesItIn(ctx, w.conversation)
}

func (w *world) reachesItIn(ctx context.Context, conversation string) error {
	t := w.askFor(ctx, conversation, w.it, environment.Script{})
	if err := t.ended(); err != nil {
		return err
	}
	w.turns = append(w.turns, t)
	if !w.reached(t, w.it) {
		return w.astray(ctx, t, "a message does not reach the installed package that its trigger matches", w.it.ID, idsOf(w.reachedOnes(t)))
	}
	return nil
}

func (w *world) reachesItNot(ctx context.Context) error {
	return w.notReached(ctx, newConversation())
}

func (w *world) reachesItNoMore(ctx context.Context) error {
	return w.notReached(ctx, w.conversation)
}

func (w *world) notReached(ctx context.Context, conversation string) error {
	t := w.askFor(ctx, conversation, w.it, environment.Script{})
	if err := t.ended(); err != nil {
		return err
	}
	for _, q := range t.requests {
		x := w.exposed(q)
		if slices.Contains(x.prompts, w.it) || slices.Contains(x.tools, w.it) {
			w.cite(q)
			return suites.Violated("a package that was uninstalled still reaches the model", "nothing of "+w.it.ID, "its prompt or its tools")
		}
	}
	return nil
}

// nothingOld also looks where the new version is not reached.
func (w *world) nothingOld() error {
	old := w.others[0]
	for _, t := range w.turns {
		for _, q := range t.requests {
			x := w.exposed(q)
			if slices.Contains(x.prompts, old) || slices.Contains(x.tools, old) {
				w.cite(q)
				return suites.Violated("the model is shown something of the version that was replaced", "the prompt and the tools of "+w.it.ID, "those of "+old.ID)
			}
		}
	}
	return nil
}

// sampleReached: to take one package away leaves the others of its author.
func (w *world) sampleReached(ctx context.Context) error {
	t := w.askFor(ctx, newConversation(), w.sample, environment.Script{})
	if err := t.ended(); err != nil {
		return err
	}
	if !w.reached(t, w.sample) {
		return w.astray(ctx, t, "a package does not act any more after another one was uninstalled", w.sample.ID, idsOf(w.reachedOnes(t)))
	}
	return nil
}

// upgradeOtherwise installs two versions with triggers of their own.
func (w *world) upgradeOtherwise(ctx context.Context) error {
	if err := w.needPackages(); err != nil {
		return err
	}
	old := w.Sample()
	old.ID = old.Identified("1.9.0")
	if err := w.mounted(ctx, old); err != nil {
		return err
	}
	if t := w.askFor(ctx, newConversation(), old, environment.Script{}); !w.reached(t, old) {
		return suites.Undecided("a message does not reach the package that its trigger matches: see ACP-FIELD-06")
	}
	newer := w.Upgraded(old)
	newer.ID = newer.Identified("1.10.0") // which is older as a text
	newer.Word = "next" + newer.Mark[2:14]
	newer.Triggers = sample.BothTriggers(newer.Word)
	w.it = old
	return w.upgradeTo(ctx, newer)
}
