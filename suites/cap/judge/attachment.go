package judge

import (
	"slices"
	"strings"

	"github.com/capconform/capconform/suites/cap/history"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/verdict"
)

var attachmentSentences = []verdict.Sentence[attachments]{
	verdict.Say(`the failure of an attached tool has the code EXECUTION_FAILED`, attachments.AttachedFailures),
	verdict.Say(`no attached tool accepts an input that breaks its schema`, attachments.AttachedValidate),
	verdict.Say(`each tool of an attached server is listed and described with its own input schema`,
		attachments.ToolsListed),
	verdict.Say(`each invocation of an attached tool calls that tool`, attachments.ToolsCalled),
	verdict.Say(`no attached tool is called without an invocation`, attachments.NothingCalledEarly),
	verdict.Say(`no manifest and no result contains transport details of the attached server`, attachments.AttachedHidden),
	verdict.Say(`each attached skill is listed with its instructions, resources and permissions`,
		attachments.SkillsListed),
	verdict.Say(`each attached skill can be invoked`, attachments.SkillsRun),
}

// attachedTool is a tool of the server of the harness, and the capability that the source made
// from it.
type attachedTool struct {
	history.Tool
	of *history.RawManifest // nil: it is not listed
}

// attachment is what a source made from an attached server or folder.
type attachment struct {
	list   *history.Listing // with what was attached
	tools  []attachedTool
	skills []attachedSkill
	own    []string // where the server was
}

type attachedSkill struct {
	history.Skill
	of *history.RawManifest
}

// attached returns the result of an attachment, nil if nothing was attached.
func (j attachments) attached(stimulus string) *attachment {
	var a *attachment
	for _, s := range j.Services(stimulus) {
		if s.Operation == history.ServiceCall {
			continue
		}
		list := j.after(s.Done)
		if list == nil || list.Stimulus != stimulus {
			return nil
		}
		a = &attachment{list: list, own: s.Offer.Address}
		for _, t := range s.Offer.Tools {
			a.tools = append(a.tools, attachedTool{t, list.FindAttached(j.First(), t.Name, t.InputSchema)})
		}
		for _, skill := range s.Offer.Skills {
			a.skills = append(a.skills, attachedSkill{skill, list.FindAttached(j.First(), skill.Name, nil)})
		}
	}
	return a
}

// unattached returns the reason why nothing was attached.
func (j attachments) unattached(stimulus string) error {
	return firstOf(j.Conclusion(stimulus), j.listed(), verdict.Undecided("nothing was attached"))
}

// triesOf returns the invocations of the capability of a tool or a skill.
func (j attachments) triesOf(stimulus, name string) []*history.Attempt {
	return slices.DeleteFunc(j.Of(stimulus), func(a *history.Attempt) bool { return a.About[history.AboutTool] != name })
}

// unclear reports whether an answer proves nothing: there is no answer, or the host denied the
// call or timed out before the server was called.
func (j attachments) unclear(a *history.Attempt) bool {
	return a.Unanswered() || len(j.Reached(a.Entry)) == 0 && (a.FailedWith(history.PermissionDenied) ||
		a.FailedWith(history.Timeout))
}

// callOf finds the call of a tool with the input of the invocation as its arguments.
func (j attachments) callOf(a *history.Attempt, tool string) *history.Service {
	for _, call := range j.Reached(a.Entry) {
		if call.Tool == tool && jsonvalue.Equal(history.Value(call.Arguments), history.Value(a.Input)) {
			return call
		}
	}
	return nil
}

// ToolsListed judges CAP-MCP-01 for list, describe and input_schema: each tool of an attached
// server is listed and described with its own input schema. Schemas agree if they accept and
// refuse the same inputs: a host may write a schema in another way.
func (j attachments) ToolsListed() verdict.Verdict {
	r := j.newVerdict()
	at := j.attached(history.AttachedTools)
	if at == nil {
		return r.conclude(j.unattached(history.AttachedTools))
	}
	describes := j.describes()
	for _, t := range at.tools {
		r.Judged++
		if t.of == nil {
			r.AddBreach([]record.Tick{at.list.Entry}, "a tool of an attached server is not listed",
				"a capability made of the tool "+t.Name, at.list.Got)
			continue
		}
		if got := j.disagreement(t.of, t.Tool); got != "" {
			r.AddBreach([]record.Tick{t.of.First, at.list.Entry}, "the input schema of an attached tool is not its inputSchema",
				string(t.InputSchema), got+" in the list")
		}
		for _, l := range j.LookupsOf(history.AttachedTools) {
			if l.Asked != t.of.Ref() || !describes {
				continue // the capability is not described: CAP-DIS-02 judges that
			}
			switch {
			case l.Unanswered():
				r.open = l.Lost
			case !l.Own():
				r.AddBreach([]record.Tick{l.Entry}, "describe does not know an attached tool that is listed",
					"the manifest of "+l.Asked.String(), l.Got)
			case j.disagreement(l.Shown, t.Tool) != "":
				r.AddBreach([]record.Tick{shownAt(l), l.Entry}, "the input schema of an attached tool is not its inputSchema",
					string(t.InputSchema), l.Got)
			}
		}
	}
	return r.conclude(nil)
}

// disagreement returns the input schema of a capability if it differs from that of a tool.
func (j attachments) disagreement(s *history.RawManifest, t history.Tool) string {
	shown := jsonvalue.Print(s.Manifest()[history.MemberInput])
	schema := j.contractOf(s).input
	if schema == nil {
		return shown
	}
	for _, input := range t.Valid {
		if schema.Validate(history.Value(input)) != nil {
			return shown + ", which refuses " + string(input)
		}
	}
	for _, input := range t.Invalid {
		if schema.Validate(history.Value(input)) == nil {
			return shown + ", which takes " + string(input)
		}
	}
	return ""
}

// ToolsCalled judges CAP-MCP-01 for invoke: the server receives a call of the tool with the input
// as its arguments, and the output contains what the tool answered.
func (j attachments) ToolsCalled() verdict.Verdict {
	r := j.newVerdict()
	at := j.attached(history.AttachedTools)
	switch {
	case at == nil:
		return r.conclude(j.unattached(history.AttachedTools))
	case j.someSuccess() == nil:
		return r.conclude(j.noSuccess())
	}
	for _, t := range at.tools {
		for _, a := range j.triesOf(history.AttachedTools, t.Name) {
			if a.BrokenKeyword() != "" {
				continue
			}
			r.Judged++
			called := j.callOf(a, t.Name)
			switch {
			case j.unclear(a):
				r.open = verdict.Undecided("an attached tool was refused for a reason of the source's own: %s", a.Got)
			case called == nil:
				r.AddBreach([]record.Tick{a.Entry}, "an invocation of an attached tool does not call it",
					"tools/call of "+t.Name+" with "+string(a.Input), a.Got)
			case !t.Fails && !(a.Succeeded() && strings.Contains(jsonvalue.Print(a.Output()), called.Reply)):
				r.AddBreach([]record.Tick{a.Entry}, "the result of an attached tool is not what the tool answered",
					"ok true and an output with "+called.Reply, a.Got)
			}
		}
	}
	return r.concludeHolding()
}

// NothingCalledEarly judges CAP-MCP-01: a tool is called only for an invocation.
func (j attachments) NothingCalledEarly() verdict.Verdict {
	r := j.newVerdict()
	at := j.attached(history.AttachedTools)
	if at == nil {
		return r.conclude(j.unattached(history.AttachedTools))
	}
	for _, call := range j.Services(history.AttachedTools) {
		if call.Operation == history.ServiceCall && call.About[history.AboutStep] == history.StepAttach {
			r.AddBreach([]record.Tick{at.list.Entry}, "a tool of an attached server is called although nothing was invoked",
				"tools/call only for an invocation", call.Tool+" with "+jsonvalue.Clip(string(call.Arguments)))
		}
	}
	return r.concludeHolding()
}

// AttachedValidate judges CAP-INV-02: the server accepts everything, so the source must refuse.
func (j attachments) AttachedValidate() verdict.Verdict {
	r := j.newVerdict()
	at := j.attached(history.AttachedTools)
	if at == nil {
		return r.conclude(j.unattached(history.AttachedTools))
	}
	for _, t := range at.tools {
		tries := j.triesOf(history.AttachedTools, t.Name)
		i := slices.IndexFunc(tries, func(a *history.Attempt) bool { return a.BrokenKeyword() == "" && a.Succeeded() })
		if t.of == nil || j.disagreement(t.of, t.Tool) != "" || i < 0 {
			continue // CAP-MCP-01 judges it
		}
		for _, a := range tries {
			switch {
			case a.BrokenKeyword() == "":
			case a.Succeeded():
				r.AddBreach([]record.Tick{a.Entry, tries[i].Entry}, "an attached tool accepts an input that breaks its schema",
					"a refusal of "+string(a.Input)+" before the tool is called", a.Got)
			case a.Unsuccessful():
				r.Judged++
			}
		}
	}
	return r.conclude(verdict.NotObserved("an attached tool that returns ok: see CAP-MCP-01"))
}

// AttachedFailures judges CAP-ERR-04 for a tool that answers isError: the failure has the code
// EXECUTION_FAILED.
func (j attachments) AttachedFailures() verdict.Verdict {
	r := j.newVerdict()
	at := j.attached(history.AttachedTools)
	if at == nil {
		return r.conclude(j.unattached(history.AttachedTools))
	}
	for _, t := range at.tools {
		for _, a := range j.triesOf(history.AttachedTools, t.Name) {
			if !t.Fails || a.BrokenKeyword() != "" || j.callOf(a, t.Name) == nil || j.unclear(a) || a.JudgedElsewhere() {
				continue
			}
			r.Judged++
			if !a.FailedWith(history.ExecutionFailed) {
				r.AddBreach([]record.Tick{a.Entry}, "the failure of an attached tool is not answered with EXECUTION_FAILED",
					"ok false and error.code EXECUTION_FAILED, since the tool answered isError", a.Got)
			}
		}
	}
	return r.conclude(verdict.NotObserved("a failure of an attached tool: see CAP-MCP-01"))
}

// AttachedHidden judges CAP-MCP-03 for a server whose address is known: no manifest and no result
// contains its transport details.
func (j attachments) AttachedHidden() verdict.Verdict {
	r := j.newVerdict()
	at := j.attached(history.AttachedTools)
	if at == nil {
		return r.conclude(j.unattached(history.AttachedTools))
	}
	for _, t := range at.tools {
		if t.of == nil {
			continue
		}
		m := t.of.Manifest()
		if Leak(texts(m), at.own) != "" || customLeak(m, history.ManifestMembers, at.own) != "" {
			r.AddBreach([]record.Tick{at.list.Entry}, "a manifest contains transport details of an attached server",
				"nothing of the transport in the manifest of "+t.of.Ref().String(), jsonvalue.Print(m))
		}
		for _, a := range j.triesOf(history.AttachedTools, t.Name) {
			if Leak(a.Message(), at.own) != "" || customLeak(a.Members, resultMembers, at.own) != "" {
				r.AddBreach([]record.Tick{a.Entry}, "a result contains transport details of an attached server",
					"nothing of the transport in the InvokeResult", a.Got)
			}
		}
	}
	return r.concludeHolding()
}

// SkillsListed judges CAP-SK-01 for the manifest: each attached skill is listed with its
// instructions, resources and permissions.
func (j attachments) SkillsListed() verdict.Verdict {
	r := j.newVerdict()
	at := j.attached(history.AttachedSkills)
	if at == nil {
		return r.conclude(j.unattached(history.AttachedSkills))
	}
	for _, s := range at.skills {
		r.Judged++
		if s.of == nil {
			r.AddBreach([]record.Tick{at.list.Entry}, "a skill of an attached folder is not listed",
				"a capability made of the skill "+s.Name, at.list.Got)
			continue
		}
		if member, want := j.notOfSkill(s); member != "" {
			r.AddBreach([]record.Tick{s.of.First, at.list.Entry}, member+" of an attached skill is not that of the skill", want,
				jsonvalue.Print(s.of.Manifest()[member])+" in the manifest of "+s.of.Ref().String())
		}
	}
	return r.conclude(nil)
}

// notOfSkill returns a member of a manifest that differs from the skill, "" if there is none.
func (j attachments) notOfSkill(s attachedSkill) (member, want string) {
	m := s.of.Manifest()
	description, _ := m.Text(history.MemberDescription)
	prompt, _ := m.Text(history.MemberPrompt)
	switch {
	case !m.IsSkill():
		return history.MemberKind, history.KindSkill
	case !strings.Contains(description, s.Description):
		return history.MemberDescription, s.Description
	case slices.ContainsFunc(s.Instructions, func(line string) bool { return !strings.Contains(prompt, line) }):
		return history.MemberPrompt, "the instructions of SKILL.md: " + strings.Join(s.Instructions, " / ")
	case slices.ContainsFunc(s.Resources,
		func(f history.Resource) bool { return !bundles(m[history.MemberResources], f) }):
		return history.MemberResources, "the file " + s.Resources[0].Path
	case m[history.MemberPermissions] == nil && !j.supported(history.MemberPermissions):
		return "", "" // a Skills system need not have permissions
	case slices.ContainsFunc(s.Permissions, func(p string) bool { return !permits(m[history.MemberPermissions], p) }):
		return history.MemberPermissions, "those of allowed-tools: " + strings.Join(s.Permissions, " ")
	}
	return "", ""
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

// SkillsRun judges CAP-SK-01 for invoke: the source accepts an invocation of a skill, whatever
// the outcome.
func (j attachments) SkillsRun() verdict.Verdict {
	r := j.newVerdict()
	at := j.attached(history.AttachedSkills)
	switch {
	case at == nil:
		return r.conclude(j.unattached(history.AttachedSkills))
	case j.someSuccess() == nil:
		return r.conclude(j.noSuccess())
	}
	for _, s := range at.skills {
		tries := j.triesOf(history.AttachedSkills, s.Name)
		if len(tries) == 0 {
			if s.of != nil {
				r.open = verdict.Undecided("no valid input can be made for an attached skill")
			}
			continue
		}
		switch a := tries[len(tries)-1]; {
		case a.Accepted():
			r.Judged++
		case a.RefusedWithDoubt():
			r.open = doubted(a)
		case a.Unanswered():
			r.open = a.Lost
		default:
			r.AddBreach([]record.Tick{a.Entry}, "an attached skill cannot be invoked",
				"an InvokeResult for a valid input of "+a.Asked.String(), a.Got)
		}
	}
	return r.concludeHolding()
}
