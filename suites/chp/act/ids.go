package act

import (
	"context"
	"strings"

	"github.com/google/uuid"

	"github.com/capconform/capconform/suites/chp/history"
)

// ids sends correlation ids that are used again, similar or unused.
type ids struct{ bench }

// usedAgain makes two invocations under one correlation, the second after the first was
// replayed.
func (c ids) usedAgain(ctx context.Context) error {
	return c.tryAround(ctx, func(v envelope) []envelope {
		v = v.under(caller())
		return []envelope{v, v}
	})
}

// similar returns correlation ids that a host may confuse: they have the same beginning or
// end, or differ only in case, blanks, punctuation or the composition of a letter, or match as patterns.
func similar() []string {
	id, long := newInvocationID(), strings.Repeat("long-", 48)+uuid.NewString()
	return []string{
		id, id + "-2", id + "/2", id + " ", strings.ToUpper(id), long + "-a", long + "-b",
		id + "_2", id + ".2", "of-" + id, id + "%", id + "*", id + "-\u00fc", id + "-u\u0308",
	}
}

// sideBySide makes invocations under similar ids, and then replays each of them.
func (c ids) sideBySide(ctx context.Context) error {
	return c.withCandidate(ctx, func(v envelope) []*history.Attempt {
		var all []*history.Attempt
		for _, id := range similar() {
			all = append(all, c.invoke(ctx, v.under(history.Object{"correlation_id": id}).with(history.AboutForm, "alike")))
		}
		for _, a := range all {
			c.replayEvidence(ctx, a)
		}
		return all
	})
}

// unusedID replays unused ids: a new one, and two that are similar to a used one.
func (c ids) unusedID(ctx context.Context) error {
	c.replay(ctx, by(newInvocationID(), nil))
	if whole := c.lastSharedReplay(); whole != nil {
		used := whole.Correlation()
		for _, id := range []string{used[:len(used)-1], strings.ToUpper(used)} {
			c.replay(ctx, by(id, nil))
		}
	}
	return nil
}
