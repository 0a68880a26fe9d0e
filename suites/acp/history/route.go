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
func (c *Call) Stack() []string { return c.list("stack") }

// Installed returns the installed packages in an answer, nil if the answer does not contain them.
func (c *Call) Installed() []string { return c.list("installed") }

func (c *Call) list(member string) []string {
	list, isList := c.Result()[member].([]any)
	if !isList {
		return nil
	}
	return append([]string{}, jsonvalue.Texts(list)...)
}

// Left reports whether a visible stack does not contain a package. A nil stack is not visible.
func Left(stack []string, p *sample.Package) bool {
	return stack != nil && !slices.Contains(stack, p.ID)
}

// NamesCapability reports whether an item of a stack is a capability URI.
func NamesCapability(name string) bool {
	_, err := identifier.ParseCapability(name)
	return err == nil
}

// Matches reports whether the own trigger of a package matches a text.
func Matches(p *sample.Package, text string) bool { return strings.Contains(text, p.Word) }

// Meant returns the package that a message of a case must reach, or for CaseLeft must not reach; nil if
// it is unknown.
func (h *History) Meant(t *Turn) *sample.Package {
	switch t.About[AboutCase] {
	case CaseKept, CaseLeft:
		return h.Active(t.Conversation, t.Entry)
	case CaseSwitched:
		command := h.last(t.Conversation, CaseCommand, t.Entry)
		return h.newest(func(p *sample.Package) bool {
			return command != nil && (strings.Contains(command.Text, p.Label) || strings.Contains(command.Text, p.Name))
		})
	default:
		return h.newest(func(p *sample.Package) bool { return Matches(p, t.Text) })
	}
}

// newest returns the last valid package for which holds is true, nil if there is none.
func (h *History) newest(holds func(*sample.Package) bool) *sample.Package {
	for _, p := range slices.Backward(h.Packages()) {
		if p.Flaw == "" && holds(p) {
			return p
		}
	}
	return nil
}

// Active returns the package that was last put on top of the stack of a conversation before an entry,
// nil if there is none.
func (h *History) Active(conversation string, before record.Tick) *sample.Package {
	last := h.last(conversation, CaseActivates, before)
	if last == nil {
		return nil
	}
	return h.Meant(last)
}

// last returns the last message of a case in a conversation before an entry, nil if there is none.
func (h *History) last(conversation, kind string, before record.Tick) *Turn {
	var last *Turn
	for _, t := range h.Turns() {
		if t.Entry < before && t.Conversation == conversation && t.About[AboutCase] == kind {
			last = t
		}
	}
	return last
}

// Unreached returns the installed valid packages with one version that no message reached, although a
// trigger matched at least one message. Packages that a subject may refuse, because it does not know
// their tools or models, are excluded.
func (h *History) Unreached() []*sample.Package {
	optional := []string{Attacking, Placeholder, Unbound, UnknownType, Families, Confined, OtherScope}
	var all []*sample.Package
	for _, c := range h.Of(OpInstall) {
		p := h.PackageAt(c)
		if p == nil || !c.Returned() || h.Flawed(p) || slices.Contains(all, p) || slices.Contains(optional, c.Stimulus) ||
			len(h.Reaching(p.Mark)) > 0 ||
			slices.ContainsFunc(h.Packages(), func(o *sample.Package) bool { return o.Label == p.Label && o.Mark != p.Mark }) ||
			slices.ContainsFunc(h.Of(OpUninstall), func(u *Call) bool { return u.Params["cap_uri"] == p.ID }) {
			continue
		}
		if slices.ContainsFunc(h.Turns(),
			func(t *Turn) bool { return t.Entry > c.Done && t.Returned() && Matches(p, t.Text) }) {
			all = append(all, p)
		}
	}
	return all
}

// Shows reports whether a request to the model contains the prompt or a tool of a package.
func (q *Question) Shows(p *sample.Package) bool {
	return slices.ContainsFunc(slices.Concat(q.Shown.Prompts, q.Shown.Tools),
		func(other *sample.Package) bool { return other.Mark == p.Mark })
}
