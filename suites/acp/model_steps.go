package acpsuite

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/capconform/capconform/schemas"
	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/acp/environment"
	"github.com/capconform/capconform/suites/acp/history"
)

var modelSentences = []sentence{
	say(`the model is shown the message`, func(w *world) any { return w.messageShown }),
	say(`the model is shown the prompt`, func(w *world) any { return w.promptShown }),
	say(`the model is shown the tools with their parameters`, func(w *world) any { return w.toolsShown }),
	say(`the model is shown nothing of another package`, func(w *world) any { return w.nothingElseShown }),
	say(`packages ask for models of different families`, func(w *world) any { return w.askForFamilies }),
	say(`each is given a model of its family`, func(w *world) any { return w.familiesGiven }),
}

// eachShown judges the requests by which messages reached their packages. A turn
// may have several; it is enough that what is wanted stands in each of them.
func (w *world) eachShown(judge func(t turn, q environment.Request) error) error {
	judged := 0
	for _, t := range w.turns {
		for _, q := range w.shown(t, t.to) {
			judged++
			if err := judge(t, q); err != nil {
				w.cite(q)
				return err
			}
		}
	}
	if judged == 0 {
		return suites.Undecided("no message reaches the package that its trigger matches: see ACP-FIELD-06")
	}
	return nil
}

// messageShown asks for the text in a message of the user; more may stand around it, as
// that of JSON does.
func (w *world) messageShown() error {
	return w.eachShown(func(t turn, q environment.Request) error {
		if slices.ContainsFunc(q.Users(), func(said string) bool {
			return strings.Contains(folded(said), folded(t.text)) || strings.Contains(folded(unwrappedText(said)), folded(t.text))
		}) {
			return nil
		}
		return suites.Violated("the model is not shown the message of the user", suites.Clip(t.text), suites.Print(q.Users()))
	})
}

func (w *world) promptShown() error {
	return w.eachShown(func(t turn, q environment.Request) error {
		if strings.Contains(folded(q.System()), folded(t.to.Prompt)) {
			return nil
		}
		return suites.Violated("the model is not shown the prompt of the package in a message of the role system, developer or assistant", suites.Clip(t.to.Prompt), suites.Clip(q.System()))
	})
}

// unwrappedText gives the texts in the JSON of a text.
func unwrappedText(text string) string {
	var all []string
	for _, value := range history.Unwrapped(text, history.WrapsAtMost) {
		history.Each(value, func(_ string, inner any) {
			if s, isText := inner.(string); isText {
				all = append(all, s)
			}
		})
	}
	return strings.Join(all, "\n")
}

// folded makes texts equal that differ in white space alone.
func folded(text string) string { return strings.Join(strings.Fields(text), " ") }

func (w *world) toolsShown() error {
	return w.eachShown(func(t turn, q environment.Request) error {
		for _, want := range t.to.Tools {
			at := slices.IndexFunc(q.Tools, func(o environment.Tool) bool { return environment.SameTool(o.Name, want.Name) })
			if at < 0 {
				return suites.Violated("the model is not shown a tool of the package", want.Name, toolNames(q.Tools))
			}
			if !strings.Contains(folded(q.Tools[at].Description), folded(want.Description)) {
				return suites.Violated("a tool does not reach the model with its description", want.Description, suites.Print(q.Tools[at].Description))
			}
			r := rewriting{schema: history.Made(schemas.ReadValue([]byte(t.to.Schema))), root: schemas.ReadValue(q.Tools[at].Parameters)}
			if lost := r.lost(history.Made(want.Parameters), r.root); lost != "" {
				return suites.Violated("a tool does not reach the model with its parameters", fmt.Sprintf("%s of %s, as in %s", lost, want.Name, suites.Print(want.Parameters)), suites.Clip(string(q.Tools[at].Parameters)))
			}
		}
		return nil
	})
}

func toolNames(all []environment.Tool) string {
	var names []string
	for _, t := range all {
		names = append(names, t.Name)
	}
	return suites.Print(names)
}

// nothingElseShown leaves names out of account that every package has.
func (w *world) nothingElseShown() error {
	return w.eachShown(func(t turn, q environment.Request) error {
		x := w.exposed(q)
		for _, other := range x.tools {
			if other != t.to {
				foreign := slices.DeleteFunc(slices.Clone(q.Tools), func(o environment.Tool) bool { return !slices.Contains(w.Known(o.Name), other) })
				return suites.Violated("the model is shown tools of another package", "those of "+t.to.ID, "those of "+other.ID+" as well: "+toolNames(foreign))
			}
		}
		for _, other := range x.prompts {
			if other != t.to {
				return suites.Violated("the model is shown the prompt of another package", "that of "+t.to.ID, "that of "+other.ID+" as well")
			}
		}
		return nil
	})
}

// families are what two packages ask for; the endpoint offers models of both, and
// others.
var families = []string{"claude-3", "llama-3"}

func (w *world) askForFamilies(ctx context.Context) error {
	if err := w.needPackages(); err != nil {
		return err
	}
	for _, family := range families {
		s := w.Sample()
		s.Requirements = object{"model_family": []any{family}}
		if err := w.mounted(ctx, s); err != nil {
			return err
		}
		if err := w.take(w.askFor(ctx, newConversation(), s, environment.Script{})); err != nil {
			return err
		}
	}
	return nil
}

// familiesGiven is undecided where the subject never looks at what there is: it has
// been told of one model and knows no other.
func (w *world) familiesGiven() error {
	known := w.Environment.Model.Listings() > 0
	return w.eachShown(func(t turn, q environment.Request) error {
		family := suites.Texts(t.to.Requirements["model_family"])[0]
		switch {
		case strings.HasPrefix(q.Model, family):
			return nil
		case !known || !slices.Contains(environment.Families(), q.Model):
			return suites.Undecided("the subject asks for the model %q and never for the list of models: it may know no other", q.Model)
		default:
			return suites.Violated("a model outside of the family is asked for, though there is one within", "a model of "+family, q.Model)
		}
	})
}
