package capsuite

import (
	"context"
	"slices"

	"github.com/capconform/capconform/suites"
)

// What a source shows of failures and denials, by a role of the fixture profile or, where
// nobody plays it, by what failed without anybody's doing.

var failingSentences = []sentence{
	say(`"([^"]*)" is invoked with a sound input`, func(w *world) any { return w.invokeInRole }),
	say(`each capability that fails on a sound input is invoked with inputs that each break one keyword`, func(w *world) any { return w.invokeFailingUnsound }),
}

func (w *world) invokeInRole(ctx context.Context, role string) error {
	w.role = role
	if missing := w.lacksRole(role); missing != nil {
		return w.invokeInstead(ctx, role, missing)
	}
	a, err := w.firstInRole(ctx, role)
	if err != nil {
		return err
	}
	w.attempts = []attempt{a}
	w.sc.Cite(a.answer, a.err)
	if a.err != nil && !suites.ClosedInFace(a.err) {
		return a.err
	}
	if role == roleRestricted || role == roleFails {
		for range 2 { // what was refused, or failed, does so again
			again, err := w.examination.invokeRole(ctx, w.sc, role)
			if err != nil {
				return err
			}
			w.attempts = append(w.attempts, again)
		}
	}
	if role == roleRestricted {
		for _, c := range w.alsoRestricted() {
			w.attempts = append(w.attempts, w.invokeSound(ctx, w.sc, c)...)
		}
	}
	return nil
}

// invokeInstead looks for what the role would show among the answers of ordinary
// capabilities to sound inputs.
func (w *world) invokeInstead(ctx context.Context, role string, missing error) error {
	code := map[string]string{roleFails: codeExecutionFailed, roleRestricted: codePermissionDenied}[role]
	if code == "" || w.list.empty() {
		return missing
	}
	if role == roleRestricted && !slices.ContainsFunc(w.list.capabilities, (*capability).needsPermission) {
		return suites.Inapplicable("no capability declares a permission that a caller could lack")
	}
	for _, c := range w.pool {
		for _, a := range w.invokeSound(ctx, w.sc, c) {
			if a.refused() && a.result.code() == code && (role != roleRestricted || c.needsPermission()) {
				w.attempts = append(w.attempts, a)
			}
		}
	}
	if len(w.attempts) == 0 {
		return missing
	}
	w.sc.Cite(w.attempts[0].answer, nil)
	return w.cancelled(ctx)
}

// needsPermission tells a capability whose manifest declares a required permission.
func (c *capability) needsPermission() bool {
	return slices.ContainsFunc(listOf(c.manifest()[memberPermissions]), isString)
}

// firstInRole invokes the capability of a role. The slow one is waited for once.
func (w *world) firstInRole(ctx context.Context, role string) (attempt, error) {
	if role != roleSlow {
		return w.examination.invokeRole(ctx, w.sc, role)
	}
	var failed error
	all := w.waited.Get(ctx, func() ([]attempt, bool) {
		a, err := w.examination.invokeRole(ctx, w.sc, role)
		failed = err
		return []attempt{a}, err == nil && ctx.Err() == nil
	})
	return all[0], failed
}

// alsoRestricted are the other capabilities that need every permission that the
// restricted one needs: the caller lacks one of them.
func (w *world) alsoRestricted() []*capability {
	restricted := w.players[roleRestricted].capability
	needed := restricted.manifest()[memberPermissions]
	if !restricted.needsPermission() {
		return nil
	}
	var others []*capability
	for _, c := range w.list.capabilities {
		if c != restricted && contains(c.manifest()[memberPermissions], needed) && w.reasonAgainst(c) == "" {
			others = append(others, c)
		}
	}
	return others
}

// invokeFailingUnsound invokes what fails on a sound input with inputs that each break
// one keyword: they are refused before anything fails. The control is that the sound
// input was taken up. A denial is none, since no text puts validation before it.
func (w *world) invokeFailingUnsound(ctx context.Context) error {
	if err := w.needList(); err != nil {
		return err
	}
	for _, control := range w.failures(ctx) {
		left := 2
		if control.result.code() == codeTimeout {
			left = 1
		}
		for _, fault := range withinContractFirst(w.unsound(control.of, control.input)) {
			if left == 0 || outsideContract(fault.Text) {
				break
			}
			left--
			a := w.invoke(ctx, w.sc, invocation{asked: control.asked, of: control.of, input: fault.Text, fault: &fault})
			if w.adapted && a.result.code() == control.result.code() && a.result.message() == control.result.message() {
				continue // a plain MCP server may have a state that explains both
			}
			w.attempts = append(w.attempts, a)
		}
	}
	if len(w.attempts) == 0 {
		return suites.NotObserved("a capability that fails on a sound input and takes an input that can be broken")
	}
	return w.cancelled(ctx)
}

// failures gives, for each capability that failed on every sound input, one answer.
func (w *world) failures(ctx context.Context) []attempt {
	var all []attempt
	for _, role := range []string{roleFails, roleMalformed, roleSlow} {
		if w.lacksRole(role) != nil {
			continue
		}
		control, err := w.firstInRole(ctx, role)
		if err == nil && control.takenUp() { // else its own requirement's
			all = append(all, control)
		}
	}
	if w.adapted {
		return all // a tool that fails on everything shows nothing of validation over MCP
	}
	for _, c := range w.pool {
		sound := w.invokeSound(ctx, w.sc, c)
		failed := func(a attempt) bool {
			return a.refused() && slices.Contains([]string{codeExecutionFailed, codeTimeout}, a.result.code())
		}
		if len(sound) > 0 && !slices.ContainsFunc(sound, func(a attempt) bool { return !failed(a) }) {
			all = append(all, sound[0])
		}
	}
	return all
}
