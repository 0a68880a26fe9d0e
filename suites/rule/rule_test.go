package rule_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/suites/part"
	"github.com/capconform/capconform/suites/reading"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/rule"
	"github.com/capconform/capconform/suites/verdict"
)

// shelf is the history of the tests: books, with the pages of each that were seen.
type shelf struct{ books []*book }

type book struct {
	at      record.Tick
	name    string
	content any       // JSON
	lost    *rule.Gap // nil: the book was read
	pages   []*page
	open    *rule.Gap // nil: all pages were seen
}

type page struct {
	of     *book
	number any
}

var errLost = errors.New("the book was lost")

func vocabulary() *rule.Vocabulary {
	books := rule.NewKind("book", func(s *shelf) []*book { return s.books },
		func(b *book) []record.Tick { return []record.Tick{b.at} },
		rule.Text("name", func(b *book) string { return b.name }),
		rule.Value("content", func(b *book) any { return b.content }).InAnswer(),
		rule.Many("pages", "page", func(b *book) rule.List[*page] { return rule.List[*page]{b.pages, b.open} }),
	)
	pages := rule.NewKind("page", func(*shelf) []*page { return nil },
		func(p *page) []record.Tick { return []record.Tick{p.of.at} },
		rule.Value("number", func(p *page) any { return p.number }),
	)
	return rule.NewVocabulary([]*rule.Kind{rule.Losing(books, func(b *book) *rule.Gap { return b.lost }), pages})
}

func judge(t *testing.T, yaml string, s *shelf, words ...string) verdict.Verdict {
	t.Helper()
	v := vocabulary()
	set, err := rule.Load("rules.yaml", []byte(yaml), v)
	require.NoError(t, err)
	require.NoError(t, set.Check())
	require.Len(t, set.Rules, 1)
	return set.Rules[0].Judge(rule.NewView(v, s, &reading.Reading{}, func(rule.Need) error { return nil }), words)
}

func parse(t *testing.T, text string) any {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var v any
	require.NoError(t, d.Decode(&v))
	return v
}

const titled = `
- sentence: each book has a title
  each: book
  must: book.content.title == "yes"
  message: a book has another title
  want: yes
  got: book.content.title
  otherwise: no book was seen
`

func TestThreeValues(t *testing.T) {
	yes, no := parse(t, `{"title":"yes"}`), parse(t, `{"title":"no"}`)
	lost := &rule.Gap{Reason: errLost, Blocks: true}
	unkept := &rule.Gap{Reason: errLost}
	for _, c := range []struct {
		name     string
		books    []*book
		judged   int
		breaches int
		open     string
	}{
		{"true", []*book{{content: yes}}, 1, 0, ""},
		{"false", []*book{{content: yes}, {content: no}}, 1, 1, ""},
		{"nothing", nil, 0, 0, "no book was seen"},
		{"a missing member decides nothing", []*book{{content: parse(t, `{}`)}}, 0, 0, "an answer lacks the member title"},
		{"a lost answer decides nothing", []*book{{content: yes}, {lost: lost}}, 1, 0, "the book was lost"},
		{"a lost answer hides no breach", []*book{{lost: lost}, {content: no}}, 0, 1, "the book was lost"},
		{"what need not be kept counts for nothing", []*book{{content: yes}, {lost: unkept}}, 1, 0, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			v := judge(t, titled, &shelf{c.books})
			assert.Equal(t, c.judged, v.Judged)
			assert.Len(t, v.Breaches, c.breaches)
			if c.open == "" {
				assert.NoError(t, v.Open)
			} else {
				assert.EqualError(t, v.Open, c.open)
			}
		})
	}
}

func TestOpenLists(t *testing.T) {
	gap := &rule.Gap{Reason: errors.New("more pages may follow"), Settle: verdict.Settle{Stimulus: "read-on"}}
	for _, c := range []struct {
		name, must string
		open       *rule.Gap
		judged     int
		breaches   int
		doubts     int
	}{
		{"exists", `book.pages.exists(p, p.number == 1)`, gap, 1, 0, 0},
		{"exists in what is missing", `book.pages.exists(p, p.number == 3)`, gap, 0, 0, 1},
		{"exists nowhere", `book.pages.exists(p, p.number == 3)`, nil, 0, 1, 0},
		{"all", `book.pages.all(p, p.number < 3)`, nil, 1, 0, 0},
		{"all, as far as is known", `book.pages.all(p, p.number < 3)`, gap, 0, 0, 1},
		{"not all", `book.pages.all(p, p.number < 2)`, gap, 0, 1, 0},
		{"the size", `size(book.pages) == 2`, gap, 0, 0, 1},
		{"the known size", `size(book.pages) == 2`, nil, 1, 0, 0},
		{"the sum", `size(book.pages + book.pages) == 4`, gap, 0, 0, 1},
		{"the first", `book.pages[0].number == 1`, gap, 1, 0, 0},
		{"a member of the list", `book.pages[1] in book.pages`, gap, 1, 0, 0},
		{"nothing follows", `book.pages[7].number == 1`, gap, 0, 0, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := &book{open: c.open}
			b.pages = []*page{{b, json.Number("1")}, {b, json.Number("2")}}
			v := judge(t, "[{sentence: s, each: book, message: m, must: '"+c.must+"'}]", &shelf{[]*book{b}})
			assert.Equal(t, c.judged, v.Judged)
			assert.Len(t, v.Breaches, c.breaches)
			assert.Len(t, v.Doubts, c.doubts)
		})
	}
}

func TestNumbersAreExact(t *testing.T) {
	const huge, huger = "123456789012345678901234567890", "123456789012345678901234567891"
	for _, c := range []struct {
		a, operator, b string
		want           bool
	}{
		{"9007199254740993", ">", "9007199254740992", true}, // equal as floats
		{huger, ">", huge, true}, {huge, "<", huger, true}, {huge, "==", huge, true}, {huge, "==", huger, false},
		{"1", "<", huge, true}, {huge, ">", "1", true}, {"7.0", "==", "7", true}, {"1.5", "<", "2", true},
		{"2", ">=", "1.5", true}, {"18446744073709551615", ">", "9223372036854775807", true}, {"1e3", "==", "1000", true},
	} {
		t.Run(c.a+c.operator+c.b, func(t *testing.T) {
			b := &book{content: parse(t, `{"a":`+c.a+`,"b":`+c.b+`}`)}
			v := judge(t, "[{sentence: s, each: book, message: m, must: 'book.content.a "+c.operator+" book.content.b'}]",
				&shelf{[]*book{b}})
			assert.NoError(t, v.Open)
			assert.Equal(t, c.want, v.Judged == 1)
			assert.Equal(t, !c.want, len(v.Breaches) == 1)
		})
	}
}

func TestPresent(t *testing.T) {
	for content, want := range map[string]bool{`{"a":{"b":1}}`: true, `{"a":{"b":null}}`: false, `{"a":null}`: false,
		`{}`: false, `{"a":{}}`: false} {
		v := judge(t, "[{sentence: s, each: book, message: m, must: 'present(book.content.a.b)'}]",
			&shelf{[]*book{{content: parse(t, content)}}})
		assert.Equal(t, want, v.Judged == 1, content)
		assert.Equal(t, !want, len(v.Breaches) == 1, content)
	}
}

const pairs = `
- sentence: each name is used once per {member}
  each: [first: book, again: book]
  by: book.content.shelf
  must: first.name != again.name
  message: two books have the same {member}
  want: another {member} than {{first.name}}
  got: again.content
`

func TestPairsOfAGroup(t *testing.T) {
	a, b := parse(t, `{"shelf":"a"}`), parse(t, `{"shelf":"b"}`)
	books := []*book{{at: 1, name: "x", content: a}, {at: 2, name: "x", content: b}, {at: 3, name: "y", content: a},
		{at: 4, name: "x", content: a}}
	v := judge(t, pairs, &shelf{books}, "name")
	assert.Equal(t, 2, v.Judged)
	require.Len(t, v.Breaches, 1)
	assert.Equal(t, verdict.Breach{Message: "two books have the same name", Want: "another name than x",
		Got: `{"shelf":"a"}`, Entries: []record.Tick{4, 1}}, v.Breaches[0])
}

func TestFirstBrokenDemand(t *testing.T) {
	v := judge(t, `
- sentence: s
  each: book
  demands:
    - {must: present(book.content.title), message: no title}
    - {must: book.content.title == "yes", message: another title}
`, &shelf{[]*book{{content: parse(t, `{}`)}, {content: parse(t, `{"title":"no"}`)}}})
	require.Len(t, v.Breaches, 2)
	assert.Equal(t, "no title", v.Breaches[0].Message)
	assert.Equal(t, "another title", v.Breaches[1].Message)
}

func TestBudget(t *testing.T) {
	b := &book{name: "x", content: parse(t, `{"zero":0}`)}
	for range 10_000 {
		b.pages = append(b.pages, &page{b, json.Number("1")})
	}
	for name, c := range map[string]struct{ must, open string }{
		"nested": {`book.pages.all(p, book.pages.all(q, book.pages.all(r, r.number == 1)))`, "too many steps"},
		"a list": {`size(book.pages.map(p, book.pages.map(q, [p, q]))) > 0`, "too many steps"},
		"zero":   {`1 / book.content.zero == 1`, "divides by zero"},
	} {
		t.Run(name, func(t *testing.T) {
			v := judge(t, "[{sentence: s, each: book, message: m, must: '"+c.must+"'}]", &shelf{[]*book{b}})
			var limit *verdict.LimitError
			require.ErrorAs(t, v.Open, &limit)
			assert.Contains(t, limit.Reason, "the rule rules.yaml:1 ")
			assert.Contains(t, limit.Reason, c.open)
			assert.Empty(t, v.Breaches)
		})
	}
}

func TestWrongRules(t *testing.T) {
	for name, c := range map[string]struct{ yaml, want string }{
		"an unknown member": {"- sentence: s\n  each: book\n  must: book.contnet == 1\n  message: m\n",
			"rules.yaml:3:13: there is no member contnet; there is content"},
		"an unknown variable": {"- sentence: s\n  each: book\n  must: |\n    true &&\n      bok.content == 1\n  message: m\n",
			"rules.yaml:5:7: there is no variable or function bok; there is book"},
		"an unknown kind": {"- sentence: s\n  each: boook\n  must: true\n  message: m\n",
			"rules.yaml:2:9: there is no kind boook; there is book"},
		"a wrong type": {"- sentence: s\n  each: book\n  must: book.name\n  message: m\n",
			"rules.yaml:3:9: the expression is neither true nor false, it is string"},
		"a wrong pattern": {"- {sentence: s, each: book, message: m, must: 'book.name.matches(\"[\")'}\n",
			"rules.yaml:1:48: error parsing regexp"},
		"an unknown key": {"- sentence: s\n  each: book\n  mst: true\n  message: m\n",
			"rules.yaml:3:3: there is no key mst; there is must"},
		"two rules":  {"- {sentence: s, each: book, must: 'true', message: m}\n- {sentence: s, each: book, must: 'true', message: m}\n", "rules.yaml:2:14: the rule rules.yaml:1 has the same sentence"},
		"no message": {"- {sentence: s, each: book, must: 'true'}\n", "rules.yaml:1:3: a demand needs a message"},
		"an expression in place of a text": {"- sentence: s\n  each: book\n  must: 'true'\n  message: m\n  want: book.name\n",
			"rules.yaml:5:9: this is a text: put an expression between {{ and }}"},
		"no list": {"sentence: s\n", "rules.yaml:1:1: rules are a list"},
		"a tag": {"- sentence: s\n  each: book\n  if: !x\n  must: 'true'\n  message: m\n",
			"rules.yaml:3:7: YAML takes !x for a tag; put the value in quotes"},
		"no YAML": {"a: [\n", "rules.yaml:1: "},
	} {
		t.Run(name, func(t *testing.T) {
			set, err := rule.Load("rules.yaml", []byte(c.yaml), vocabulary())
			if err == nil {
				err = set.Check()
			}
			require.Error(t, err)
			assert.Contains(t, err.Error(), c.want)
		})
	}
}

func TestDeferredExpressionsAreCompiledAtTheirFirstUse(t *testing.T) {
	v, f := vocabulary(), &part.File{Name: "stimuli.yaml"}
	view := rule.NewView(v, &shelf{}, &reading.Reading{}, nil)
	some := v.Scope().Deferred()
	right, wrong := some.Compile(f, part.Text{Value: "1 + 1"}), some.Compile(f, part.Text{Value: "bok"})
	require.NoError(t, f.Err())
	two, err := right.Eval(view, nil)
	require.NoError(t, err)
	assert.EqualValues(t, 2, two)
	_, err = wrong.Eval(view, nil)
	require.ErrorContains(t, err, "there is no variable or function bok")
	assert.Nil(t, v.Scope().Compile(f, part.Text{Value: "bok"}))
	require.ErrorContains(t, f.Err(), "there is no variable or function bok")
}

func TestExpression(t *testing.T) {
	set, err := rule.Load("rules.yaml", []byte("- {sentence: 'each {a} (b.) {c}', each: book, must: 'true', message: m}"),
		vocabulary())
	require.NoError(t, err)
	assert.Equal(t, `each ([\w./-]+) \(b\.\) ([\w./-]+)`, set.Rules[0].Expression())
	assert.Equal(t, []string{"a", "c"}, set.Rules[0].Parameters())
}

func BenchmarkRule(b *testing.B) {
	v := vocabulary()
	s := &shelf{}
	for i := range 1000 {
		s.books = append(s.books, &book{at: record.Tick(i), name: fmt.Sprint(i), content: map[string]any{"title": "yes"}})
	}
	set, _ := rule.Load("rules.yaml", []byte(titled), v)
	for b.Loop() {
		set.Rules[0].Judge(rule.NewView(v, s, &reading.Reading{}, func(rule.Need) error { return nil }), nil)
	}
}
