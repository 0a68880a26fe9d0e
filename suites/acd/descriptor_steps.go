package acdsuite

import (
	"github.com/capconform/capconform/suites"
)

var descriptorSentences = []sentence{
	say(`the registry shows its entries`, func(w *world) any { return w.needEntries }),
}

// needEntries is the positive control of the registry.
func (w *world) needEntries() error {
	w.sc.Cite(w.list.answer, w.list.err)
	if err := w.list.missing(); err != nil {
		return err
	}
	if len(listOf(w.list.value)) == 0 {
		return suites.Undecided("the registry shows no entry: %s", w.list.received())
	}
	if len(suites.Texts(listOf(w.list.value))) == len(listOf(w.list.value)) {
		return suites.Undecided("the registry lists ids alone, and no descriptors")
	}
	return nil
}

func (w *world) shellEntries() ([]*capability, error) {
	var all []*capability
	for _, c := range w.entries {
		if c.substrate() == substrateShell {
			all = append(all, c)
		}
	}
	if len(all) == 0 {
		return nil, &suites.Inconclusive{Reason: "no registered capability has the substrate shell", Supply: "register one, such as conformance.shell"}
	}
	return all, nil
}
