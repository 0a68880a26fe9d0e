package judge

import (
	"testing"

	"github.com/capconform/capconform/suites/acp/environment"
	"github.com/capconform/capconform/suites/acp/history"
	"github.com/capconform/capconform/suites/acp/sample"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/record"
)

func TestRoutingRequestsAreRecognized(t *testing.T) {
	p := &sample.Package{Mark: "mk00000000000000aa", Label: "capconform_a", Word: "worda"}
	p.ID, p.Name, p.Description, p.Prompt = "did:nuwa:cap:capconform_a@1.0.0", "Sample a", "A sample of capconform.", "You are mk00000000000000aa."
	j := New(history.New())
	j.Add(
		record.Entry{
			Begun:     1,
			Done:      2,
			Party:     record.Gateway,
			Operation: history.OpServe,
			Sent:      record.NewBody(jsonvalue.Encode(p)),
		},
	)
	for name, test := range map[string]struct {
		system string
		acting []*sample.Package
		want   bool
	}{
		"a question by the name":        {system: "Does it belong to " + p.ID + "? Say yes or no.", want: true},
		"a question by the description": {system: "Capabilities: " + p.Description, want: true},
		"a question by the triggers":    {system: "Triggers: please " + p.Word + "|" + p.Word, want: true},
		"a summary":                     {system: "Sum this up."},
		"a turn of the package":         {system: p.Prompt + " " + p.ID, acting: []*sample.Package{p}},
	} {
		q, err := new(environment.Reader).Read(jsonvalue.Encode(history.Object{"messages": []any{history.Object{"role": "system", "content": test.system}}}))
		if err != nil {
			t.Fatal(err)
		}
		turn := &history.Turn{ModelRequests: []*history.ModelRequest{{Request: &q, Acting: test.acting}}}
		if got := j.modelConsulted(turn); got != test.want {
			t.Errorf("%s: %v, want %v", name, got, test.want)
		}
	}
}
