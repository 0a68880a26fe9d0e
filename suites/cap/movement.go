package capsuite

import (
	"bytes"
	"context"
	"encoding/json"

	"github.com/capconform/capconform/schemas"
	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/driver"
)

// A living source changes while it is looked at: capabilities come, go, and are
// released anew. So whoever is about to be blamed by two answers of different times is
// asked again, and is to blame only where nothing moved in between.

// contractMembers are the members of a manifest by which an invocation is judged.
var contractMembers = []string{memberKind, memberInput, memberOutput, memberPermissions}

// settledAfter is how often two answers are compared that change by themselves.
const settledAfter = 3

// present lists the source as it is now.
func (w *world) present(ctx context.Context) *listing {
	l := w.readListing(w.sc.Ask(ctx, listOperation(), w.subject.Deadlines.Call))
	for again := 0; again < askedAgain && l.err == nil && mayBeLimit(l.answer); again++ {
		l = w.readListing(w.sc.Ask(ctx, listOperation(), w.subject.Deadlines.Call))
	}
	return l
}

// brief gives the list without its manifests, to be shown: a run keeps it, and a long list
// would fill the memory.
func (l *listing) brief() *listing {
	answer := l.answer
	if len(answer.Result) > keptDecoded {
		answer.Result = bytes.Clone(answer.Result[:keptDecoded])
	}
	return &listing{shop: l.shop, answer: answer, err: l.err}
}

// readable tells whether the source gave a list at all.
func (l *listing) readable() bool { return l.err == nil && l.answer.Outcome == driver.Returned }

// moved tells whether a pair was taken away or brought since the first list, or its
// manifest rewritten in one of the members.
func (w *world) moved(ctx context.Context, r ref, members []string) bool {
	now := w.present(ctx)
	if !now.readable() {
		return false
	}
	first, then := w.examination.list.find(r), now.find(r)
	if first == nil || then == nil {
		return first != then
	}
	return !agree(first.manifest(), then.manifest(), members)
}

func agree(a, b manifest, members []string) bool {
	for _, member := range members {
		if !suites.EqualJSON(a[member], b[member]) {
			return false
		}
	}
	return true
}

// stands tells whether a capability is there with the contract that it was seen with.
func (w *world) stands(ctx context.Context, c *capability) bool {
	now := w.present(ctx)
	if !now.readable() {
		return true
	}
	then := now.find(c.ref())
	return then != nil && agree(c.manifest(), then.manifest(), contractMembers)
}

// excused tells an answer of a capability that stands under another contract by now,
// or was taken away.
func (w *world) excused(ctx context.Context, a attempt) bool {
	if a.of == nil {
		return false
	}
	if !w.shifted[a.of] && !w.stands(ctx, a.of) {
		if w.shifted == nil {
			w.shifted = map[*capability]bool{}
		}
		w.shifted[a.of] = true
	}
	return w.shifted[a.of]
}

// undecidedBy says that a capability could not be judged because it was changed.
func undecidedBy(r ref) error {
	return suites.Undecided("%s was changed or taken away while it was looked at", r)
}

// unknown is true for the answer that a pair is not there: an error with that code, or
// the code as the returned value, which is how the text prints it.
func (l lookup) unknown() bool {
	switch {
	case l.err != nil:
		return false
	case l.answer.Outcome == driver.Refused:
		return l.answer.Error.Code == codeNotFound
	default:
		return l.answer.Outcome == driver.Returned && saysNotFound(l.answer.Result)
	}
}

// saysNotFound reads the code NOT_FOUND from a returned value: the code alone, an error
// with that code, or an object that holds such an error.
func saysNotFound(raw json.RawMessage) bool {
	value, err := schemas.Decode(raw, schemas.Limits{})
	if err != nil {
		return false
	}
	members, isObject := value.(map[string]any)
	if !isObject {
		return value == codeNotFound
	}
	if members["ok"] == true || members[memberInput] != nil {
		return false
	}
	inner, _ := members["error"].(map[string]any)
	return members["code"] == codeNotFound || members["error"] == codeNotFound || inner["code"] == codeNotFound
}

// gone tells a listed pair that describe did not know because it was taken away: it is
// listed no more, or known again by now.
func (w *world) gone(ctx context.Context, l lookup) bool {
	if !l.unknown() {
		return false
	}
	if w.moved(ctx, l.asked, nil) {
		return true
	}
	_, back := w.describe(ctx, w.sc, l.asked).own()
	return back
}

// hidden tells whether describe knows a pair that the list leaves out. It is asked
// between two lists, since it may have been registered after the first.
func (w *world) hidden(ctx context.Context, r ref) (lookup, bool) {
	if now := w.present(ctx); !now.readable() || now.find(r) != nil {
		return lookup{}, false
	}
	l := w.describe(ctx, w.sc, r)
	if _, known := l.own(); !known {
		return l, false
	}
	now := w.present(ctx)
	return l, now.readable() && now.find(r) == nil
}

// sometimesHidden tells a reference that is left out of some lists although the
// source knows it just then from a capability that leaves and comes back.
func (w *world) sometimesHidden(ctx context.Context, r ref) bool {
	const lists, enough = 6, 2
	seen := 0
	for range lists {
		if now := w.present(ctx); !now.readable() || now.find(r) != nil {
			continue
		}
		if _, known := w.describe(ctx, w.sc, r).own(); known {
			seen++
		}
		if seen == enough {
			return true
		}
	}
	return false
}
