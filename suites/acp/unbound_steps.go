package acpsuite

import (
	"context"
	"slices"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/acp/environment"
	"github.com/capconform/capconform/suites/acp/history"
	"github.com/capconform/capconform/suites/driver"
)

// offerUnknownType: to refuse such a package is as good as to answer its calls.
func (w *world) offerUnknownType(ctx context.Context) error {
	if err := w.needPackages(); err != nil {
		return err
	}
	w.it = w.Sample()
	w.it.Binds(toolUnknown, "capconform_teleport", map[string]string{"url": w.Environment.Tools.URL(environment.Echo, "teleport-"+w.it.Mark)})
	if err := w.publish(ctx, w.it); err != nil {
		return err
	}
	var err error
	w.offer.answer, err = w.install(ctx, w.it.ID, w.it.CID)
	return err
}

func (w *world) callUnknownType(ctx context.Context) error {
	if w.offer.answer.Outcome != driver.Returned {
		return nil
	}
	return w.offeredTool(w.order(ctx, w.conversation, w.it, environment.ToolCall{Name: w.it.Tool(toolUnknown), Arguments: given()}))
}

func (w *world) callUnbound(ctx context.Context) error {
	w.it = w.boundSpecimen()
	w.it.Declares(toolUnbound)
	if err := w.publish(ctx, w.it); err != nil {
		return err
	}
	answer, err := w.install(ctx, w.it.ID, w.it.CID)
	if err != nil {
		return err
	}
	if answer.Outcome != driver.Returned {
		return suites.NotObserved("a call of a tool that is not bound, since the subject installs no package with one")
	}
	return w.offeredTool(w.order(ctx, w.conversation, w.it, environment.ToolCall{Name: w.it.Tool(toolUnbound), Arguments: given()}))
}

// noSuccess judges the last turn. A turn that never ends is a finding here.
func (w *world) noSuccess(ctx context.Context) error {
	if len(w.turns) == 0 {
		return nil // the package was refused
	}
	t := w.last()
	if told := t.read(); t.told() && told.Outcome() == history.Success {
		if alike, err := w.likeFault(ctx, told); alike || err != nil {
			return err
		}
		w.cite(t.requests...)
		return suites.Violated("a call that can't be fulfilled is told as a success", "an error, or an answer that says so", told.Print())
	}
	return nil
}

// boundExecuted is the positive control: a package of the same kind, and a tool
// that can be executed.
func (w *world) boundExecuted(ctx context.Context) error {
	s := w.it
	if len(w.turns) == 0 {
		s = w.Sample()
		if err := w.mounted(ctx, s); err != nil {
			return err
		}
	}
	t, calls := w.use(ctx, s, toolLookup, s.Mark)
	if err := t.ended(); err != nil {
		return err
	}
	if len(calls) == 0 {
		return suites.Undecided("a tool that is bound is not executed either: see ACP-BIND-06")
	}
	return nil
}

// likeFault reports whether something is told in the form in which the subject tells that a
// tool failed: its words may be those of a language that is not read here.
func (w *world) likeFault(ctx context.Context, told history.Telling) (bool, error) {
	aside := &world{party: w.party, sc: w.sc, conversation: newConversation()} // nothing of it is judged
	s := w.Sample()
	s.Binds(toolFails, "http_get", map[string]string{"url": w.Environment.Tools.URL(environment.Fails, s.Mark)})
	if err := w.mounted(ctx, s); err != nil {
		return false, err
	}
	var shapes [][]string
	for _, tool := range []string{toolFails, toolLookup} {
		t, calls := aside.use(ctx, s, tool, s.Mark)
		if err := t.ended(); err != nil {
			return false, err
		}
		if len(calls) == 0 || !t.told() {
			return false, nil
		}
		shapes = append(shapes, t.read().Shape())
	}
	form := told.Shape()
	return len(form) > 0 && slices.Equal(form, shapes[0]) && !slices.Equal(form, shapes[1]), nil
}
