package features

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	gherkin "github.com/cucumber/gherkin/go/v26"
	messages "github.com/cucumber/messages/go/v21"
)

// Parse is gherkin.ParseGherkinDocument with a faster matcher. The error names the file.
func (f File) Parse(newID func() string) (*messages.GherkinDocument, error) {
	builder := gherkin.NewAstBuilder(newID)
	parser := gherkin.NewParser(builder)
	matcher := plainTags{gherkin.NewMatcher(gherkin.DialectsBuiltin())}
	if err := parser.Parse(gherkin.NewScanner(bytes.NewReader(f.Text)), matcher); err != nil {
		return nil, fmt.Errorf("features: %s: %w", f.Name, err)
	}
	return builder.GetGherkinDocument(), nil
}

// plainTags reads a line of tags without compiling a pattern for each of them, which would take
// half of the time to parse a feature.
type plainTags struct{ gherkin.Matcher }

// MatchTagLine implements gherkin.Matcher.
func (m plainTags) MatchTagLine(line *gherkin.Line) (bool, *gherkin.Token, error) {
	if !line.StartsWith(gherkin.TagPrefix) || strings.Contains(line.TrimmedLineText, gherkin.CommentPrefix) {
		return m.Matcher.MatchTagLine(line)
	}
	token := &gherkin.Token{
		Type: gherkin.TokenTypeTagLine, GherkinDialect: gherkin.DefaultDialect,
		Location: &gherkin.Location{Line: line.LineNumber, Column: line.Indent() + 1},
	}
	rest, column := line.TrimmedLineText, line.Indent()+1
	for _, name := range strings.Fields(rest) {
		at := strings.Index(rest, name)
		column += utf8.RuneCountInString(rest[:at])
		if !strings.HasPrefix(name, gherkin.TagPrefix) || len(name) == 1 || strings.Count(name, gherkin.TagPrefix) > 1 {
			return m.Matcher.MatchTagLine(line)
		}
		token.Items = append(token.Items, &gherkin.LineSpan{Column: column, Text: name})
		column += utf8.RuneCountInString(name)
		rest = rest[at+len(name):]
	}
	return true, token, nil
}
