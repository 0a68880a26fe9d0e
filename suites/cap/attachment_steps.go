package capsuite

import (
	"context"
	"slices"
	"strings"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/fake"
)

var attachmentSentences = []sentence{
	say(`a server of tools is attached`, func(w *world) any { return w.attachTools }),
	say(`each of its tools is listed and described with its own input schema`, func(w *world) any { return w.toolsAreListed }),
	say(`each invocation of an attached tool is a call of that tool`, func(w *world) any { return w.toolsAreCalled }),
	say(`no attached tool is called without an invocation`, func(w *world) any { return w.nothingCalledEarly }),
	say(`no attached tool takes an input that breaks its schema`, func(w *world) any { return w.attachedToolsValidate }),
	say(`the failure of an attached tool is EXECUTION_FAILED`, func(w *world) any { return w.attachedFailures }),
	say(`nothing of the way to the attached server shows`, func(w *world) any { return w.attachedAreHidden }),
	say(`a folder of skills is attached`, func(w *world) any { return w.attachSkills }),
	say(`each of its skills is listed with its instructions, resources and permissions`, func(w *world) any { return w.skillsAreListed }),
	say(`each attached skill is invoked as any other`, func(w *world) any { return w.attachedSkillsRun }),
}

// toolsAreListed is CAP-MCP-01 for list, describe and input_schema. Schemas agree if they
// take and refuse the same inputs: a host may spell one in another way.
func (w *world) toolsAreListed(ctx context.Context) error {
	for _, t := range w.attached.tools {
		if t.of == nil {
			return w.violation("a tool of an attached server is not listed", "a capability made of the tool "+t.Name, w.attached.list.answer, nil)
		}
		if got := disagreement(t.of, t.Tool); got != "" {
			return suites.Violated("the input schema of an attached tool is not its inputSchema", string(t.InputSchema), got+" in the list")
		}
	}
	if w.describesSomething(ctx) != nil {
		return nil // it describes nothing at all: CAP-DIS-02's
	}
	for _, t := range w.attached.tools {
		l := t.described
		m, own := l.own()
		switch {
		case l.err != nil && !suites.ClosedInFace(l.err):
			return l.err
		case !own:
			return w.violation("describe does not know an attached tool that is listed", "the manifest of "+l.asked.String(), l.answer, l.err)
		}
		if got := disagreement(&capability{shop: w.shop, raw: suites.Encode(m)}, t.Tool); got != "" {
			return w.violation("the input schema of an attached tool is not its inputSchema", string(t.InputSchema), l.answer, nil)
		}
	}
	return nil
}

// disagreement shows the input schema of a capability if it is not that of a tool.
func disagreement(c *capability, t fake.Tool) string {
	shown := suites.Print(c.manifest()[memberInput])
	if c.compiled().input == nil {
		return shown
	}
	for _, input := range t.Sound {
		if c.input.Validate(decoded(input)) != nil {
			return shown + ", which refuses " + string(input)
		}
	}
	for _, input := range t.Unsound {
		if c.input.Validate(decoded(input)) == nil {
			return shown + ", which takes " + string(input)
		}
	}
	return ""
}

// toolsAreCalled is CAP-MCP-01 for invoke: what arrives at the server is the tool with the
// input as its arguments, and what comes back holds what the tool said.
func (w *world) toolsAreCalled(ctx context.Context) error {
	if _, err := w.working(ctx, w.sc); err != nil {
		return err
	}
	var open error
	for _, t := range w.attached.tools {
		for _, r := range t.sound {
			if r.unclear() {
				open = suites.Undecided("an attached tool was refused for a reason of the source's own: %s", r.received())
				continue
			}
			called := r.callOf(t.Name)
			if called == nil {
				return w.violation("an invocation of an attached tool does not call it", "tools/call of "+t.Name+" with "+string(r.input), r.answer, r.err)
			}
			if !t.Fails && !(r.succeeded() && strings.Contains(suites.Print(r.result.output()), called.Reply)) {
				return w.violation("the result of an attached tool is not what the tool answered", "ok true and an output with "+called.Reply, r.answer, r.err)
			}
		}
	}
	return open
}

// callOf finds the call of a tool with the input of the invocation as its arguments.
func (r reaching) callOf(tool string) *fake.ToolCall {
	i := slices.IndexFunc(r.calls, func(c fake.ToolCall) bool {
		return c.Name == tool && suites.EqualJSON(decoded(c.Arguments), decoded(r.input))
	})
	if i < 0 {
		return nil
	}
	return &r.calls[i]
}

func (w *world) nothingCalledEarly() error {
	if len(w.attached.early) > 0 {
		c := w.attached.early[0]
		return suites.Violated("a tool of an attached server is called although nothing was invoked", "tools/call for an invocation alone", c.Name+" with "+suites.Clip(string(c.Arguments)))
	}
	return nil
}

// attachedToolsValidate is CAP-INV-02: the server takes everything, so it is the source
// that has to refuse.
func (w *world) attachedToolsValidate() error {
	refused := 0
	for _, t := range w.attached.tools {
		if t.of == nil || disagreement(t.of, t.Tool) != "" || !slices.ContainsFunc(t.sound, func(r reaching) bool { return r.succeeded() }) {
			continue // CAP-MCP-01's
		}
		for _, r := range t.unsound {
			if r.succeeded() {
				w.sc.Cite(t.sound[0].answer, nil)
				return w.violation("an attached tool takes an input that breaks its schema", "a refusal of "+string(r.input)+" before the tool is called", r.answer, nil)
			}
			if r.turnedDown() {
				refused++
			}
		}
	}
	if refused == 0 {
		return suites.NotObserved("an attached tool that comes back ok: see CAP-MCP-01")
	}
	return nil
}

// attachedFailures is CAP-ERR-04 for a tool that says that it failed.
func (w *world) attachedFailures() error {
	for _, t := range w.attached.tools {
		for _, r := range t.sound {
			called := r.callOf(t.Name) != nil
			if !t.Fails || !called || r.unclear() || r.openQuestion() {
				continue
			}
			if r.refused() && r.result.code() == codeExecutionFailed {
				return nil
			}
			return w.violation("the failure of an attached tool is not answered with EXECUTION_FAILED", "ok false and error.code EXECUTION_FAILED, since the tool answered isError", r.answer, r.err)
		}
	}
	return suites.NotObserved("a failure of an attached tool: see CAP-MCP-01")
}

// attachedAreHidden is CAP-MCP-03 for a server whose address is known.
func (w *world) attachedAreHidden() error {
	for _, t := range w.attached.tools {
		if t.of == nil {
			continue
		}
		m := t.of.manifest()
		if leak(m.texts(), w.attached.own) != "" || customLeak(m, manifestMembers, w.attached.own) != "" {
			return w.violation("a manifest tells how an attached server is reached", "nothing of the transport in the manifest of "+t.of.ref().String(), w.attached.list.answer, nil)
		}
		for _, r := range slices.Concat(t.sound, t.unsound) {
			if leak(r.result.message(), w.attached.own) != "" || customLeak(r.result.members, resultMembers, w.attached.own) != "" {
				return w.violation("a result tells how an attached server is reached", "nothing of the transport in the InvokeResult", r.answer, nil)
			}
		}
	}
	return nil
}

// skillsAreListed is CAP-SK-01 for the manifest.
func (w *world) skillsAreListed() error {
	for _, s := range w.attached.skills {
		if s.of == nil {
			return w.violation("a skill of an attached folder is not listed", "a capability made of the skill "+s.Name, w.attached.list.answer, nil)
		}
		m := s.of.manifest()
		broken := func(member, want string) error {
			return suites.Violated(member+" of an attached skill is not that of the skill", want, suites.Print(m[member])+" in the manifest of "+s.of.ref().String())
		}
		description, _ := m.text(memberDescription)
		prompt, _ := m.text(memberPrompt)
		switch {
		case !m.isSkill():
			return broken(memberKind, kindSkill)
		case !strings.Contains(description, s.Description):
			return broken(memberDescription, s.Description)
		case slices.ContainsFunc(s.Instructions, func(line string) bool { return !strings.Contains(prompt, line) }):
			return broken(memberPrompt, "the instructions of SKILL.md: "+strings.Join(s.Instructions, " / "))
		case slices.ContainsFunc(s.Resources, func(r fake.Resource) bool { return !bundles(m[memberResources], r) }):
			return broken(memberResources, "the file "+s.Resources[0].Path)
		case m[memberPermissions] == nil && !w.supported(memberPermissions):
			// a Skills system need not have permissions
		case slices.ContainsFunc(s.Permissions, func(p string) bool { return !permits(m[memberPermissions], p) }):
			return broken(memberPermissions, "those of allowed-tools: "+strings.Join(s.Permissions, " "))
		}
	}
	return nil
}

// bundles tells whether resources name a file or hold its text.
func bundles(resources any, file fake.Resource) bool {
	name := file.Path[strings.LastIndex(file.Path, "/")+1:]
	return slices.ContainsFunc(listOf(resources), func(one any) bool {
		text := string(suites.Encode(one))
		return strings.Contains(text, name) || strings.Contains(text, file.Text)
	})
}

// permits tells whether permissions name a tool, in whatever form.
func permits(permissions any, tool string) bool {
	return slices.ContainsFunc(listOf(permissions), func(one any) bool {
		text, _ := one.(string)
		return strings.Contains(foldedName(text), foldedName(tool))
	})
}

// attachedSkillsRun is CAP-SK-01 for invoke: a skill is taken up, whatever comes of it.
func (w *world) attachedSkillsRun(ctx context.Context) error {
	if _, err := w.working(ctx, w.sc); err != nil {
		return err
	}
	var open error
	for _, s := range w.attached.skills {
		if len(s.attempts) == 0 {
			open = suites.Undecided("no sound input can be made for an attached skill")
			continue
		}
		a := s.attempts[len(s.attempts)-1]
		switch {
		case a.takenUp():
		case a.doubted():
			open = suites.Undecided("the input was made from the schema, and the source may check more than that says: %s", a.doubt)
		case a.err != nil && !suites.ClosedInFace(a.err):
			return a.err
		default:
			return w.violation("an attached skill cannot be invoked", "an InvokeResult for a sound input of "+a.asked.String(), a.answer, a.err)
		}
	}
	return open
}
