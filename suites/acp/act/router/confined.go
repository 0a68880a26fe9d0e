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
		Purpose: "runs a tool in the sandbox of the runtime, tells its argument topic and requests its argument address",
	}
}

// confined first shows that the tool runs when it requests no address. The package declares only the
// permissions of its state tools.
func (c bindings) confined(ctx context.Context, l *suites.Laboratory) error {
	if err := c.Ready(); err != nil {
		return err
	}
	player, named := l.Subject.Roles["acp"][Confined().Name]
	if !named {
		player.Capability = Confined().Capability
	}
	const tool = "ponder"
	s := c.Sample()
	s.Binds(tool, player.Capability, parametersOf(player.Input))
	answer, err := c.offer(ctx, l, s)
	if err != nil {
		return err
	}
	if answer.Outcome != driver.Returned {
		return notConfined(named, player, "a package with such a binding is not installed: "+transcript.Received(answer, nil))
	}
	k, arguments := c.talk(l, s), object{"topic": "topic " + environment.Mark()}
	t, err := k.call(ctx, s.Tool(tool), arguments)
	if err != nil {
		return err
	}
	if result := t.ToolResult(0); !t.AnsweredModel() || !strings.Contains(strings.Join(result.Texts, " "),
		history.Topic(arguments)) {
		return notConfined(named, player, "the tool does not tell its topic: "+result.Print())
	}
	address := c.Environment.Tools.URL(environment.Echo, history.PlaceOfConfined+s.Mark)
	_, err = k.call(ctx, s.Tool(tool), object{"topic": "topic " + environment.Mark(), "address": address})
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

// notConfined returns the reason why no binding plays the role. A type that the target file names must
// play it.
func notConfined(named bool, player live.Player, reason string) error {
	if !named {
		return Confined().NotObserved("acp")
	}
	return &verdict.Inconclusive{
		Reason: "the binding of type " + jsonvalue.Clip(player.Capability) + " does not play " + Confined().Name + ": " +
			reason,
		Supply: "name a type of binding whose tool " + Confined().Purpose,
	}
}
