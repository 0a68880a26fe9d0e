package act

import (
	"context"
	"strings"

	"github.com/google/uuid"

	"github.com/capconform/capconform/suites/chp/history"
)

// ids are correlation ids that are used again, alike or used by nobody.
type ids struct{ bench }

// usedAgain makes two invocations under one correlation, the second after the first was
// replayed.
func (c ids) usedAgain(ctx context.Context) error {
	return c.aroundOne(ctx, func(v envelope) []envelope {
		v = v.under(caller())
		return []envelope{v, v}
	})
}

// similar are correlation ids that a host may take for one: by their beginning, without
// regard to case, to blanks, to signs or to how a letter is composed, or as patterns.
func similar() []string {
	id, long := fresh(), strings.Repeat("long-", 48)+uuid.NewString()
	return []string{
		id, id + "-2", id + "/2", id + " ", strings.ToUpper(id), long + "-a", long + "-b",
		id + "_2", id + "%", id + "*", id + "-\u00fc", id + "-u\u0308",
	}
}

// sideBySide makes invocations under such ids. Each is replayed when all are over.
func (c ids) sideBySide(ctx context.Context) error {
	return c.withOne(ctx, func(v envelope) []*history.Attempt {
		var all []*history.Attempt
		for _, id := range similar() {
			all = append(all, c.invoke(ctx, v.under(history.Object{"correlation_id": id}).with(history.AboutForm, "alike")))
		}
		for _, a := range all {
			c.look(ctx, a)
		}
		return all
	})
}

// unusedID replays ids that nobody used: a fresh one, and two that are close to one that was used.
func (c ids) unusedID(ctx context.Context) error {
	c.replay(ctx, by(fresh(), nil))
	if whole := c.sharedLook(); whole != nil {
		used := whole.Correlation()
		for _, id := range []string{used[:len(used)-1], strings.ToUpper(used)} {
			c.replay(ctx, by(id, nil))
		}
	}
	return nil
}
