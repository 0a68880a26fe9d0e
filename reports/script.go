package reports

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	gherkin "github.com/cucumber/gherkin/go/v26"
	messages "github.com/cucumber/messages/go/v21"

	"github.com/capconform/capconform/features"
)

// script is the features of one suite as this build knows them.
type script struct {
	sources   []features.File
	documents []*messages.GherkinDocument // one a source
	pickles   [][]*messages.Pickle        // one list a source
}

// readScript parses the features of a suite. Ids come from the counter, so that
// they are unique over several suites.
func readScript(suite string, ids *messages.Incrementing) (*script, error) {
	files, err := features.Suite(suite)
	if err != nil {
		return nil, fmt.Errorf("reports: %w: %w", ErrFeatures, err)
	}
	s := &script{sources: files}
	for _, file := range files {
		doc, err := parseFeature(file.Text, ids)
		if err != nil {
			return nil, fmt.Errorf("reports: %s: %w", file.Name, err)
		}
		doc.Uri = file.Name
		s.documents = append(s.documents, doc)
		s.pickles = append(s.pickles, gherkin.Pickles(*doc, file.Name, ids.NewId))
	}
	return s, nil
}

// parseFeature is gherkin.ParseGherkinDocument with a matcher that is quicker.
func parseFeature(text []byte, ids *messages.Incrementing) (*messages.GherkinDocument, error) {
	builder := gherkin.NewAstBuilder(ids.NewId)
	parser := gherkin.NewParser(builder)
	matcher := plainTags{gherkin.NewMatcher(gherkin.DialectsBuiltin())}
	if err := parser.Parse(gherkin.NewScanner(bytes.NewReader(text)), matcher); err != nil {
		return nil, err
	}
	return builder.GetGherkinDocument(), nil
}

// plainTags reads a line of tags without compiling a pattern for each of them,
// which is half of the time that a feature takes to parse.
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

// scenarios gives the scenarios of each requirement that meet documents, or a
// live target, in the order in which a report lists them.
func (s *script) scenarios(documents bool) map[string][]*messages.Pickle {
	found := map[string][]*messages.Pickle{}
	for _, list := range s.pickles {
		for _, p := range list {
			requirement, ofDocuments := "", false
			for _, t := range p.Tags {
				name := strings.TrimPrefix(t.Name, "@")
				switch {
				case name == "document":
					ofDocuments = true
				case strings.ToUpper(name) == name && strings.Contains(name, "-"):
					requirement = name
				}
			}
			if ofDocuments == documents {
				found[requirement] = append(found[requirement], p)
			}
		}
	}
	return found
}
