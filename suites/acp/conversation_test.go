package acpsuite

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/acp/act"
	"github.com/capconform/capconform/suites/acp/act/router"
	"github.com/capconform/capconform/suites/acp/environment"
)

// offline is an examination without a subject.
func offline(t *testing.T) *examination {
	t.Helper()
	e := &examination{Maker: &act.Maker{}, subject: &suites.Subject{}}
	e.router = &router.Caller{Maker: e.Maker}
	var err error
	e.Author, err = environment.NewAuthor()
	require.NoError(t, err)
	e.Stranger, err = environment.NewAuthor()
	require.NoError(t, err)
	e.Environment, err = new(environment.Environment).Open()
	require.NoError(t, err)
	e.Signs.Profile = "blank-token-ed25519"
	t.Cleanup(func() { require.NoError(t, e.Close()) })
	return e
}

func TestWhomARequestLetsAct(t *testing.T) {
	e := offline(t)
	a, b := e.Sample(), e.Sample()
	tool := func(s *specimen) environment.Tool { return environment.Tool{Name: "lookup__" + s.Mark} }
	system := func(text string) environment.Message { return environment.Message{Role: "developer", Text: text} }
	for name, test := range map[string]struct {
		request environment.Request
		want    []*specimen
	}{
		"prompt and tools":                 {environment.Request{Messages: []environment.Message{system(a.Prompt)}, Tools: []environment.Tool{tool(a)}}, []*specimen{a}},
		"the prompt alone":                 {environment.Request{Messages: []environment.Message{system("Be brief.\n" + a.Prompt)}}, []*specimen{a}},
		"the tools alone":                  {environment.Request{Messages: []environment.Message{system("Be brief.")}, Tools: []environment.Tool{{Name: "state.query"}, tool(a)}}, []*specimen{a}},
		"tools of all":                     {environment.Request{Messages: []environment.Message{system(a.Prompt)}, Tools: []environment.Tool{tool(b), tool(a)}}, []*specimen{a}},
		"prompts of all":                   {environment.Request{Messages: []environment.Message{system(a.Prompt + b.Prompt)}, Tools: []environment.Tool{tool(b)}}, []*specimen{b}},
		"all of all":                       {environment.Request{Messages: []environment.Message{system(a.Prompt + b.Prompt)}, Tools: []environment.Tool{tool(a), tool(b)}}, []*specimen{a, b}},
		"a question where it belongs":      {environment.Request{Messages: []environment.Message{system("Which one? " + a.Prompt + b.Prompt)}}, nil},
		"the prompt in an earlier message": {environment.Request{Messages: []environment.Message{{Role: "user", Text: a.Prompt}}}, nil},
		"nothing of ours":                  {environment.Request{Messages: []environment.Message{system("mk0123456789abcdef")}}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			var got, want []string
			for _, s := range e.exposed(test.request).acting() {
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

func TestRegistrationOfSentences(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range sentences {
		if seen[s.expression().String()] {
			t.Errorf("%s is there twice", s.expression())
		}
		seen[s.expression().String()] = true
	}
}

func TestWhichRequestsAskWhereAMessageBelongs(t *testing.T) {
	e := offline(t)
	a := e.Sample()
	message := environment.Message{Role: "user", Text: "Please ask " + a.Word + " about this."}
	read := func(messages ...environment.Message) environment.Request {
		var wire []any
		for _, m := range messages {
			wire = append(wire, object{"role": m.Role, "content": m.Text})
		}
		q, err := environment.ReadRequest(suites.Encode(object{"messages": wire}))
		require.NoError(t, err)
		return q
	}
	for name, test := range map[string]struct {
		system string
		want   int
	}{
		"a question by the name":        {"Does it belong to " + a.ID + "? Say yes or no.", 1},
		"a question by the description": {"Capabilities: " + a.Description, 1},
		"a question by the triggers":    {"Triggers: please " + a.Word + "|" + a.Word, 1},
		"a summary":                     {"Sum this up.", 0},
		"a turn of the package":         {a.Prompt + " " + a.ID, 0},
	} {
		asked := turn{requests: []environment.Request{read(environment.Message{Role: "system", Text: test.system}, message)}}
		if got := len(e.consulted(asked)); got != test.want {
			t.Errorf("%s: %d requests ask, want %d", name, got, test.want)
		}
	}
}

func TestResultsOfATurn(t *testing.T) {
	asked := environment.Request{Messages: []environment.Message{{Role: "user", Text: "before"}, {Role: "tool", Text: "old"}, {Role: "user", Text: "now"}}}
	told := asked
	told.Messages = append(told.Messages[:3:3], environment.Message{Role: "tool", Text: "new"})
	for name, test := range map[string]struct {
		turn turn
		want []string
		told bool
	}{
		"what the model was told":              {turn{requests: []environment.Request{asked, told, asked}, reply: "words"}, []string{"new"}, true},
		"what the user reads where nothing is": {turn{requests: []environment.Request{asked}, reply: "words"}, []string{"words"}, false},
		"nothing":                              {turn{requests: []environment.Request{asked}}, nil, false},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, test.turn.results()); diff != "" {
				t.Errorf("results (-want +got)\n%s", diff)
			}
			if got := test.turn.told(); got != test.told {
				t.Errorf("told is %v", got)
			}
		})
	}
}
