package judge

import (
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync"

	"github.com/capconform/capconform/schemas"
	"github.com/capconform/capconform/suites/acp/environment"
	"github.com/capconform/capconform/suites/acp/history"
	"github.com/capconform/capconform/suites/acp/sample"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/verdict"
)

// shownSentences are the sentences about what the model receives.
var shownSentences = []verdict.Sentence[installations]{
	decide(`the model receives the whole text of each message`, installations.MessagesShown),
	decide(`the model receives the prompt of the package with each message`, installations.PromptsShown),
	decide(`the model receives the tools of the package with each message`, installations.ToolsShown),
	decide(`the model receives nothing of another package`, installations.NothingElseShown),
	decide(`the router requests a model of the family that each package names`, installations.FamiliesAsked),
}

// showing is one request to the model that shows that a message reached a package.
type showing struct {
	*history.Question
	turn *history.Turn
	to   *sample.Package
}

// showings judges every request to the model that shows that a message reached the package whose trigger
// it matches. The function judge returns what is wrong with a request, "" if nothing is.
func (j installations) showings(judge func(showing) (message, want, got string)) verdict.Verdict {
	v := &verdict.Verdict{}
	for s := range j.shown() {
		v.Judged++
		if message, want, got := judge(s); message != "" {
			v.Broken([]record.Tick{s.turn.Entry, s.Entry}, message, want, got)
		}
	}
	return v.Otherwise(j.unreached())
}

// shown returns every request to the model that shows that a message reached the package whose trigger
// it matches.
func (j installations) shown() iter.Seq[showing] {
	return func(yield func(showing) bool) {
		for _, t := range j.Turns() {
			for _, q := range t.Questions {
				for _, p := range q.Acting {
					if triggered(p, t.Text) && !j.Flawed(p) && !mixesVersions(q, p) && !yield(showing{q, t, p}) {
						return
					}
				}
			}
		}
	}
}

// unreached returns the reason why no message reaches a package.
func (j installations) unreached() error {
	err := j.Blocked()
	if err == nil {
		err = verdict.Undecided("no message reaches the package that its trigger matches: see ACP-FIELD-06")
	}
	return err
}

// FamiliesAsked judges whether the router requests a model of a family that the package names. A subject
// that never requests the list of models may know only the model that it was configured with.
func (j installations) FamiliesAsked() verdict.Verdict {
	v := &verdict.Verdict{}
	looked := slices.ContainsFunc(j.Asked(record.Model),
		func(a *history.Asked) bool { return a.Question() == nil && strings.HasSuffix(a.Path, "/models") })
	for s := range j.shown() {
		families := jsonvalue.Texts(s.to.Requirements["model_family"])
		switch {
		case len(families) == 0:
		case slices.ContainsFunc(families, func(family string) bool { return strings.HasPrefix(s.Model, family) }):
			v.Judged++
		case !looked || !slices.Contains(environment.Families(), s.Model):
			v.Open = verdict.Undecided("the subject requests the model %q and never the list of models: it may know no other",
				s.Model)
		default:
			v.Broken([]record.Tick{s.turn.Entry, s.Entry},
				"the router requests a model outside the family, although the service offers one of the family",
				"a model of "+strings.Join(families, " or "), s.Model)
		}
	}
	err := j.Conclusion(history.Families)
	if err == nil {
		err = j.unreached()
	}
	return v.Otherwise(err)
}

// mixesVersions reports whether a request shows something of another version of a package. ACP-ABS-04
// covers this.
func mixesVersions(q *history.Question, p *sample.Package) bool {
	return slices.ContainsFunc(slices.Concat(q.Shown.Prompts, q.Shown.Tools), func(other *sample.Package) bool {
		return other != p && other.Label == p.Label
	})
}

// MessagesShown judges whether a message of the role user contains the text of each message. It may
// contain more, such as JSON around the text.
func (j installations) MessagesShown() verdict.Verdict {
	v := j.messagesShown()
	for _, t := range j.Turns() {
		if q := j.actedSilently(t); q != nil {
			v.Broken([]record.Tick{t.Entry, q.Entry}, unshown, jsonvalue.Clip(t.Text), jsonvalue.Print(q.Users()))
		}
	}
	return v
}

const unshown = "the model does not receive the message of the user"

func (j installations) messagesShown() verdict.Verdict {
	return j.showings(func(s showing) (message, want, got string) {
		text := linewise(s.turn.Text)
		if slices.ContainsFunc(s.Users(), func(said string) bool {
			return strings.Contains(linewise(said), text) || strings.Contains(linewise(textsIn(said)), text)
		}) {
			return "", "", ""
		}
		return unshown, jsonvalue.Clip(s.turn.Text), jsonvalue.Print(s.Users())
	})
}

// PromptsShown judges whether the prompt of the package reaches the model with each message.
func (j installations) PromptsShown() verdict.Verdict {
	return j.showings(func(s showing) (message, want, got string) {
		if strings.Contains(linewise(s.System()), linewise(s.to.Prompt)) {
			return "", "", ""
		}
		return "the model does not receive the prompt of the package in a message of the role system, developer or assistant",
			jsonvalue.Clip(s.to.Prompt), jsonvalue.Clip(s.System())
	})
}

// ToolsShown judges whether the tools of the package reach the model with each message. After a tool has
// returned a result, a router may request a text without offering tools.
func (j installations) ToolsShown() verdict.Verdict {
	type list struct {
		of    *sample.Package
		first *environment.Tool // equal lists are stored once: see environment.Reader
	}
	known := map[list][3]string{}
	return j.showings(func(s showing) (message, want, got string) {
		if len(s.Results()) > 0 {
			return "", "", ""
		}
		key := list{of: s.to}
		if len(s.Request.Tools) > 0 {
			key.first = &s.Request.Tools[0]
		}
		found, judged := known[key]
		if !judged {
			found = s.tools()
			known[key] = found
		}
		return found[0], found[1], found[2]
	})
}

// tools returns the result of toolsShown for the package. It is computed once for each request to the
// model.
func (s showing) tools() [3]string {
	type byPackage struct{ sync.Map }
	all := record.Keep(s.Readings(), func() *byPackage { return &byPackage{} })
	found, known := all.Load(s.to)
	if !known {
		found, _ = all.LoadOrStore(s.to, toolsShown(s.to, s.Request.Tools))
	}
	those, _ := found.([3]string)
	return those
}

// toolsShown returns message, want and got for the first tool that does not reach the model as declared,
// empty texts if there is none.
func toolsShown(p *sample.Package, all []environment.Tool) [3]string {
	for _, tool := range p.Tools {
		at := slices.IndexFunc(all, func(o environment.Tool) bool { return environment.SameTool(o.Name, tool.Name) })
		if at < 0 {
			return [3]string{"the model does not receive a tool of the package", tool.Name, toolNames(all)}
		}
		if wrong := toolShown(p, tool, all[at]); wrong[0] != "" {
			return wrong
		}
	}
	return [3]string{}
}

// toolShown returns message, want and got for a tool that the model does not receive as declared, empty
// texts if it does.
func toolShown(p *sample.Package, tool environment.PackageTool, shown environment.Tool) [3]string {
	if !strings.Contains(folded(shown.Description), folded(tool.Description)) {
		return [3]string{"a tool does not reach the model with its description", tool.Description,
			jsonvalue.Print(shown.Description)}
	}
	r := rewriting{schema: history.Made(schemas.ReadValue([]byte(p.Schema))), root: schemas.ReadValue(shown.Parameters)}
	if lost := r.lost(schemas.ReadValue(tool.Parameters), r.root); lost != "" {
		want := fmt.Sprintf("%s of %s, as in %s", lost, tool.Name, jsonvalue.Print(tool.Parameters))
		return [3]string{"a tool does not reach the model with its parameters", want,
			jsonvalue.Clip(string(shown.Parameters))}
	}
	return [3]string{}
}

// NothingElseShown judges whether anything of another package reaches the model. Names of tools that
// every package declares do not count.
func (j installations) NothingElseShown() verdict.Verdict {
	return j.showings(func(s showing) (message, want, got string) {
		for _, other := range s.Shown.Tools {
			if other != s.to {
				return "the model receives tools of another package", "those of " + s.to.ID, "those of " + other.ID + " as well"
			}
		}
		for _, other := range s.Shown.Prompts {
			if other != s.to {
				return "the model receives the prompt of another package", "that of " + s.to.ID, "that of " + other.ID + " as well"
			}
		}
		return "", "", ""
	})
}

func toolNames(all []environment.Tool) string {
	var names []string
	for _, t := range all {
		names = append(names, t.Name)
	}
	return jsonvalue.Print(names)
}
