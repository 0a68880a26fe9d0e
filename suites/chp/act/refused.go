package act

import (
	"context"
	"slices"

	"github.com/google/uuid"

	"github.com/capconform/capconform/suites/chp/history"
	"github.com/capconform/capconform/suites/verdict"
)

// refusals sends invocations that must be denied: of a capability that does not exist, and in a
// mode that is not listed.
type refusals struct{ bench }

// unknown invokes a capability that does not exist twice, so that the codes can be compared, and
// once each one whose id begins or ends like that of a known one.
func (c refusals) unknown(ctx context.Context) error {
	v := envelope{capability: unknownID(), mode: Sync, payload: history.Object{}}
	c.invokeAndReplay(ctx, v.under(caller()))
	c.invokeAndReplay(ctx, v.under(caller()))
	if len(c.Pool) == 0 {
		return nil
	}
	v.capability = c.Pool[0].ID + "." + history.Sender + uuid.NewString()[:8]
	if payloads := c.Payloads(c.Pool[0]); len(payloads) > 0 {
		v.payload = payloads[0]
	}
	c.invokeAndReplay(ctx, v.under(caller()))
	v.capability = unknownID() + "." + c.Pool[0].ID
	c.invoke(ctx, v.under(caller()))
	return nil
}

// modesListed are the modes of the protocol; an invented word would test less.
var modesListed = []string{"async", "fire_and_forget", "stream"}

// modesOf is the number of capabilities that are invoked in each mode that they do not list.
const modesOf = 2

// unlisted invokes two capabilities that succeed in sync in each mode that they do not list, and
// in one mode twice, so that the codes can be compared. If one is not denied, unlisted then
// invokes the same capability in sync: a capability that was disabled during the run need not
// check the mode and proves nothing.
func (c refusals) unlisted(ctx context.Context) error {
	foreign := c.foreignModes()
	asked := 0
	for _, v := range foreign {
		if asked == modesOf {
			break
		}
		these := []envelope{v}
		if asked == 0 {
			these = append(these, v)
		}
		denied := true
		for _, other := range append(these, inOtherModes(v)...) {
			denied = c.invokeAndReplay(ctx, other.under(caller())).Outcome() == history.Denied && denied
		}
		inSync := v
		inSync.mode, inSync.retries = Sync, ifRetryable
		if denied || c.serves(ctx, inSync) {
			asked++
		}
	}
	switch {
	case len(c.Pool) > 0 && len(foreign) == 0:
		return verdict.Inapplicable("every capability that may be invoked lists every mode")
	case asked == 0:
		return verdict.Undecided("no capability that may be invoked omits a mode and succeeds in sync")
	}
	return nil
}

// unversioned invokes a capability that is listed in several versions and names none of them, with a payload for each.
// All versions may be invoked, since nothing says which one a host would take.
func (c refusals) unversioned(ctx context.Context) error {
	if err := c.NotReady(); err != nil {
		return err
	}
	for _, of := range c.Pool {
		versions := withID(c.Pool, of.ID)
		if len(versions) == 1 || len(versions) < len(withID(c.Capabilities, of.ID)) {
			continue
		}
		for _, version := range versions {
			if payloads := c.Payloads(version); len(payloads) > 0 {
				v := c.of(version, payloads[0])
				v.version, v.retries = "", never
				c.invokeAndReplay(ctx, v)
			}
		}
		return nil
	}
	return verdict.NotObserved("a capability in several versions that may be invoked")
}

// withID returns the capabilities that have an id.
func withID(all []*Capability, id string) []*Capability {
	return slices.DeleteFunc(slices.Clone(all), func(of *Capability) bool { return of.ID != id })
}

// foreignModes returns envelopes in a mode that their capability does not list, beginning with
// capabilities that succeed in sync.
func (c refusals) foreignModes() []envelope {
	var all []envelope
	add := func(of *Capability, payload any) {
		i := slices.IndexFunc(modesListed, func(mode string) bool { return !slices.Contains(of.Modes, mode) })
		if i < 0 || len(all) == maxCandidates || slices.ContainsFunc(all, func(v envelope) bool { return v.of == of }) {
			return
		}
		v := c.of(of, markedIfValid(of, payload))
		v.mode, v.retries = modesListed[i], never
		all = append(all, v)
	}
	for _, a := range c.successes() {
		if of := c.declared(a); of != nil {
			add(of, a.Payload)
		}
	}
	for _, of := range c.Pool {
		if payloads := c.Payloads(of); len(all) == 0 && len(payloads) > 0 {
			add(of, payloads[0])
		}
	}
	return all
}

// inOtherModes returns envelopes for the same capability in each other mode that it does not
// list.
func inOtherModes(v envelope) []envelope {
	var all []envelope
	for _, mode := range modesListed {
		if mode != v.mode && !slices.Contains(v.of.Modes, mode) {
			other := v
			other.mode = mode
			all = append(all, other)
		}
	}
	return all
}
