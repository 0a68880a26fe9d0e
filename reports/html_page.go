package reports

import (
	"fmt"
	"html/template"
	"slices"
	"strings"
	"unicode"
)

// htmlPage is what the template of a report shows. Text that is shown as one line
// is cleaned by the template, text of several lines is clean here.
type htmlPage struct {
	html
	Report   *Report
	Subject  string
	Version  string
	Date     string
	Verdict  htmlMark
	Sentence string
	Notes    []string
	More     []string // further notes, folded
	Suites   []htmlSuite
	Columns  []string
	Rows     []htmlRow
	Causes   []htmlCause
	Toggles  []htmlToggle
	Sections []htmlSection
	Facts    []htmlFact
}

// htmlMark is a mark with the class of its style.
type htmlMark struct{ Word, Symbol, Class string }

type htmlSuite struct {
	Name, Title, Sentence, Binding, Parts string
	Verdict                               htmlMark
	Segments                              []htmlSegment
	Map                                   template.HTML // one sign for each requirement, for the eye alone
	Legend                                []htmlToggle  // what the signs of the map mean, and how often each stands there
}

type htmlSegment struct {
	Class    string
	X, Width int // of a thousand
}

type htmlRow struct {
	Name  string
	Cells []htmlCell
}

type htmlCell struct {
	Count             int
	Mark              htmlMark
	Suite, Level, Row string
}

// htmlCause is one cause with the requirements that it concerns, in full.
type htmlCause struct {
	Mark           htmlMark
	Message, Count string
	Requirements   []htmlRequirement
}

type htmlToggle struct {
	Mark  htmlMark
	Count int
}

type htmlFact struct {
	Label, Text string
	Code        bool
}

func markup(m mark) htmlMark {
	return htmlMark{m.word, m.symbol, strings.ReplaceAll(m.word, " ", "-")}
}

// HTML is the mark as markup; templates call it.
func (m htmlMark) HTML() template.HTML {
	return markupf(`<span class="mark is-%s"><i aria-hidden="true">%s</i>%s</span>`, m.Class, m.Symbol, m.Word)
}

func verdictMarkup(v Verdict) htmlMark {
	m, known := verdictMarks[v]
	if !known {
		m = verdictMarks[Incomplete]
	}
	return markup(m)
}

// classWords are how level classes stand in the fragment of the page.
var classWords = map[class]string{mustClass: "must", shouldClass: "should", mayClass: "may"}

func pageOf(r *Report, o Options) (*htmlPage, error) {
	strict := o.Strict || r.Run.Strict
	base, err := assets("report.js")
	if err != nil {
		return nil, err
	}
	base.Generator = "capconform " + r.Harness.Version
	p := &htmlPage{
		html: base, Report: r, Subject: r.Subject.Name, Version: r.Subject.Version,
		Date:    r.Run.StartedAt.UTC().Format("2 January 2006, 15:04 UTC"),
		Verdict: verdictMarkup(r.Verdict), Sentence: upperFirst(r.inShort(strict)) + ".", Notes: r.remarkable(),
		Facts: r.facts(),
	}
	if len(p.Notes) > notesShown {
		p.Notes, p.More = p.Notes[:notesShown-1], p.Notes[notesShown-1:]
	}
	if p.Subject == "" {
		p.Subject = "unnamed subject"
	}
	for i := range r.Suites {
		p.Suites = append(p.Suites, htmlSuiteOf(&r.Suites[i], strict))
	}
	p.counts(r, strict)
	p.requirements(r, strict, o)
	return p, nil
}

// notesShown is how many notes a page shows before it folds the rest.
const notesShown = 5

// inShort says in words why the run has its verdict, over all suites.
func (r *Report) inShort(strict bool) string {
	if len(r.Suites) == 0 {
		return "nothing was examined"
	}
	whole := Suite{Counts: r.totals()}
	for i := range r.Suites {
		whole.Plan.Planned += r.Suites[i].Plan.Planned
		whole.Plan.Executed += r.Suites[i].Plan.Executed
	}
	return whole.sentence(strict)
}

// remarkable is what a reader has to know before anything else.
func (r *Report) remarkable() []string {
	var notes []string
	if r.Run.Partial {
		notes = append(notes, "Only a selection was examined. Whether the subject conforms is said by a run without one.")
	}
	if why := r.unfinishedBy(); why != "" {
		notes = append(notes, "The run did not come to its end: "+foldBreaks(why)+".")
	}
	if b := r.Run.Baseline; b != nil {
		notes = append(notes, fmt.Sprintf("The run was given a baseline: %s tolerated, which changes no verdict.",
			plural(len(b.Tolerated), "known failure")))
	}
	if len(r.NotSpoken) > 0 {
		notes = append(notes, "Not spoken by this target: "+strings.Join(r.NotSpoken, ", ")+".")
	}
	return append(notes, r.Notes...)
}

// facts say how the run was made.
func (r *Report) facts() []htmlFact {
	all := []htmlFact{
		{"Organisation", r.Subject.Organisation, false},
		{"Address", r.Subject.URL, false},
		{"Contact", r.Subject.Contact, false},
		{"Target", joinWords(", ", r.Subject.Target, r.Subject.Driver), false},
		{"Target file", r.Subject.TargetFileDigest, true},
		{"Command", r.Run.Command, true},
		{"Run", joinWords(", ", r.Run.ID, fmt.Sprintf("%d ms", r.Run.DurationMS), fmt.Sprintf("seed %d", r.Run.Seed)), false},
		{"Harness", joinWords(" ", r.Harness.Name, r.Harness.Version, r.Harness.Commit), false},
		{"Catalogue", r.Harness.CatalogueDigest, true},
		{"Features", r.Harness.FeaturesDigest, true},
	}
	for _, s := range r.Suites {
		for _, m := range s.Mappings {
			all = append(all, htmlFact{"Mapped", joinWords(" · ", m.Operation, m.Request, m.Response), true})
		}
	}
	return tidyFacts(all)
}

// tidyFacts cleans facts and leaves empty ones out.
func tidyFacts(all []htmlFact) []htmlFact {
	for i := range all {
		all[i].Text = TerminalText(all[i].Text)
	}
	return slices.DeleteFunc(all, func(f htmlFact) bool { return f.Text == "" })
}

func htmlSuiteOf(s *Suite, strict bool) htmlSuite {
	out := htmlSuite{
		Name: s.Suite, Title: s.title(), Verdict: verdictMarkup(s.Verdict),
		Sentence: joinWords(" ", upperFirst(s.sentence(strict))+".", s.beyond()),
		Binding:  joinWords(" · ", s.Binding, s.Negotiated, scenarios(s.Plan)),
	}
	must := s.Counts.Must
	var parts []string
	judged := must.Total() - must.Excluded - must.NotApplicable
	x := 0
	for _, status := range []Status{Passed, Provided, Inconclusive, Error, Failed} {
		n := must.Of(status)
		if n == 0 {
			continue
		}
		parts = append(parts, fmt.Sprintf("%d %s", n, statusMarks[status].word))
		width := max(8, n*1000/judged)
		out.Segments = append(out.Segments, htmlSegment{string(status), x, max(1, width-3)})
		x += width
	}
	out.Map, out.Legend = requirementMap(s, strict)
	out.Parts = "MUST: " + strings.Join(parts, ", ")
	if len(parts) == 0 {
		out.Parts = "no MUST was judged"
	}
	return out
}

// requirementMap draws one sign for each requirement, and gives the marks that stand there.
func requirementMap(s *Suite, strict bool) (template.HTML, []htmlToggle) {
	var signs strings.Builder
	counts := map[htmlMark]int{}
	for i := range s.Requirements {
		q := &s.Requirements[i]
		m := markup(markOf(q, strict))
		counts[m]++
		signs.WriteString(string(markupf(`<a class="sign is-%s" href="#%s" title="%s: %s" tabindex="-1"></a>`, m.Class, q.ID,
			q.ID, m.Word)))
	}
	return template.HTML(signs.String()), toggles(counts) // of markupf alone
}

func upperFirst(text string) string {
	for i, r := range text {
		return string(unicode.ToUpper(r)) + text[i+len(string(r)):]
	}
	return text
}

// counts fills the table of counts. A number leads to what it counts.
func (p *htmlPage) counts(r *Report, strict bool) {
	columns := r.columns()
	for _, s := range columns {
		p.Columns = append(p.Columns, statusMarks[s].word)
	}
	for i := range r.Suites {
		s := &r.Suites[i]
		for k, level := range []string{"MUST", "SHOULD", "MAY"} {
			count := *s.Counts.row(class(k))
			if count.Total() == 0 {
				continue
			}
			row := htmlRow{Name: strings.ToUpper(s.Suite) + " " + level}
			for _, status := range columns {
				shown := Requirement{Level: level, Status: status}
				row.Cells = append(row.Cells, htmlCell{
					Count: count.Of(status), Mark: markup(markOf(&shown, strict)), Suite: s.Suite, Level: classWords[class(k)],
					Row: row.Name,
				})
			}
			p.Rows = append(p.Rows, row)
		}
	}
}

// columns are the statuses that a requirement of the report has: no column is empty.
func (r *Report) columns() []Status {
	return slices.DeleteFunc(Statuses(), func(status Status) bool {
		for _, p := range requirementsOf(r) {
			if p.q.Status == status {
				return false
			}
		}
		return true
	})
}

func sectionTitle(s *Suite, section string) string {
	if section != "" && unicode.IsDigit(rune(section[0])) {
		section = "section " + section
	}
	return joinWords(" · ", strings.ToUpper(s.Suite), section)
}
