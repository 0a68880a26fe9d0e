package history

import (
	"slices"
	"strings"

	"github.com/capconform/capconform/suites/acp/identifier"
	"github.com/capconform/capconform/suites/acp/sample"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/record"
)

// Stack returns the stack of a conversation in an answer, nil if the answer does not contain it.
func (c *Call) Stack() []string { return c.textList("stack") }

// Installed returns the installed packages in an answer, nil if the answer does not contain them.
func (c *Call) Installed() []string { return c.textList("installed") }

func (c *Call) textList(name string) []string {
	list, isList := c.Result()[name].([]any)
	if !isList {
		return nil
	}
	return append([]string{}, jsonvalue.Texts(list)...)
}

// HasLeft reports whether a visible stack does not contain a package. A nil stack is not visible.
func HasLeft(stack []string, p *sample.Package) bool {
	return stack != nil && !slices.Contains(stack, p.ID)
}

// IsCapabilityURI reports whether an item of a stack is a capability URI.
func IsCapabilityURI(name string) bool {
	_, err := identifier.ParseCapability(name)
	return err == nil
}

// MatchesOwnTrigger reports whether the own trigger of a package matches a text.
func MatchesOwnTrigger(p *sample.Package, text string) bool { return strings.Contains(text, p.Word) }

// CasePackage returns the package that a message of a case must reach, or for CaseNotActive must not
// reach; nil if it is unknown.
func (h *History) CasePackage(t *Turn) *sample.Package {
	switch t.About[AboutCase] {
	case CaseStillActive, CaseNotActive:
		return h.ActivePackage(t.Conversation, t.Entry)
	case CaseSwitched:
		command := h.lastTurn(t.Conversation, CaseCommand, t.Entry)
		return h.newestPackage(func(p *sample.Package) bool {
			return command != nil && (strings.Contains(command.Text, p.Label) || strings.Contains(command.Text, p.Name))
		})
	default:
		return h.newestPackage(func(p *sample.Package) bool { return MatchesOwnTrigger(p, t.Text) })
	}
}

// newestPackage returns the last valid package for which match is true, nil if there is none.
func (h *History) newestPackage(match func(*sample.Package) bool) *sample.Package {
	for _, p := range slices.Backward(h.Packages()) {
		if p.Flaw == "" && match(p) {
			return p
		}
	}
	return nil
}

// ActivePackage returns the package that was last put on top of the stack of a conversation before an
// entry, nil if there is none.
func (h *History) ActivePackage(conversation string, before record.Tick) *sample.Package {
	last := h.lastTurn(conversation, CaseActivates, before)
	if last == nil {
		return nil
	}
	return h.CasePackage(last)
}

// lastTurn returns the last message of a case in a conversation before an entry, nil if there is none.
func (h *History) lastTurn(conversation, kind string, before record.Tick) *Turn {
	var last *Turn
	for _, t := range h.Turns() {
		if t.Entry < before && t.Conversation == conversation && t.About[AboutCase] == kind {
			last = t
		}
	}
	return last
}

// UnreachedPackages returns the installed valid packages with one version that no message reached,
// although a trigger matched at least one message. Packages that a subject may refuse, because it does
// not know their tools or models, are excluded.
func (h *History) UnreachedPackages() []*sample.Package {
	optional := []string{AttackingPrompts, AgentPlaceholder, UnboundTool, UnknownBindingType, ModelFamilies, ConfinedTool,
		OtherScope}
	var all []*sample.Package
	for _, c := range h.Calls(OpInstall) {
		p := h.PackageOf(c)
		if p == nil || !c.Returned() || h.ServedWithFlaw(p) || slices.Contains(all, p) ||
			slices.Contains(optional, c.Stimulus) ||
			len(h.TurnsReaching(p.Mark)) > 0 ||
			slices.ContainsFunc(h.Packages(), func(o *sample.Package) bool { return o.Label == p.Label && o.Mark != p.Mark }) ||
			slices.ContainsFunc(h.Calls(OpUninstall), func(u *Call) bool { return u.Params["cap_uri"] == p.ID }) {
			continue
		}
		if slices.ContainsFunc(h.Turns(),
			func(t *Turn) bool { return t.Entry > c.Done && t.Returned() && MatchesOwnTrigger(p, t.Text) }) {
			all = append(all, p)
		}
	}
	return all
}

// Shows reports whether a request to the model contains the prompt or a tool of a package.
func (q *ModelRequest) Shows(p *sample.Package) bool {
	return slices.ContainsFunc(slices.Concat(q.Shown.Prompts, q.Shown.Tools),
		func(other *sample.Package) bool { return other.Mark == p.Mark })
}
