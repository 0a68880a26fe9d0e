package capsuite

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/fake"
	"github.com/capconform/capconform/suites/instance"
)

// What the adapter of a source makes of an MCP server and of skills shows where both
// sides of it are ours: the source attaches what we play, by the role attach.

// attachment is what a source made of the sources that were attached to it.
type attachment struct {
	list   *listing // with what was attached
	tools  []attachedTool
	skills []attachedSkill
	early  []fake.ToolCall // those that came before anything was invoked
	own    []string        // where the server was
	failed error           // why nothing was attached
}

// attachedTool is a tool of the MCP server and what became of it.
type attachedTool struct {
	fake.Tool
	of             *capability // nil: it is not listed
	described      lookup
	sound, unsound []reaching
}

// reaching is an invocation, and the calls that reached the server by it.
type reaching struct {
	attempt
	calls []fake.ToolCall
}

// attachedSkill is a skill of the folder and what became of it.
type attachedSkill struct {
	fake.Skill
	of       *capability // nil: it is not listed
	attempts []attempt
}

// attachTools lets the source attach an MCP server, looks at what it makes of each tool,
// and lets it detach the server.
func (w *world) attachTools(ctx context.Context) error {
	return w.attachOnce(ctx, &w.examination.attachedTools, func() (*attachment, error) {
		server, err := fake.NewMCPServer()
		if err != nil {
			return nil, err //nolint:wrapcheck // it names its package
		}
		defer server.Close() //nolint:errcheck // nobody uses it any more
		return w.useTools(ctx, server)
	})
}

// attachSkills does the same with a folder of skills.
func (w *world) attachSkills(ctx context.Context) error {
	return w.attachOnce(ctx, &w.examination.attachedSkills, func() (*attachment, error) {
		folder, err := fake.NewSkillFolder()
		if err != nil {
			return nil, err //nolint:wrapcheck // it names its package
		}
		defer folder.Close() //nolint:errcheck // the system removes temporary files too
		return w.useSkills(ctx, folder)
	})
}

// attachOnce attaches one kind of source once a run.
func (w *world) attachOnce(ctx context.Context, kept *suites.Memo[*attachment], use func() (*attachment, error)) error {
	if err := w.needList(); err != nil {
		return err
	}
	w.attached = kept.Get(ctx, func() (*attachment, bool) {
		made, err := use()
		if err != nil {
			made = &attachment{failed: err}
		}
		return made, ctx.Err() == nil
	})
	if w.attached.failed == nil {
		w.sc.Cite(w.attached.list.answer, nil)
	}
	return w.attached.failed
}

// attach gives the list after the source attached something. An attach role that does not
// take such a source shows nothing.
func (w *world) attach(ctx context.Context, input map[string]any) (*listing, error) {
	p := w.players[roleAttach]
	params := suites.Encode(input)
	if p.compiled().input != nil {
		if _, breaks := invalidity(p.input.Validate(decoded(params))); breaks {
			return nil, suites.NotObserved("%s declares no input that attaches such a source", p.id)
		}
	}
	op := driver.Operation{Name: opInvoke, Params: invokeParams(p.ref(), params)}
	answer, err := w.sc.Ask(ctx, op, w.subject.Deadlines.Slow)
	w.sc.Cite(answer, err)
	if err != nil {
		return nil, err
	}
	if answer.Outcome == driver.NotProvided {
		return nil, suites.NotObserved("an attached source, since the source does not provide capability.invoke: see CAP-DIS-03")
	}
	if answer.Outcome != driver.Returned || !readResult(answer).ok() {
		return nil, &suites.Inconclusive{
			Reason: "the source attached nothing: " + suites.Received(answer, nil),
			Supply: "it has to reach 127.0.0.1 and the temporary folder of the harness, so run both on one machine",
		}
	}
	list := w.present(ctx)
	return list, list.err
}

// detach takes away what was attached. What a source does then is not judged.
func (w *world) detach(ctx context.Context) {
	op := driver.Operation{Name: opInvoke, Params: invokeParams(w.players[roleAttach].ref(), json.RawMessage("{}"))}
	_, _ = w.sc.Ask(ctx, op, w.subject.Deadlines.Call)
}

func (w *world) useTools(ctx context.Context, server *fake.MCPServer) (*attachment, error) {
	defer w.detach(ctx)
	list, err := w.attach(ctx, map[string]any{"mcp": server.URL})
	if err != nil {
		return nil, err
	}
	a := &attachment{list: list.brief(), early: server.Calls(), own: []string{server.Address}}
	for _, t := range server.Tools {
		made := attachedTool{Tool: t, of: w.becameOf(list, t.Name, t.InputSchema)}
		if made.of != nil {
			w.gate.Copy(made.of.id, w.players[roleAttach].id)
			made.described = w.describe(ctx, w.sc, made.of.ref())
			for _, input := range t.Sound {
				made.sound = append(made.sound, w.reach(ctx, server, invocation{asked: made.of.ref(), of: made.of, input: input}))
			}
			for _, input := range unsoundInputs(t) {
				fault := &instance.Sample{Text: input, Note: "it breaks the inputSchema of the tool"}
				made.unsound = append(made.unsound, w.reach(ctx, server, invocation{asked: made.of.ref(), of: made.of, input: input, fault: fault}))
			}
		}
		a.tools = append(a.tools, made)
	}
	return a, w.cancelled(ctx)
}

// unsoundInputs are those that the tool itself would take.
func unsoundInputs(t fake.Tool) []json.RawMessage {
	if t.Fails {
		return nil
	}
	return t.Unsound
}

// reach invokes an attached tool and counts what reached the server by it.
func (w *world) reach(ctx context.Context, server *fake.MCPServer, i invocation) reaching {
	before := len(server.Calls())
	made := w.invoke(ctx, w.sc, i)
	for again := 0; again < askedAgain && made.mayBeLimit() && len(server.Calls()) == before; again++ {
		made = w.invoke(ctx, w.sc, i)
	}
	return reaching{made, server.Calls()[before:]}
}

func (w *world) useSkills(ctx context.Context, folder *fake.SkillFolder) (*attachment, error) {
	defer w.detach(ctx)
	list, err := w.attach(ctx, map[string]any{"skills": folder.Path})
	if err != nil {
		return nil, err
	}
	a := &attachment{list: list.brief()}
	for _, s := range folder.Skills {
		made := attachedSkill{Skill: s, of: w.becameOf(list, s.Name, nil)}
		if made.of != nil {
			w.gate.Copy(made.of.id, w.players[roleAttach].id)
			for _, input := range w.soundInputs(made.of) {
				next := w.invoke(ctx, w.sc, invocation{asked: made.of.ref(), of: made.of, input: input.Text, doubt: input.Doubt, slow: true})
				made.attempts = append(made.attempts, next)
				if next.takenUp() || next.err != nil {
					break
				}
			}
		}
		a.skills = append(a.skills, made)
	}
	return a, w.cancelled(ctx)
}

// becameOf finds the capability that a tool or a skill became. Its id is the host's to
// choose, so it is found by its name, which nobody else has, or by its schema.
func (w *world) becameOf(list *listing, name string, schema json.RawMessage) *capability {
	plain := foldedName(name)
	var bySchema *capability
	for _, c := range list.capabilities {
		if w.examination.list.find(c.ref()) != nil {
			continue
		}
		m := c.manifest()
		title, _ := m.text(memberName)
		if strings.Contains(foldedName(c.id), plain) || strings.Contains(foldedName(title), plain) {
			return c
		}
		if schema != nil && suites.EqualJSON(m[memberInput], decoded(schema)) {
			bySchema = c
		}
	}
	return bySchema
}

// foldedName leaves what is left of a name in another spelling.
func foldedName(name string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, strings.ToLower(name))
}

// unclear tells an answer that shows nothing: none at all, or that of a permission or a
// deadline of the host's own before anything was called.
func (r reaching) unclear() bool {
	return r.err != nil && !suites.ClosedInFace(r.err) ||
		len(r.calls) == 0 && r.refused() && slices.Contains([]string{codePermissionDenied, codeTimeout}, r.result.code())
}
