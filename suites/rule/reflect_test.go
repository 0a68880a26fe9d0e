package rule_test

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/suites/reading"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/rule"
)

// letter is described to rules by its fields and methods alone.
type letter struct {
	*envelope
	Pages int
	Raw   json.RawMessage
	Lost  error
	Other chan int // no member
}

type envelope struct{ Got string }

func (l *letter) Entries() []record.Tick { return []record.Tick{1} }
func (l *letter) IsLong() bool           { return l.Pages > 2 }
func (l *letter) With(string) string     { panic("no member") }
func (l *letter) Sender() any            { return &rule.Gap{Reason: errors.New("not signed"), Blocks: true} }

func TestFieldsAndMethodsAreMembers(t *testing.T) {
	v := rule.NewVocabulary([]*rule.Kind{rule.KindOf("letter", func(all []*letter) []*letter { return all })})
	for must, want := range map[string]string{
		`letter.is_long && letter.pages == 3`:            "holds",
		`letter.raw == "{}" && letter.lost == ""`:        "holds",
		`letter.got != "the text"`:                       "the text, 2",
		`letter.sender == "A"`:                           "not signed",
		`letter.other == 1`:                              "wrong",
		`letter.with == ""`:                              "wrong",
		`letter.got == "the text" || letter.sender == 1`: "holds",
	} {
		text := "- sentence: s\n  each: letter\n  must: '" + must + "'\n  message: m\n  severity: '2'\n"
		set, err := rule.Load("r.yaml", []byte(text), v)
		require.NoError(t, err)
		if set.Check() != nil {
			require.Equal(t, want, "wrong", must)
			continue
		}
		one := &letter{envelope: &envelope{"the text"}, Pages: 3, Raw: json.RawMessage("{}")}
		verdict := set.Rules[0].Judge(rule.NewView(v, []*letter{one}, &reading.Reading{}, nil), nil)
		switch {
		case verdict.Open != nil:
			require.Equal(t, want, verdict.Open.Error(), must)
		case len(verdict.Breaches) > 0: // without got, the breach shows the member got
			require.Equal(t, want, verdict.Breaches[0].Got+", 2", must)
			require.Equal(t, 2, verdict.Breaches[0].Worse)
		default:
			require.Equal(t, want, "holds", must)
		}
	}
}
