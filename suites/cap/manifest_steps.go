package capsuite

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"

	"github.com/capconform/capconform/schemas"
	"github.com/capconform/capconform/suites"
)

var manifestSentences = []sentence{
	say(`the capabilities are listed and each is described`, func(w *world) any { return w.listAndDescribe }),
	say(`in every manifest each member has the type of the text`, func(w *world) any { return w.keeps(typesRule) }),
	say(`in every manifest the kind is tool or skill`, func(w *world) any { return w.keeps(kindRule) }),
	say(`in every manifest the version follows semantic versioning`, func(w *world) any { return w.keeps(versionRule) }),
	say(`in every manifest the input schema is present and is a JSON Schema`, func(w *world) any { return w.keeps(inputSchemaRule) }),
	say(`in every manifest an output schema is declared`, func(w *world) any { return w.keeps(outputDeclaredRule) }),
	say(`in every manifest of a tool there is neither a prompt template nor a resource`, func(w *world) any { return w.keeps(toolRule) }),
}

// shownManifests decodes what was shown, one at a time: a source may list 10,000.
// What is no object is CAP-DIS-01's or CAP-DIS-02's.
func (w *world) shownManifests() iter.Seq[shown] {
	return func(yield func(shown) bool) {
		for _, sh := range w.manifests {
			m := sh.kept
			if m == nil {
				m = readManifest(sh.raw)
			}
			if m != nil && !yield(shown{m, sh.by, sh.at, sh.answer}) {
				return
			}
		}
	}
}

// listAndDescribe gathers every manifest that the source shows in either way,
// and those that are the same in both once.
func (w *world) listAndDescribe(ctx context.Context) error {
	if err := w.listCapabilities(); err != nil {
		return err
	}
	w.manifests = append(w.manifests, w.describedOtherwise(ctx)...)
	return nil
}

// describedOtherwise gives the manifests that describe shows and the list does not.
func (w *world) describedOtherwise(ctx context.Context) []sheet {
	return w.otherwise.Get(ctx, func() ([]sheet, bool) {
		var all []sheet
		for _, c := range w.examination.list.capabilities[:min(len(w.examination.list.capabilities), describedAtMost)] {
			l := w.describeListed(ctx, w.sc, c)
			m, own := l.own()
			if _, differs := difference(c.manifest(), m); own && differs {
				all = append(all, sheet{l.answer.Result, l.kept, opDescribe, "", l.answer})
			}
		}
		return all, ctx.Err() == nil
	})
}

// keeps judges every manifest by one rule.
func (w *world) keeps(rule manifestRule) func() error {
	return func() error {
		if err := w.needList(); err != nil {
			return err
		}
		var open error
		var worst shown
		var found defect
		kinds := map[string]int{}
		broken, all := 0, 0
		for s := range w.shownManifests() {
			all++
			defects, err := rule(w.shop, s.manifest)
			if len(defects) > 0 {
				broken++
			}
			for _, d := range defects {
				kinds[d.Message]++
				if found.Message == "" || found.missing() && !d.missing() {
					worst, found = s, d
				}
			}
			open = cmp.Or(open, err)
		}
		if broken > 1 {
			found.Got += fmt.Sprintf(" (%d of %d manifests are so)", broken, all)
		}
		if len(kinds) > 1 {
			found.Got += " (in all: " + countedKinds(kinds) + ")"
		}
		if broken > 0 {
			return w.defective(worst, []defect{found})
		}
		return undecided(open)
	}
}

// countedKinds prints how many defects of each kind there are.
func countedKinds(kinds map[string]int) string {
	var all []string
	for _, message := range sortedKeys(kinds) {
		all = append(all, fmt.Sprintf("%d × %s", kinds[message], message))
	}
	return strings.Join(all, ", ")
}

func (w *world) defective(s shown, defects []defect) error {
	d := defects[0]
	if s.by != opList {
		w.sc.Cite(s.answer, nil)
	}
	id, _ := s.text(memberID)
	version, _ := s.text(memberVersion)
	return suites.Violated(d.Message, d.Want, d.Got+" in the manifest of "+ref{id, version}.String()+", by "+s.by+" "+s.at)
}

// undecided turns what the schema library can't tell into an open question.
func undecided(err error) error {
	var open *schemas.Undecidable
	if errors.As(err, &open) {
		return suites.Undecided("a schema can't be decided here: %s", open.Message)
	}
	return err
}
