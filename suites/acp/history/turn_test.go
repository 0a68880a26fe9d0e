package history

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/capconform/capconform/suites/acp/environment"
	"github.com/capconform/capconform/suites/acp/sample"
)

func TestWhomARequestLetsAct(t *testing.T) {
	made := func(mark string) *sample.Package {
		return &sample.Package{Package: environment.Package{ID: "did:nuwa:cap:" + mark, Prompt: "You are " + mark + "."}, Mark: mark}
	}
	a, b := made("mk00000000000000aa"), made("mk00000000000000bb")
	known := func(text string) []*sample.Package {
		return slices.DeleteFunc([]*sample.Package{a, b}, func(p *sample.Package) bool { return !strings.Contains(text, p.Mark) })
	}
	tool := func(s *sample.Package) environment.Tool { return environment.Tool{Name: "lookup__" + s.Mark} }
	system := func(text string) environment.Message { return environment.Message{Role: "developer", Text: text} }
	for name, test := range map[string]struct {
		request environment.Request
		want    []*sample.Package
	}{
		"prompt and tools":                 {environment.Request{Messages: []environment.Message{system(a.Prompt)}, Tools: []environment.Tool{tool(a)}}, []*sample.Package{a}},
		"the prompt alone":                 {environment.Request{Messages: []environment.Message{system("Be brief.\n" + a.Prompt)}}, []*sample.Package{a}},
		"the tools alone":                  {environment.Request{Messages: []environment.Message{system("Be brief.")}, Tools: []environment.Tool{{Name: "state.query"}, tool(a)}}, []*sample.Package{a}},
		"tools of all":                     {environment.Request{Messages: []environment.Message{system(a.Prompt)}, Tools: []environment.Tool{tool(b), tool(a)}}, []*sample.Package{a}},
		"prompts of all":                   {environment.Request{Messages: []environment.Message{system(a.Prompt + b.Prompt)}, Tools: []environment.Tool{tool(b)}}, []*sample.Package{b}},
		"all of all":                       {environment.Request{Messages: []environment.Message{system(a.Prompt + b.Prompt)}, Tools: []environment.Tool{tool(a), tool(b)}}, []*sample.Package{a, b}},
		"a question where it belongs":      {environment.Request{Messages: []environment.Message{system("Which one? " + a.Prompt + b.Prompt)}}, nil},
		"the prompt in an earlier message": {environment.Request{Messages: []environment.Message{{Role: "user", Text: a.Prompt}}}, nil},
		"nothing of ours":                  {environment.Request{Messages: []environment.Message{system("mk0123456789abcdef")}}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			var got, want []string
			for _, s := range ShownBy(&test.request, known).Acting() {
				got = append(got, s.ID)
			}
			for _, s := range test.want {
				want = append(want, s.ID)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("acting (-want +got)\n%s", diff)
			}
		})
	}
}

func TestResultsOfATurn(t *testing.T) {
	asked := environment.Request{Messages: []environment.Message{{Role: "user", Text: "before"}, {Role: "tool", Text: "old"}, {Role: "user", Text: "now"}}}
	result := asked
	result.Messages = append(result.Messages[:3:3], environment.Message{Role: "tool", Text: "new"})
	for name, test := range map[string]struct {
		turn Turn
		want []string
		told bool
	}{
		"what the model was told":              {Turn{Questions: []*Question{{Request: &asked}, {Request: &result}, {Request: &asked}}, Reply: "words"}, []string{"new"}, true},
		"what the user reads where nothing is": {Turn{Questions: []*Question{{Request: &asked}}, Reply: "words"}, []string{"words"}, false},
		"nothing":                              {Turn{Questions: []*Question{{Request: &asked}}}, nil, false},
	} {
		t.Run(name, func(t *testing.T) {
			for _, q := range test.turn.Questions {
				q.results = q.Request.Results()
			}
			test.turn.read()
			if diff := cmp.Diff(test.want, test.turn.ToolResult(0).Texts); diff != "" {
				t.Errorf("results (-want +got)\n%s", diff)
			}
			if got := test.turn.AnsweredModel(); got != test.told {
				t.Errorf("told is %v", got)
			}
		})
	}
}
