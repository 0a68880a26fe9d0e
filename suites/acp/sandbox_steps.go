package acpsuite

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/capconform/capconform/schemas"
	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/acp/environment"
	"github.com/capconform/capconform/suites/driver"
)

// roleConfined is a type of tool binding: the runtime itself runs the tool.
const roleConfined = "confined"

// confined is the role, with the type of the fixture profile (DESIGN section 10).
func confined() suites.Role {
	return suites.Role{
		Name: roleConfined, Capability: "conformance.confined",
		Purpose: "runs a tool in the sandbox of the runtime, tells its argument topic and requests its argument address",
	}
}

// sandboxSentences are about tools that the runtime runs in its sandbox.
var sandboxSentences = []sentence{
	say(`a package binds a tool by a type that runs in a sandbox`, func(w *world) any { return w.installConfined }),
	say(`the model calls the tool with an address`, func(w *world) any { return w.callConfined }),
	say(`nothing arrives at the address`, func(w *world) any { return w.addressNotReached }),
}

// The tool in the sandbox, and the place that it requests.
const (
	toolConfined    = "ponder"
	placeOfConfined = "confined-"
)

// player gives the type of the binding that plays the role and its parameters. Without a
// name in the target file it is that of the fixture profile.
func (w *world) player() (suites.Player, bool) {
	named, given := w.subject.Roles["acp"][roleConfined]
	if !given {
		named.Capability = confined().Capability
	}
	return named, given
}

// installConfined shows first that the tool runs where it requests nothing. The
// package declares no permission but those of its state tools.
func (w *world) installConfined(ctx context.Context) error {
	if err := w.needPackages(); err != nil {
		return err
	}
	player, _ := w.player()
	w.it = w.Sample()
	w.it.Binds(toolConfined, player.Capability, parametersOf(player.Input))
	if err := w.publish(ctx, w.it); err != nil {
		return err
	}
	answer, err := w.install(ctx, w.it.ID, w.it.CID)
	if err != nil {
		return err
	}
	if answer.Outcome != driver.Returned {
		return w.notConfined("a package with such a binding is not installed: " + suites.Received(answer, nil))
	}
	arguments := object{"topic": "topic " + environment.Mark()}
	t := w.order(ctx, w.conversation, w.it, environment.ToolCall{Name: w.it.Tool(toolConfined), Arguments: arguments})
	if err := w.offeredTool(t); err != nil {
		return err
	}
	told := strings.Join(t.results(), " ")
	if !t.told() || !strings.Contains(told, topicOf(arguments)) {
		return w.notConfined("the tool does not tell its topic: " + t.read().Print())
	}
	return nil
}

// parametersOf gives the parameters of the binding in the target file.
func parametersOf(input json.RawMessage) map[string]string {
	parameters := map[string]string{}
	for name, value := range schemas.ReadObject(input) {
		text, isText := value.(string)
		if !isText {
			text = string(suites.Encode(value))
		}
		parameters[name] = text
	}
	return parameters
}

// notConfined says that nothing plays the role. What the target file names must.
func (w *world) notConfined(reason string) error {
	player, named := w.player()
	if !named {
		return confined().NotObserved("acp")
	}
	return &suites.Inconclusive{
		Reason: "the binding of type " + suites.Clip(player.Capability) + " does not play " + roleConfined + ": " + reason,
		Supply: "name a type of binding whose tool " + confined().Purpose,
	}
}

func (w *world) callConfined(ctx context.Context) error {
	arguments := object{"topic": "topic " + environment.Mark(), "address": w.Environment.Tools.URL(environment.Echo, placeOfConfined+w.it.Mark)}
	return w.offeredTool(w.order(ctx, w.conversation, w.it, environment.ToolCall{Name: w.it.Tool(toolConfined), Arguments: arguments}))
}

// addressNotReached counts every request, those that only look whether something is there
// too.
func (w *world) addressNotReached() error {
	calls := slices.DeleteFunc(w.Environment.Tools.Calls(placeOfConfined+w.it.Mark), func(c environment.Call) bool {
		return c.Kind != "http" || c.Path != placeOfConfined+w.it.Mark
	})
	if len(calls) > 0 {
		w.citeCalls(calls...)
		return suites.Violated("a tool in the sandbox reaches an address that its package does not declare", "no request of the address", "a "+calls[0].Method+" of it")
	}
	return nil
}
