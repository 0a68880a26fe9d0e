package format

import (
	"cmp"
	"fmt"
	"html/template"
	"slices"
	"strings"
	"unicode"

	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/reports/display"
	"github.com/capconform/capconform/reports/nearest"
)

// htmlPage is the data for the template of a report. The template cleans text of one line; text of
// several lines is already clean.
type htmlPage struct {
	html
	Report   *reports.Report
	Subject  string
	Version  string   // of the subject
	Date     string   // of the start, in UTC
	Verdict  htmlMark // of the run
	Sentence string   // the verdict in words
	Notes    []string // shown at once
	More     []string // further notes, folded
	Health   string   // how the target answered; empty if that is not known
	Absent   string   // the suites that the target does not speak
	Suites   []htmlSuite
	Columns  []string      // headings of the table of counts
	Rows     []htmlRow     // of that table
	Causes   []htmlCause   // the causes with the most requirements come first
	Advice   []htmlCause   // what changes no verdict
	Total    int           // of requirements
	Toggles  []htmlToggle  // the filters of the list
	Sections []htmlSection // of the list, in catalogue order
	Facts    []htmlFact    // of the run, at the end of the page
	Looks    string        // the known defects that the failures look like; empty if none is near
	Ends     []string      // the last lines of the page: those of the console
	Proof    *Proof
}

// htmlMark is a mark with the class of its style.
type htmlMark struct{ Word, Symbol, Class string }

type htmlSuite struct {
	Name, Title, Sentence, Invoked string
	Verdict                        htmlMark
	Map                            template.HTML // one sign for each requirement, hidden from screen readers
	Legend                         []htmlToggle  // what the signs of the map mean, and how often each occurs
}

type htmlRow struct {
	Name  string // of the suite and level
	Cells []htmlCell
}

type htmlCell struct {
	Count             int
	Mark              htmlMark
	Suite, Level, Row string // Level in lower case; Row is htmlRow.Name
}

// htmlCause is one cause with its requirements, in full.
type htmlCause struct {
	ID             string // of the element that links lead to
	Open           bool
	Mark           htmlMark
	Message, Count string        // Count is words
	Blocks         template.HTML // what it blocks, with links; may be empty
	Waits          bool          // it follows from causes above it: it is a sum, or undecided until these are mended
	Requirements   []htmlRequirement
}

// requirementsShown is the number of requirements that an open cause shows. The others are folded.
const requirementsShown = 3

// First returns the requirements that an open cause shows, and Further those that it folds.
func (c htmlCause) First() []htmlRequirement {
	return c.Requirements[:min(len(c.Requirements), requirementsShown)]
}
func (c htmlCause) Further() []htmlRequirement { return c.Requirements[len(c.First()):] }

// Ready returns the causes that wait for no other.
func (p *htmlPage) Ready() []htmlCause { return p.causes(false) }

// linesShown is the number of causes that have a line on the first screen. A link leads to the others.
const linesShown = 12

// First returns the causes that have a line on the first screen, and Further how many have none.
func (p *htmlPage) First() []htmlCause { return p.Ready()[:min(len(p.Ready()), linesShown)] }
func (p *htmlPage) Further() int       { return len(p.Ready()) - len(p.First()) }

// Waiting returns the causes that wait for others.
func (p *htmlPage) Waiting() []htmlCause { return p.causes(true) }

func (p *htmlPage) causes(waiting bool) []htmlCause {
	return slices.DeleteFunc(slices.Clone(p.Causes), func(c htmlCause) bool { return c.Waits != waiting })
}

type htmlToggle struct {
	Mark  htmlMark
	Count int // of requirements
}

type htmlFact struct {
	Label, Text string
	Code        bool // Text is set as code
}

func markup(m reports.Mark) htmlMark {
	return htmlMark{m.Word, m.Symbol, strings.ReplaceAll(m.Word, " ", "-")}
}

// HTML returns the mark as markup, for templates.
func (m htmlMark) HTML() template.HTML {
	return markupf(`<span class="mark is-%s"><i aria-hidden="true">%s</i>%s</span>`, m.Class, m.Symbol, m.Word)
}

func verdictMarkup(v reports.Verdict) htmlMark {
	return markup(v.Mark())
}

func pageOf(r *reports.Report, o Options) (*htmlPage, error) {
	strict := o.Strict || r.Run.Strict
	base, err := assets("report.js")
	if err != nil {
		return nil, err
	}
	base.Generator = "capconform " + r.Harness.Version
	p := &htmlPage{
		html: base, Report: r, Subject: r.Subject.Name, Version: r.Subject.Version,
		Date:    r.Run.StartedAt.UTC().Format("2 January 2006, 15:04 UTC"),
		Verdict: verdictMarkup(r.Verdict), Sentence: upperFirst(runSentence(r, strict)) + ".", Notes: importantNotes(r),
		Facts: factsOf(r), Proof: o.Proof, Ends: r.Conclusion(), Health: healthLine(r), Absent: strings.Join(r.NotSpoken, ", "),
	}
	if p.More = otherNotes(r); len(p.Notes)+len(p.More) <= notesShown {
		p.Notes, p.More = append(p.Notes, p.More...), nil
	}
	p.Looks, _ = nearest.Hint(r)
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

// notesShown is the number of notes that a page shows unfolded. If there are more, it unfolds only
// the important ones.
const notesShown = 3

// runSentence states why the run has its verdict, over all suites.
func runSentence(r *reports.Report, strict bool) string {
	if len(r.Suites) == 0 {
		return "nothing was examined"
	}
	whole := reports.Suite{Counts: r.Totals()}
	for i := range r.Suites {
		whole.Plan.Planned += r.Suites[i].Plan.Planned
		whole.Plan.Executed += r.Suites[i].Plan.Executed
	}
	return whole.Sentence(strict)
}

// importantNotes returns the notes that a reader must know first.
func importantNotes(r *reports.Report) []string {
	var notes []string
	if r.Run.Partial {
		notes = append(notes, "Only a selection was examined. Run without a selection to learn whether the subject conforms.")
	}
	if why := r.UnfinishedBy(); why != "" {
		notes = append(notes, "The run did not finish: "+display.FoldBreaks(why)+".")
	}
	if b := r.Run.Baseline; b != nil {
		notes = append(notes, fmt.Sprintf("The run was given a baseline: %s tolerated, which changes no verdict.",
			display.Plural(len(b.Tolerated), "known failure")))
	}
	return notes
}

// otherNotes returns the notes of the report, without the line that states the health.
func otherNotes(r *reports.Report) []string {
	return slices.DeleteFunc(slices.Clone(r.Notes), func(note string) bool { return note == healthLine(r) })
}

// healthLine states how the target answered, also if nothing went wrong.
func healthLine(r *reports.Report) string {
	if r.Run.Health == nil {
		return ""
	}
	return cmp.Or(r.Run.Health.Sentence(), "health: no dropped connection, no answer with status 5xx, no timeout")
}

// factsOf returns how the run was made.
func factsOf(r *reports.Report) []htmlFact {
	all := []htmlFact{
		{"Organisation", r.Subject.Organisation, false},
		{"Address", r.Subject.URL, false},
		{"Contact", r.Subject.Contact, false},
		{"Target", display.Join(", ", r.Subject.Target, r.Subject.Driver), false},
		{"Target file", r.Subject.TargetFileDigest, true},
		{"Command", r.Run.Command, true},
		{
			"Run",
			display.Join(", ", r.Run.ID, fmt.Sprintf("%d ms", r.Run.DurationMS), fmt.Sprintf("seed %d", r.Run.Seed)),
			false,
		},
		{"Harness", display.Join(" ", r.Harness.Name, r.Harness.Version, r.Harness.Commit), false},
		{"Catalogue", r.Harness.CatalogueDigest, true},
		{"Features", r.Harness.FeaturesDigest, true},
	}
	for _, s := range r.Suites {
		all = append(all, htmlFact{
			strings.ToUpper(s.Suite), display.Join(" · ", s.Binding, s.Negotiated, reports.PlanInWords(s.Plan)), false,
		})
		for _, m := range s.Mappings {
			all = append(all, htmlFact{"Mapped", display.Join(" · ", m.Operation, m.Request, m.Response), true})
		}
	}
	return cleanFacts(all)
}

// cleanFacts cleans facts and removes empty ones.
func cleanFacts(all []htmlFact) []htmlFact {
	for i := range all {
		all[i].Text = display.TerminalText(all[i].Text)
	}
	return slices.DeleteFunc(all, func(f htmlFact) bool { return f.Text == "" })
}

func htmlSuiteOf(s *reports.Suite, strict bool) htmlSuite {
	out := htmlSuite{
		Name: s.Suite, Title: s.Title(), Verdict: verdictMarkup(s.Verdict),
		Sentence: display.Join(" ", upperFirst(s.Sentence(strict))+".", s.NotExamined()),
		Invoked:  s.InvokedInWords(),
	}
	out.Map, out.Legend = requirementMap(s, strict)
	return out
}

// requirementMap draws one sign for each requirement, and returns the marks that occur.
func requirementMap(s *reports.Suite, strict bool) (template.HTML, []htmlToggle) {
	var signs strings.Builder
	counts := map[htmlMark]int{}
	for i := range s.Requirements {
		q := &s.Requirements[i]
		m := markup(reports.MarkOf(q, strict))
		counts[m]++
		signs.WriteString(string(markupf(`<a class="sign is-%s" href="#%s" title="%s: %s" tabindex="-1"></a>`, m.Class, q.ID,
			q.ID, m.Word)))
	}
	return template.HTML(signs.String()), toggles(counts) // made only by markupf
}

func upperFirst(text string) string {
	for i, r := range text {
		return string(unicode.ToUpper(r)) + text[i+len(string(r)):]
	}
	return text
}

// counts fills the table of counts. Each number is a link to the requirements that it counts.
func (p *htmlPage) counts(r *reports.Report, strict bool) {
	columns := r.Occurring()
	for _, s := range columns {
		p.Columns = append(p.Columns, s.Mark().Word)
	}
	for _, counted := range r.LevelCounts() {
		row := htmlRow{Name: strings.ToUpper(counted.Suite) + " " + counted.Level}
		for _, status := range columns {
			shown := reports.Requirement{Level: counted.Level, Status: status}
			row.Cells = append(row.Cells, htmlCell{
				Count: counted.Count.Of(status), Mark: markup(reports.MarkOf(&shown, strict)), Suite: counted.Suite,
				Level: strings.ToLower(counted.Level), Row: row.Name,
			})
		}
		p.Rows = append(p.Rows, row)
	}
}

func sectionTitle(s *reports.Suite, section string) string {
	if section != "" && unicode.IsDigit(rune(section[0])) {
		section = "section " + section
	}
	return display.Join(" · ", strings.ToUpper(s.Suite), section)
}
