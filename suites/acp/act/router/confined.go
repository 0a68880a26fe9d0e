package router

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/capconform/capconform/schemas"
	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/acp/environment"
	"github.com/capconform/capconform/suites/acp/history"
	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/live"
	"github.com/capconform/capconform/suites/transcript"
	"github.com/capconform/capconform/suites/verdict"
)

// Confined returns the role of a type of binding whose tools the runtime runs itself, with the type of
// the fixture profile (DESIGN section 10).
func Confined() live.Role {
	return live.Role{
		Name: "confined", Capability: "conformance.confined",
		Purpose: "runs a tool in the sandbox of the runtime, reports its argument topic and requests its argument address",
	}
}

// confined first shows that the tool runs when it requests no address. The package declares only the
// permissions of its state tools.
func (c bindings) confined(ctx context.Context, l *suites.Laboratory) error {
	if err := c.Ready(); err != nil {
		return err
	}
	player, isNamed := l.Subject.Roles["acp"][Confined().Name]
	if !isNamed {
		player.Capability = Confined().Capability
	}
	const tool = "ponder"
	s := c.NewPackage()
	s.AddBoundTool(tool, player.Capability, parametersOf(player.Input))
	answer, err := c.publishAndInstall(ctx, l, s)
	if err != nil {
		return err
	}
	if answer.Outcome != driver.Returned {
		return notPlayed(isNamed, player, "a package with such a binding is not installed: "+transcript.Received(answer, nil))
	}
	k, arguments := c.conversation(l, s), object{"topic": "topic " + environment.NewMark()}
	t, err := k.callOfferedTool(ctx, s.ToolName(tool), arguments)
	if err != nil {
		return err
	}
	if result := t.ToolResult(0); !t.AnsweredModel() || !strings.Contains(strings.Join(result.Texts, " "),
		history.TopicMark(arguments)) {
		return notPlayed(isNamed, player, "the tool does not tell its topic: "+result.Print())
	}
	address := c.Environment.Tools.URL(environment.Echo, history.ConfinedPathPrefix+s.Mark)
	_, err = k.callOfferedTool(ctx, s.ToolName(tool), object{"topic": "topic " + environment.NewMark(),
		"address": address})
	return err
}

// parametersOf returns the parameters of a binding from the input in the target file.
func parametersOf(input json.RawMessage) parameters {
	all := parameters{}
	for name, value := range schemas.ReadObject(input) {
		text, isText := value.(string)
		if !isText {
			text = string(jsonvalue.Encode(value))
		}
		all[name] = text
	}
	return all
}

// notPlayed returns the reason why no binding plays the role. A type that the target file names must
// play it.
func notPlayed(isNamed bool, player live.Player, reason string) error {
	if !isNamed {
		return Confined().NotObserved("acp")
	}
	return &verdict.Inconclusive{
		Reason: "the binding of type " + jsonvalue.Clip(player.Capability) + " does not play " + Confined().Name + ": " +
			reason,
		Supply: "name a type of binding whose tool " + Confined().Purpose,
	}
}
