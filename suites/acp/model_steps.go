package acpsuite

import (
	"context"
	"slices"
	"strings"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/acp/environment"
)

var modelSentences = []sentence{
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
