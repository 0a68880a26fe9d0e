package format

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/reports/reporttest"
)

func pageText(t *testing.T, r *reports.Report) string {
	t.Helper()
	var page strings.Builder
	require.NoError(t, writeHTML(&page, r, Options{}))
	return page.String()
}

// TestPageShowsFailuresFirst checks the order of the page, and which entries are expanded.
func TestPageShowsFailuresFirst(t *testing.T) {
	page := pageText(t, reporttest.Nonconformant())
	last := -1
	for _, part := range []string{`id="verdicts"`, `href="#cause-1"`, `id="causes"`, `id="CAP-6.2-01"`, `id="CAP-4.3-02"`,
		`id="CAP-6.4-01"`, `id="CAP-5-04"`, `id="CAP-8-01"`, `id="counts"`, `id="requirements"`, `id="CAP-4.1-01"`} {
		at := strings.Index(page, part)
		assert.Greater(t, at, last, "%s is missing or too early", part)
		last = at
	}
	head := func(id string) string {
		return regexp.MustCompile(`<details [^>]* id="` + id + `"[^>]*>`).FindString(page)
	}
	for id, open := range map[string]bool{"CAP-6.2-01": true, "CAP-6.2-03": false, "CAP-4.3-02": true, "CAP-6.4-01": true,
		"CAP-8-01": false, "CAP-4.1-01": false} {
		assert.Equal(t, open, strings.Contains(head(id), " open"), "%s: %s", id, head(id))
	}
	_, first, _ := strings.Cut(page, `id="CAP-6.2-01"`)
	first, _, _ = strings.Cut(first, "</details>")
	last = -1
	for _, part := range []string{"<p>Want</p>", "<p>Got</p>", "On the wire", "Examine it again", `class="guide"`} {
		at := strings.Index(first, part)
		assert.Greater(t, at, last, "%s is missing or too early", part)
		last = at
	}
}

// TestPageFoldsCauses checks that each cause and the advice have a line with a link to an element, and that only the
// first cause is open.
func TestPageFoldsCauses(t *testing.T) {
	advised := reporttest.Nonconformant()
	for i := range 2 {
		advised.Suites[0].Requirements = append(advised.Suites[0].Requirements, reports.Requirement{
			ID: fmt.Sprintf("CAP-11-0%d", i), Level: "ADVICE", Status: reports.Failed, Scenarios: []reports.Scenario{
				{Name: "s", Status: reports.Failed, Failure: &reports.Failure{Message: fmt.Sprintf("advice %d", i)}}},
		})
	}
	all := reporttest.All()
	all["advised"] = advised
	for name, r := range all {
		page := pageText(t, r)
		advice := 0
		for _, g := range r.Groups(r.Run.Strict) {
			if g.Mark == reports.AdviceMark {
				advice++
			}
		}
		causes := len(r.Groups(r.Run.Strict)) - advice
		_, lines, _ := strings.Cut(page, `<ol class="lines"`)
		lines, _, _ = strings.Cut(lines, "</section>")
		links := regexp.MustCompile(`href="#([^"]+)"`).FindAllStringSubmatch(lines, -1)
		_, waiting, folded := strings.Cut(page, `<div id="follow"`)
		following := strings.Count(waiting, `<div id="cause-`)
		assert.Len(t, links, causes-following+min(following, 1)+min(advice, 1), name)
		for _, link := range links {
			assert.Contains(t, page, `<div id="`+link[1]+`"`, name)
		}
		assert.Equal(t, folded, strings.Contains(lines, `href="#follow"`) && following > 0, name)
		assert.Equal(t, strings.Contains(page, "Blocks 1 sum"), folded, name)
		outside, inside, _ := strings.Cut(page, `<div id="advice"`)
		const open = `<details class="cause card" data-print="1" open>`
		assert.Equal(t, min(causes, 1), strings.Count(outside, open), name)
		assert.Equal(t, min(advice, 1), strings.Count(inside, open), name)
		assert.Equal(t, name == "advised", advice == 2, name)
	}
}

// TestPageHasFewLinesFirst: of many causes, some have a line on the first screen, and a link leads to the others.
func TestPageHasFewLinesFirst(t *testing.T) {
	for causes, further := range map[int]int{linesShown: 0, linesShown + 1: 1, 40: 40 - linesShown} {
		r := reporttest.Conformant()
		for i := range causes {
			r.Suites[0].Requirements = append(r.Suites[0].Requirements,
				reporttest.Failing(fmt.Sprintf("CAP-11-%02d", i), "MUST", "11", "s", reports.Failure{Message: fmt.Sprintf("cause %02d", i)}))
		}
		page := pageText(t, r)
		_, lines, _ := strings.Cut(page, `<ol class="lines"`)
		lines, _, _ = strings.Cut(lines, "</section>")
		assert.Equal(t, min(causes, linesShown), strings.Count(lines, `href="#cause-`), causes)
		assert.Equal(t, further > 0, strings.Contains(lines, fmt.Sprintf(`Further causes</span> <span class="for">%d<`, further)), causes)
		assert.Equal(t, causes, strings.Count(page, `<details class="cause card"`), causes)
	}
}

// TestPageStatesHealth checks the line on how the target answered: it is shown once, and not without calls.
func TestPageStatesHealth(t *testing.T) {
	const quiet = "health: no dropped connection, no answer with status 5xx, no timeout"
	r := reporttest.Conformant()
	r.Run.Health = nil
	assert.NotContains(t, pageText(t, r), "health: ")
	r.Run.Health = &reports.Health{}
	assert.Contains(t, pageText(t, r), quiet)
	r.Run.Health.Timeouts.Add("cap.invoke")
	r.Notes = append(r.Notes, r.Run.Health.Sentence())
	page := pageText(t, r)
	assert.NotContains(t, page, quiet)
	assert.Equal(t, 1, strings.Count(page, "health: 1 timeout (cap.invoke)"))
}

// TestPageListsEachRequirementOnce counts the entries of the complete list, and the elements that are targets of
// links.
func TestPageListsEachRequirementOnce(t *testing.T) {
	for name, r := range reporttest.All() {
		page := pageText(t, r)
		for _, p := range reports.RequirementsOf(r) {
			id := regexp.QuoteMeta(p.Requirement.ID)
			assert.Len(
				t,
				regexp.MustCompile(` id="`+id+`"`).FindAllString(page, -1),
				1,
				"%s: %s",
				name,
				p.Requirement.ID,
			)
			listed := regexp.MustCompile(`<a class="entry listed" href="#`+id+`"|<details class="requirement listed" [^>]* id="`+id+`"`).
				FindAllString(page, -1)
			assert.Len(t, listed, 1, "%s: %s", name, p.Requirement.ID)
		}
	}
}

// TestPageHasNoEmptyColumn compares the columns of the counts with the statuses of a report.
func TestPageHasNoEmptyColumn(t *testing.T) {
	page := pageText(t, reporttest.Conformant())
	_, table, _ := strings.Cut(page, `<table class="counts"`)
	head, _, _ := strings.Cut(table, "</thead>")
	for word, want := range map[string]bool{"passed": true, "provided": true, "not applicable": true, "excluded": true,
		"failed": false, "inconclusive": false, "error": false} {
		assert.Equal(t, want, strings.Contains(head, ">"+word+"<"), word)
	}
}

// TestPageExplainsMapSigns checks that the legend contains each sign of the map.
func TestPageExplainsMapSigns(t *testing.T) {
	for name, r := range reporttest.All() {
		page := pageText(t, r)
		for _, sign := range regexp.MustCompile(`<a class="sign ([a-z-]+)"`).FindAllStringSubmatch(page, -1) {
			assert.Contains(t, page, `<span class="sign `+sign[1]+`" aria-hidden="true"></span>`, name)
		}
	}
	assert.Contains(t, pageText(t, reporttest.Conformant()), "</span>passed 6</a></li>")
}

// TestPageFoldsManyNotes: failures must stay on the first screen.
func TestPageFoldsManyNotes(t *testing.T) {
	r := reporttest.Conformant()
	r.NotSpoken, r.Run.Partial = nil, true
	for i := range 9 {
		r.Notes = append(r.Notes, fmt.Sprintf("note %d", i+1))
	}
	page := pageText(t, r)
	before, folded, found := strings.Cut(page, "<summary>Further notes: 9</summary>")
	require.True(t, found)
	assert.Contains(t, before, "Only a selection was examined")
	assert.NotContains(t, before, "note 1<")
	assert.Contains(t, folded, "note 9<")
}
