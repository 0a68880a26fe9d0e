package judge

import (
	"cmp"
	"slices"
	"strings"

	"github.com/capconform/capconform/suites/cap/history"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/verdict"
)

// The answers that show what a source made from an attached server or folder.
const (
	inList        = "list"
	inDescription = "description"
	inInvocation  = "invocation"
)

// attachment is what a source made from an attached server or folder.
type attachment struct {
	in   *evidence
	list *history.Listing // with what was attached
	history.Offer
}

// attached returns the result of an attachment, nil if nothing was attached.
func (j *evidence) attached(stimulus string) *attachment {
	var a *attachment
	for _, s := range j.Services(stimulus) {
		if s.Operation == history.ServiceCall {
			continue
		}
		list := j.after(s.Done)
		if list == nil || list.Stimulus != stimulus {
			return nil
		}
		a = &attachment{j, list, s.Offer}
	}
	return a
}

// unattached returns the reason why nothing was attached, nil if something was.
func (j *evidence) unattached(stimulus string) error {
	if j.attached(stimulus) != nil {
		return nil
	}
	return firstOf(j.Conclusion(stimulus), j.listed(), verdict.Undecided("nothing was attached"))
}

// attached is a tool or a skill of an attachment in one answer.
type attached struct {
	*attachment
	Name    string
	of      *history.RawManifest // the capability made from it; nil: it is not listed
	lookup  *history.Lookup
	attempt *history.Attempt // nil for a skill for which no valid input can be made
	ShownBy string
	tool    history.Tool
	skill   history.Skill
}

// answers returns a tool or a skill in each answer that shows it.
func (a *attachment) answers(stimulus string, one attached) []*attached {
	j := a.in
	one.attachment, one.ShownBy = a, inList
	list := one
	all := []*attached{&list}
	for _, l := range j.LookupsOf(stimulus) {
		if one.of != nil && l.Asked == one.of.Ref() && j.Describes() { // otherwise it is not described
			described := one
			described.ShownBy, described.lookup = inDescription, l
			all = append(all, &described)
		}
	}
	for _, try := range j.Of(stimulus) {
		if try.About[history.AboutTool] == one.Name {
			invoked := one
			invoked.ShownBy, invoked.attempt = inInvocation, try
			all = append(all, &invoked)
		}
	}
	return all
}

func (j *evidence) attachedTools() []*attached {
	var all []*attached
	if a := j.attached(history.AttachedTools); a != nil {
		for _, t := range a.Tools {
			of := a.list.FindAttached(j.First(), t.Name, t.InputSchema)
			all = append(all, a.answers(history.AttachedTools, attached{Name: t.Name, of: of, tool: t})...)
		}
	}
	return all
}

// attachedSkills shows each skill in the list, and in the last invocation of it.
func (j *evidence) attachedSkills() []*attached {
	var all []*attached
	if a := j.attached(history.AttachedSkills); a != nil {
		for _, s := range a.Skills {
			one := attached{Name: s.Name, of: a.list.FindAttached(j.First(), s.Name, nil), skill: s}
			answers := a.answers(history.AttachedSkills, one)
			last := answers[len(answers)-1]
			if last.ShownBy != inInvocation {
				last = &attached{attachment: a, Name: s.Name, of: one.of, ShownBy: inInvocation}
			}
			all = append(all, answers[0], last)
		}
	}
	return all
}

func (t *attached) Entries() []record.Tick {
	switch {
	case t.ShownBy == inDescription && t.lookup.Own():
		return []record.Tick{shownAt(t.lookup), t.lookup.Entry}
	case t.ShownBy == inDescription:
		return []record.Tick{t.lookup.Entry}
	case t.attempt != nil && t.attempt.BrokenKeyword() != "" && t.success() != nil:
		return []record.Tick{t.attempt.Entry, t.success().Entry}
	case t.attempt != nil:
		return []record.Tick{t.attempt.Entry}
	case t.of != nil:
		return []record.Tick{t.of.First, t.list.Entry}
	}
	return []record.Tick{t.list.Entry}
}

// IsListed reports whether a capability was made of the tool or the skill.
func (t *attached) IsListed() bool { return t.of != nil }

// Got returns the answer, for messages.
func (t *attached) Got() string {
	switch {
	case t.attempt != nil:
		return t.attempt.Got()
	case t.lookup != nil:
		return t.lookup.Got()
	}
	return t.list.Got()
}

// IsDescribed reports whether describe knows the capability.
func (t *attached) IsDescribed() any {
	if t.lookup != nil && t.lookup.Unanswered() {
		return blocked(t.lookup.Lost)
	}
	return t.lookup == nil || t.lookup.Own()
}

// InputSchema is that of the tool.
func (t *attached) InputSchema() string { return string(t.tool.InputSchema) }

// Input is that of the invocation.
func (t *attached) Input() string { return string(t.attempt.Input) }

// IsInvoked reports whether the answer is that to an invocation.
func (t *attached) IsInvoked() bool { return t.attempt != nil }

// The members of the invocation.
func (t *attached) BreaksSchema() bool { return t.attempt != nil && t.attempt.BrokenKeyword() != "" }
func (t *attached) Succeeded() bool    { return t.attempt != nil && t.attempt.Succeeded() }
func (t *attached) Refused() bool      { return t.attempt != nil && t.attempt.Unsuccessful() }
func (t *attached) Failure() string    { return attempt{Attempt: t.attempt}.Failure() }

// Works reports whether the capability has the schema of the tool and succeeds with a valid input.
func (t *attached) Works() bool { return t.of != nil && t.OtherSchema() == "" && t.success() != nil }

// IsCalled reports whether the server received a call of the tool with the input.
func (t *attached) IsCalled() any {
	if t.unclear() {
		return blocked(verdict.Undecided("an attached tool was refused for a reason of the source's own: %s",
			t.attempt.Got()))
	}
	return t.call() != nil
}

// Reply returns what the tool answered, "" if it failed.
func (t *attached) Reply() string {
	if call := t.call(); call != nil && !t.tool.Fails {
		return call.Reply
	}
	return ""
}

// ReturnsReply reports whether the output contains what the tool answered.
func (t *attached) ReturnsReply() bool {
	return strings.Contains(jsonvalue.Print(t.attempt.Output()), t.Reply())
}

// ShowsFailure reports whether the answer is that to a call that failed.
func (t *attached) ShowsFailure() bool {
	return t.attempt != nil && t.tool.Fails && t.call() != nil && !t.unclear() && !t.attempt.JudgedElsewhere()
}

// success returns the first success of the tool with a valid input, nil if there is none.
func (t *attached) success() *history.Attempt {
	for _, a := range t.in.Of(history.AttachedTools) {
		if a.About[history.AboutTool] == t.Name && a.BrokenKeyword() == "" && a.Succeeded() {
			return a
		}
	}
	return nil
}

// unclear reports whether an answer proves nothing: there is no answer, or the host denied the
// call or timed out before the server was called.
func (t *attached) unclear() bool {
	a := t.attempt
	return a.Unanswered() || len(t.in.Reached(a.Entry)) == 0 && (a.FailedWith(history.PermissionDenied) ||
		a.FailedWith(history.Timeout))
}

// call returns the call of the tool with the input of the invocation as its arguments.
func (t *attached) call() *history.Service {
	for _, call := range t.in.Reached(t.attempt.Entry) {
		if call.Tool == t.Name && jsonvalue.Equal(history.Value(call.Arguments), history.Value(t.attempt.Input)) {
			return call
		}
	}
	return nil
}

// EarlyCall returns a call of the tool although nothing was invoked.
func (t *attached) EarlyCall() string {
	for _, call := range t.in.Services(history.AttachedTools) {
		if call.Operation == history.ServiceCall && call.About[history.AboutStep] == history.StepAttach &&
			call.Tool == t.Name {
			return call.Tool + " with " + jsonvalue.Clip(string(call.Arguments))
		}
	}
	return ""
}

// OtherSchema returns the input schema of the capability if it differs from that of the tool. Schemas agree if they
// accept and refuse the same inputs: a host may write a schema in another way.
func (t *attached) OtherSchema() string {
	s := t.of
	if t.lookup != nil {
		s = t.lookup.Shown
	}
	if s == nil {
		return ""
	}
	text, schema := jsonvalue.Print(s.Manifest()[history.MemberInput]), t.in.contractOf(s).input
	if schema == nil {
		return text
	}
	for _, input := range t.tool.Valid {
		if schema.Validate(history.Value(input)) != nil {
			return text + ", which refuses " + string(input)
		}
	}
	for _, input := range t.tool.Invalid {
		if schema.Validate(history.Value(input)) == nil {
			return text + ", which takes " + string(input)
		}
	}
	return ""
}

// TransportDetail returns a detail of the transport to the attached server, whose address is known.
func (t *attached) TransportDetail() string {
	switch {
	case t.attempt != nil && t.of != nil:
		return cmp.Or(Leak(t.attempt.Message(), t.Address), customLeak(t.attempt.Members, resultMembers, t.Address))
	case t.ShownBy == inList && t.of != nil:
		m := t.of.Manifest()
		return cmp.Or(Leak(texts(m), t.Address), customLeak(m, history.ManifestMembers, t.Address))
	}
	return ""
}

// IsAccepted reports whether the source accepts an invocation of the skill, whatever the outcome.
func (t *attached) IsAccepted() any {
	switch a := t.attempt; {
	case a == nil:
		return blocked(verdict.Undecided("no valid input can be made for an attached skill"))
	case a.RefusedWithDoubt():
		return blocked(doubted(a))
	case a.Unanswered():
		return blocked(a.Lost)
	default:
		return a.Accepted()
	}
}

// Difference returns a member of the manifest that differs from the skill, with what it must be; null if there is none.
func (t *attached) Difference() any {
	m := t.of.Manifest()
	differs := func(member, want string) any {
		return map[string]any{"member": member, "want": want,
			"got": jsonvalue.Print(m[member]) + " in the manifest of " + t.of.Ref().String()}
	}
	description, _ := m.Text(history.MemberDescription)
	prompt, _ := m.Text(history.MemberPrompt)
	switch s := t.skill; {
	case !m.IsSkill():
		return differs(history.MemberKind, history.KindSkill)
	case !strings.Contains(description, s.Description):
		return differs(history.MemberDescription, s.Description)
	case slices.ContainsFunc(s.Instructions, func(line string) bool { return !strings.Contains(prompt, line) }):
		return differs(history.MemberPrompt, "the instructions of SKILL.md: "+strings.Join(s.Instructions, " / "))
	case slices.ContainsFunc(s.Resources,
		func(f history.Resource) bool { return !bundles(m[history.MemberResources], f) }):
		return differs(history.MemberResources, "the file "+s.Resources[0].Path)
	case m[history.MemberPermissions] == nil && !t.in.supported(history.MemberPermissions):
		return nil // a Skills system need not have permissions
	case slices.ContainsFunc(s.Permissions, func(p string) bool { return !permits(m[history.MemberPermissions], p) }):
		return differs(history.MemberPermissions, "those of allowed-tools: "+strings.Join(s.Permissions, " "))
	}
	return nil
}

// bundles reports whether resources name a file or contain its text.
func bundles(resources any, file history.Resource) bool {
	name := file.Path[strings.LastIndex(file.Path, "/")+1:]
	return slices.ContainsFunc(listOf(resources), func(one any) bool {
		text := string(jsonvalue.Encode(one))
		return strings.Contains(text, name) || strings.Contains(text, file.Text)
	})
}

// permits reports whether permissions name a tool, in any form.
func permits(permissions any, tool string) bool {
	return slices.ContainsFunc(listOf(permissions), func(one any) bool {
		text, _ := one.(string)
		return strings.Contains(history.FoldedName(text), history.FoldedName(tool))
	})
}
