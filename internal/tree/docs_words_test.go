package tree

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// avoided matches metaphors and clumsy phrases for which the field, or plain English, has a term (DESIGN section 3).
// Names between ` and blocks of code are not checked.
var avoided = regexp.MustCompile(`(?i)\b(deaf|guests?|farewell|insists?|acquaintances?|starv(?:e|es|ed)|spares?|spared|company|lapses?|fringes?|` +
	`corners?|restless|specimens?|remembrances?|rehearsals?|workshops?|telling|slips?|leftout|oddments?|nearly known|` +
	`who (?:gives|tells|says|closes)|of (?:its|their|his|our) own)\b`)

// code matches a block or a span of code in a page.
var code = regexp.MustCompile("(?ms)^ *```.*?^ *```$|^    .*?$|`[^`\n]*`")

// writtenPages returns the pages that people write.
func writtenPages(t *testing.T) []string {
	t.Helper()
	var pages []string
	for _, pattern := range []string{"*.md", "docs/*.md", "suites/*/ADAPTER.md", "reference/corpus/*.md", "reference/*.md", "reference/examples/*/*.md", "release/*.md", "schemas/*/*.md"} {
		found, err := filepath.Glob(filepath.FromSlash(pattern))
		require.NoError(t, err)
		pages = append(pages, found...)
	}
	require.Greater(t, len(pages), 15)
	return pages
}

func TestPagesUseTheWordsOfTheGlossary(t *testing.T) {
	for _, page := range writtenPages(t) {
		for _, word := range avoidedWords(pageText(t, page)) {
			t.Errorf("%s: %q is not a term of the field or plain English; see docs/GLOSSARY.md", page, word)
		}
	}
}

func avoidedWords(page string) []string {
	return avoided.FindAllString(code.ReplaceAllString(page, ""), -1)
}

func TestAvoidedWordsAreFound(t *testing.T) {
	page := "The host is deaf. A `deaf` one.\n\n```go\nfunc deaf() {}\n```\n\n    deaf\n\nWho gives it has a list of their own; the company.\n"
	require.Equal(t, []string{"deaf", "Who gives", "of their own", "company"}, avoidedWords(page))
}

// link matches a link to a place in this repository.
var link = regexp.MustCompile(`\]\(([^)\s]+)\)`)

// heading matches a heading of a page.
var heading = regexp.MustCompile(`(?m)^#+ (.+)$`)

// unslugged matches the characters of a heading that an anchor omits.
var unslugged = regexp.MustCompile(`[^\p{L}\p{N} _-]`)

func TestLinksResolve(t *testing.T) {
	links := 0
	for _, page := range writtenPages(t) {
		for _, found := range link.FindAllStringSubmatch(code.ReplaceAllString(pageText(t, page), ""), -1) {
			if strings.Contains(found[1], "://") {
				continue
			}
			links++
			target, anchor, _ := strings.Cut(found[1], "#")
			path := page
			if target != "" {
				path = filepath.Join(filepath.Dir(page), filepath.FromSlash(target))
			}
			if found, err := filepath.Glob(path); err != nil || len(found) == 0 {
				t.Errorf("%s links to %s, which does not exist", page, target)
			} else if anchor != "" && !hasAnchor(pageText(t, path), anchor) {
				t.Errorf("%s links to %s#%s, which has no such heading", page, target, anchor)
			}
		}
	}
	if links < 40 {
		t.Errorf("%d links were found, want at least 40", links)
	}
}

// hasAnchor reports whether a page has a heading with this anchor, as GitHub makes them.
func hasAnchor(page, anchor string) bool {
	for _, h := range heading.FindAllStringSubmatch(page, -1) {
		slug := strings.ReplaceAll(unslugged.ReplaceAllString(strings.ToLower(h[1]), ""), " ", "-")
		if slug == anchor {
			return true
		}
	}
	return false
}

func TestAnchorsAreThoseOfHeadings(t *testing.T) {
	page := "# A b\n\n## 10. Fixture profile\n\n### `run`, and more\n"
	for anchor, want := range map[string]bool{"a-b": true, "10-fixture-profile": true, "run-and-more": true, "a": false, "fixture-profile": false} {
		require.Equal(t, want, hasAnchor(page, anchor), anchor)
	}
}

// archaic matches words that plain English has replaced. Earlier catalogues and features used them.
var archaic = regexp.MustCompile(`(?i)\b(bears?|borne|whoever|unsound|(?:is|are) told|goes? on|carried on|let pass|` +
	`comes? away|keeps? to|asks? for|insists?|restless|telling|lapses?|guests?)\b`)

func TestCataloguesAndFeaturesUsePlainWords(t *testing.T) {
	read := 0
	for _, pattern := range []string{"spec/*.yaml", "features/*/*.feature"} {
		files, err := filepath.Glob(filepath.FromSlash(pattern))
		require.NoError(t, err)
		for _, file := range files {
			read++
			for _, word := range archaic.FindAllString(pageText(t, file), -1) {
				t.Errorf("%s: %q is not plain English", file, word)
			}
		}
	}
	require.Greater(t, read, 40)
	require.Equal(t, []string{"bears", "goes on"}, archaic.FindAllString("A result bears the id and goes on.", -1))
}
