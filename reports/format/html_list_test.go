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
	for _, part := range []string{`id="causes"`, `id="CAP-6.2-01"`, `id="CAP-4.3-02"`, `id="CAP-6.4-01"`, `id="CAP-5-04"`,
		`id="CAP-8-01"`, `id="verdicts"`, `id="counts"`, `id="requirements"`, `id="CAP-4.1-01"`} {
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
	assert.Contains(t, pageText(t, reporttest.Conformant()), "</span>passed 6</li>")
}

// TestPageFoldsManyNotes: failures must stay on the first screen.
func TestPageFoldsManyNotes(t *testing.T) {
	r := reporttest.Conformant()
	r.NotSpoken = nil
	for i := range 9 {
		r.Notes = append(r.Notes, fmt.Sprintf("note %d", i+1))
	}
	page := pageText(t, r)
	before, folded, found := strings.Cut(page, "<summary>5 more notes</summary>")
	require.True(t, found)
	assert.Contains(t, before, "note 4<")
	assert.Contains(t, folded, "note 9<")
}
