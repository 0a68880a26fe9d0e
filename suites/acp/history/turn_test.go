package history

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/capconform/capconform/suites/acp/environment"
	"github.com/capconform/capconform/suites/acp/sample"
)

func TestPackagesActivatedByRequest(t *testing.T) {
	made := func(mark string) *sample.Package {
		return &sample.Package{
			Package: environment.Package{ID: "did:nuwa:cap:" + mark, Prompt: "You are " + mark + "."},
			Mark:    mark,
		}
	}
	a, b := made("mk00000000000000aa"), made("mk00000000000000bb")
	known := func(text string) []*sample.Package {
		return slices.DeleteFunc(
			[]*sample.Package{a, b},
			func(p *sample.Package) bool { return !strings.Contains(text, p.Mark) },
		)
	}
	tool := func(s *sample.Package) environment.Tool { return environment.Tool{Name: "lookup__" + s.Mark} }
	system := func(text string) environment.Message { return environment.Message{Role: "developer", Text: text} }
	for name, test := range map[string]struct {
		request environment.Request
		want    []*sample.Package
	}{
		"prompt and tools":                 {environment.Request{Messages: []environment.Message{system(a.Prompt)}, Tools: []environment.Tool{tool(a)}}, []*sample.Package{a}},
		"only the prompt":                  {environment.Request{Messages: []environment.Message{system("Be brief.\n" + a.Prompt)}}, []*sample.Package{a}},
		"only the tools":                   {environment.Request{Messages: []environment.Message{system("Be brief.")}, Tools: []environment.Tool{{Name: "state.query"}, tool(a)}}, []*sample.Package{a}},
		"tools of all":                     {environment.Request{Messages: []environment.Message{system(a.Prompt)}, Tools: []environment.Tool{tool(b), tool(a)}}, []*sample.Package{a}},
		"prompts of all":                   {environment.Request{Messages: []environment.Message{system(a.Prompt + b.Prompt)}, Tools: []environment.Tool{tool(b)}}, []*sample.Package{b}},
		"prompts and tools of all":         {environment.Request{Messages: []environment.Message{system(a.Prompt + b.Prompt)}, Tools: []environment.Tool{tool(a), tool(b)}}, []*sample.Package{a, b}},
		"a routing request":                {environment.Request{Messages: []environment.Message{system("Which one? " + a.Prompt + b.Prompt)}}, nil},
		"the prompt in an earlier message": {environment.Request{Messages: []environment.Message{{Role: "user", Text: a.Prompt}}}, nil},
		"an unknown mark":                  {environment.Request{Messages: []environment.Message{system("mk0123456789abcdef")}}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			var got, want []string
			for _, s := range ShownIn(&test.request, known).Acting() {
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

func TestResultsOfTurn(t *testing.T) {
	asked := environment.Request{
		Messages: []environment.Message{
			{Role: "user", Text: "before"},
			{Role: "tool", Text: "old"},
			{Role: "user", Text: "now"},
		},
	}
	result := asked
	result.Messages = append(result.Messages[:3:3], environment.Message{Role: "tool", Text: "new"})
	for name, test := range map[string]struct {
		turn Turn
		want []string
		told bool
	}{
		"the results that the model received": {Turn{ModelRequests: []*ModelRequest{{Request: &asked}, {Request: &result},
			{Request: &asked}}, Reply: "words"}, []string{"new"}, true},
		"the reply if there are no results": {Turn{ModelRequests: []*ModelRequest{{Request: &asked}}, Reply: "words"},
			[]string{"words"}, false},
		"nothing": {Turn{ModelRequests: []*ModelRequest{{Request: &asked}}}, nil, false},
	} {
		t.Run(name, func(t *testing.T) {
			for _, q := range test.turn.ModelRequests {
				q.results = q.Request.Results()
			}
			test.turn.readResults()
			if diff := cmp.Diff(test.want, test.turn.ToolResult(0).Texts); diff != "" {
				t.Errorf("results (-want +got)\n%s", diff)
			}
			if got := test.turn.AnsweredModel(); got != test.told {
				t.Errorf("AnsweredModel returned %v", got)
			}
		})
	}
}
