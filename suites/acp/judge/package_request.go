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
	decide(`the router requests a model of the family that each package names`, installations.FamiliesRequested),
}

// packageRequest is one request to the model that shows that a message reached a package.
type packageRequest struct {
	*history.ModelRequest
	turn   *history.Turn
	target *sample.Package
}

// judgeRequests judges every request to the model that shows that a message reached the package whose
// trigger it matches. The function judge returns what is wrong with a request, "" if nothing is.
func (j installations) judgeRequests(judge func(packageRequest) (message, want, got string)) verdict.Verdict {
	v := &verdict.Verdict{}
	for s := range j.requests() {
		v.Judged++
		if message, want, got := judge(s); message != "" {
			v.AddBreach([]record.Tick{s.turn.Entry, s.Entry}, message, want, got)
		}
	}
	return v.OpenUnlessJudged(j.unreachedReason())
}

// requests returns every request to the model that shows that a message reached the package whose
// trigger it matches.
func (j installations) requests() iter.Seq[packageRequest] {
	return func(yield func(packageRequest) bool) {
		for _, t := range j.Turns() {
			for _, q := range t.ModelRequests {
				for _, p := range q.Acting {
					if matchesTrigger(p, t.Text) && !j.ServedWithFlaw(p) && !mixesVersions(q, p) && !yield(packageRequest{q, t, p}) {
						return
					}
				}
			}
		}
	}
}

// unreachedReason returns the reason why no message reaches a package.
func (j installations) unreachedReason() error {
	err := j.Blocked()
	if err == nil {
		err = verdict.Undecided("no message reaches the package that its trigger matches: see ACP-FIELD-06")
	}
	return err
}

// FamiliesRequested judges whether the router requests a model of a family that the package names. A
// subject that never requests the list of models may know only the model that it was configured with.
func (j installations) FamiliesRequested() verdict.Verdict {
	v := &verdict.Verdict{}
	listedModels := slices.ContainsFunc(j.RequestsTo(record.Model),
		func(a *history.SubjectRequest) bool {
			return a.ChatRequest() == nil && strings.HasSuffix(a.Path, "/models")
		})
	for s := range j.requests() {
		families := jsonvalue.Texts(s.target.Requirements["model_family"])
		switch {
		case len(families) == 0:
		case slices.ContainsFunc(families, func(family string) bool { return strings.HasPrefix(s.Model, family) }):
			v.Judged++
		case !listedModels || !slices.Contains(environment.Families(), s.Model):
			v.Open = verdict.Undecided("the subject requests the model %q and never the list of models: it may know no other",
				s.Model)
		default:
			v.AddBreach([]record.Tick{s.turn.Entry, s.Entry},
				"the router requests a model outside the family, although the service offers one of the family",
				"a model of "+strings.Join(families, " or "), s.Model)
		}
	}
	err := j.Conclusion(history.ModelFamilies)
	if err == nil {
		err = j.unreachedReason()
	}
	return v.OpenUnlessJudged(err)
}

// mixesVersions reports whether a request shows something of another version of a package. ACP-ABS-04
// covers this.
func mixesVersions(q *history.ModelRequest, p *sample.Package) bool {
	return slices.ContainsFunc(slices.Concat(q.Shown.Prompts, q.Shown.Tools), func(other *sample.Package) bool {
		return other != p && other.Label == p.Label
	})
}

// MessagesShown judges whether a message of the role user contains the text of each message. It may
// contain more, such as JSON around the text.
func (j installations) MessagesShown() verdict.Verdict {
	v := j.messagesShown()
	for _, t := range j.Turns() {
		if q := j.requestWithoutMessage(t); q != nil {
			v.AddBreach([]record.Tick{t.Entry, q.Entry}, messageNotReceived, jsonvalue.Clip(t.Text), jsonvalue.Print(q.Users()))
		}
	}
	return v
}

const messageNotReceived = "the model does not receive the message of the user"

func (j installations) messagesShown() verdict.Verdict {
	return j.judgeRequests(func(s packageRequest) (message, want, got string) {
		text := normalizeLines(s.turn.Text)
		if slices.ContainsFunc(s.Users(), func(userText string) bool {
			return strings.Contains(normalizeLines(userText), text) || strings.Contains(normalizeLines(stringsIn(userText)),
				text)
		}) {
			return "", "", ""
		}
		return messageNotReceived, jsonvalue.Clip(s.turn.Text), jsonvalue.Print(s.Users())
	})
}

// PromptsShown judges whether the prompt of the package reaches the model with each message.
func (j installations) PromptsShown() verdict.Verdict {
	return j.judgeRequests(func(s packageRequest) (message, want, got string) {
		if strings.Contains(normalizeLines(s.System()), normalizeLines(s.target.Prompt)) {
			return "", "", ""
		}
		return "the model does not receive the prompt of the package in a message of the role system, developer or assistant",
			jsonvalue.Clip(s.target.Prompt), jsonvalue.Clip(s.System())
	})
}

// ToolsShown judges whether the tools of the package reach the model with each message. After a tool has
// returned a result, a router may request a text without offering tools.
func (j installations) ToolsShown() verdict.Verdict {
	type list struct {
		of    *sample.Package
		first *environment.Tool // equal lists are stored once: see environment.Reader
	}
	cached := map[list][3]string{}
	return j.judgeRequests(func(s packageRequest) (message, want, got string) {
		if len(s.Results()) > 0 {
			return "", "", ""
		}
		key := list{of: s.target}
		if len(s.Request.Tools) > 0 {
			key.first = &s.Request.Tools[0]
		}
		found, judged := cached[key]
		if !judged {
			found = s.toolsBreach()
			cached[key] = found
		}
		return found[0], found[1], found[2]
	})
}

// toolsBreach returns the result of findToolsBreach for the package. It is computed once for each
// request to the model.
func (s packageRequest) toolsBreach() [3]string {
	type byPackage struct{ sync.Map }
	all := record.Keep(s.Readings(), func() *byPackage { return &byPackage{} })
	found, cached := all.Load(s.target)
	if !cached {
		found, _ = all.LoadOrStore(s.target, findToolsBreach(s.target, s.Request.Tools))
	}
	breach, _ := found.([3]string)
	return breach
}

// findToolsBreach returns message, want and got for the first tool that does not reach the model as
// declared, empty texts if there is none.
func findToolsBreach(p *sample.Package, all []environment.Tool) [3]string {
	for _, tool := range p.Tools {
		i := slices.IndexFunc(all, func(o environment.Tool) bool { return environment.SameTool(o.Name, tool.Name) })
		if i < 0 {
			return [3]string{"the model does not receive a tool of the package", tool.Name, toolNames(all)}
		}
		if breach := findToolBreach(p, tool, all[i]); breach[0] != "" {
			return breach
		}
	}
	return [3]string{}
}

// findToolBreach returns message, want and got for a tool that the model does not receive as declared,
// empty texts if it does.
func findToolBreach(p *sample.Package, tool environment.PackageTool, received environment.Tool) [3]string {
	if !strings.Contains(normalizeSpace(received.Description), normalizeSpace(tool.Description)) {
		return [3]string{"a tool does not reach the model with its description", tool.Description,
			jsonvalue.Print(received.Description)}
	}
	r := schemaComparison{schema: history.Normalized(schemas.ReadValue([]byte(p.Schema))),
		root: schemas.ReadValue(received.Parameters)}
	if missing := r.missingPart(schemas.ReadValue(tool.Parameters), r.root); missing != "" {
		want := fmt.Sprintf("%s of %s, as in %s", missing, tool.Name, jsonvalue.Print(tool.Parameters))
		return [3]string{"a tool does not reach the model with its parameters", want,
			jsonvalue.Clip(string(received.Parameters))}
	}
	return [3]string{}
}

// NothingElseShown judges whether anything of another package reaches the model. Names of tools that
// every package declares do not count.
func (j installations) NothingElseShown() verdict.Verdict {
	return j.judgeRequests(func(s packageRequest) (message, want, got string) {
		for _, other := range s.Shown.Tools {
			if other != s.target {
				return "the model receives tools of another package", "those of " + s.target.ID, "those of " + other.ID + " as well"
			}
		}
		for _, other := range s.Shown.Prompts {
			if other != s.target {
				return "the model receives the prompt of another package", "that of " + s.target.ID, "that of " + other.ID + " as well"
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
