package reports

import (
	"errors"
	"fmt"
	"strings"

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
		doc, err := file.Parse(ids.NewId)
		if err != nil {
			return nil, fmt.Errorf("reports: %w", err)
		}
		doc.Uri = file.Name
		s.documents = append(s.documents, doc)
		s.pickles = append(s.pickles, gherkin.Pickles(*doc, file.Name, ids.NewId))
	}
	return s, nil
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

// ErrFeatures: a report holds scenarios that the features of this build do not.
var ErrFeatures = errors.New("the report was made with other features than this build holds")
