package act

import (
	"context"
	"encoding/json"

	"github.com/capconform/capconform/suites/cap/history"
	"github.com/capconform/capconform/suites/fake"
	"github.com/capconform/capconform/suites/instance"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/verdict"
)

// The harness observes how a source adapts MCP tools and skills by providing both ends: through
// the role attach, the source attaches an MCP server or a folder of skills of the harness.

// attachments make the source attach what the harness provides.
type attachments struct{ bench }

// attachTools makes the source attach an MCP server, examines the capability of each tool, and
// makes the source detach the server.
func (c attachments) attachTools(ctx context.Context) error {
	if c.player(Attach) == nil {
		return nil // the condition of its scenarios states why
	}
	server, err := fake.NewMCPServer()
	if err != nil {
		return err // the error names its package
	}
	defer server.Close() // it is not used after this
	defer c.detach(ctx)
	offer := history.Offer{Address: []string{server.Address}}
	for _, t := range server.Tools {
		offer.Tools = append(offer.Tools, history.Tool{
			Name: t.Name, InputSchema: t.InputSchema, Valid: t.Valid, Invalid: t.Invalid, Fails: t.Fails,
		})
	}
	list, err := c.attach(ctx, map[string]any{"mcp": server.URL}, offer)
	if err != nil {
		return err
	}
	seen := c.addReached(server, 0, step(history.StepAttach))
	for _, t := range server.Tools {
		of := c.findAttached(list, t.Name, t.InputSchema)
		if of == nil {
			continue
		}
		c.describe(ctx, of.Ref(), nil)
		for _, input := range t.Valid {
			seen = c.invokeAttached(ctx, server, seen, of.of(instance.Sample{Text: input}).with(history.AboutTool, t.Name))
		}
		for _, input := range t.Invalid {
			if !t.Fails { // otherwise the tool itself refuses it
				fault := instance.Sample{Text: input, Keyword: "its inputSchema", Note: "it breaks the inputSchema of the tool"}
				seen = c.invokeAttached(ctx, server, seen, of.breaking(fault).with(history.AboutTool, t.Name))
			}
		}
	}
	return nil
}

// invokeAttached invokes an attached tool, and again if a limit may have refused it. The calls that
// reach the server become entries.
func (c attachments) invokeAttached(ctx context.Context, server *fake.MCPServer, seen int, i invocation) int {
	for again := 0; ; again++ {
		a := c.invoke(ctx, i)
		now := c.addReached(server, seen, nil, record.Link{Relation: record.CausedBy, To: a.Entry})
		if now > seen || again == askedAgain || !a.MayBeLimit() {
			return now
		}
		i.links = []record.Link{{Relation: record.RetryOf, To: a.Entry}}
	}
}

// addReached adds an entry for each call that reached the server since the given one, and returns
// the number of all calls.
func (c attachments) addReached(server *fake.MCPServer, seen int, about map[string]string, links ...record.Link) int {
	calls := server.Calls()
	for _, call := range calls[seen:] {
		c.Gate.Enter(record.Entry{
			Begun: c.Gate.Tick(), Done: c.Gate.Tick(), Party: record.Service, From: record.Target,
			Stimulus:  history.AttachedTools,
			Operation: history.ServiceCall, About: about, Links: links, Outcome: record.Returned,
			Sent:     record.JSONBody(jsonvalue.Encode(history.ToolCall{Name: call.Name, Arguments: call.Arguments})),
			Received: record.JSONBody(jsonvalue.Encode(history.ToolReply{Reply: call.Reply})),
		})
	}
	return len(calls)
}

// attachSkills makes the source attach a folder of skills, and invokes each skill.
func (c attachments) attachSkills(ctx context.Context) error {
	if c.player(Attach) == nil {
		return nil
	}
	folder, err := fake.NewSkillFolder()
	if err != nil {
		return err // the error names its package
	}
	defer folder.Close() // the system removes temporary files too
	defer c.detach(ctx)
	var offer history.Offer
	for _, s := range folder.Skills {
		skill := history.Skill{Name: s.Name, Description: s.Description, Instructions: s.Instructions,
			Permissions: s.Permissions}
		for _, r := range s.Resources {
			skill.Resources = append(skill.Resources, history.Resource{Path: r.Path, Text: r.Text})
		}
		offer.Skills = append(offer.Skills, skill)
	}
	list, err := c.attach(ctx, map[string]any{"skills": folder.Path}, offer)
	if err != nil {
		return err
	}
	for _, s := range folder.Skills {
		of := c.findAttached(list, s.Name, nil)
		if of == nil {
			continue
		}
		for _, input := range c.ValidInputs(of) {
			i := of.of(input).with(history.AboutTool, s.Name)
			i.slow = true
			if a := c.invoke(ctx, i); a.Accepted() || a.Lost != nil {
				break
			}
		}
	}
	return nil
}

// findAttached finds the capability that the source made from a tool or a skill, and offers it to the
// gate like the capability that attached it.
func (c attachments) findAttached(list *history.Listing, name string, schema json.RawMessage) *Capability {
	s := list.FindAttached(c.History.First(), name, schema)
	if s == nil {
		return nil
	}
	c.Gate.Copy(s.ID, c.Players[Attach].ID)
	return c.capability(s)
}

// attach returns the list after the source attached something. It returns an error if the source
// does not attach it; no requirement is judged then.
func (c attachments) attach(ctx context.Context, input map[string]any,
	offer history.Offer) (*history.Listing, error) {
	stimulus, operation := history.AttachedTools, history.ServiceTools
	if offer.Skills != nil {
		stimulus, operation = history.AttachedSkills, history.ServiceSkills
	}
	p := c.Players[Attach]
	params := jsonvalue.Encode(input)
	if p.Input() != nil && isInvalid(p.Input().Validate(history.Value(params))) {
		return nil, verdict.NotObserved("%s declares no input that attaches such a source", p.ID)
	}
	a := c.invoke(ctx, invocation{asked: p.Ref(), input: params, about: step(history.StepAttach), slow: true})
	switch {
	case a.Lost != nil:
		return nil, a.Lost
	case a.Absent:
		return nil,
			verdict.NotObserved("an attached source, since the source does not provide capability.invoke: see CAP-DIS-03")
	case !a.Returned || !a.OK():
		return nil, &verdict.Inconclusive{
			Reason: "the source attached nothing: " + a.Got(),
			Supply: "it has to reach 127.0.0.1 and the temporary folder of the harness, so run both on one machine",
		}
	}
	c.Gate.Enter(record.Entry{
		Begun: c.Gate.Tick(), Done: c.Gate.Tick(), Party: record.Service, From: record.Target, Stimulus: stimulus,
		Operation: operation,
		Outcome:   record.Returned, Received: record.JSONBody(jsonvalue.Encode(offer)),
	})
	list := c.list(ctx, nil)
	return list, list.Lost
}

// detach removes what was attached. The answer of the source is not judged.
func (c attachments) detach(ctx context.Context) {
	c.invoke(ctx, invocation{asked: c.Players[Attach].Ref(), input: json.RawMessage("{}"),
		about: step(history.StepDetach)})
}
