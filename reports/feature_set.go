package reports

import (
	"errors"
	"fmt"
	"strings"

	gherkin "github.com/cucumber/gherkin/go/v26"
	messages "github.com/cucumber/messages/go/v21"

	"github.com/capconform/capconform/features"
)

// FeatureSet contains the features of one suite in this build.
type FeatureSet struct {
	Sources   []features.File             // the files, by name
	Documents []*messages.GherkinDocument // one for each source
	Pickles   [][]*messages.Pickle        // one list for each source
}

// ReadFeatureSet parses the features of a suite. Ids come from the counter, so they are unique over
// several suites.
func ReadFeatureSet(suite string, ids *messages.Incrementing) (*FeatureSet, error) {
	files, err := features.Suite(suite)
	if err != nil {
		return nil, fmt.Errorf("reports: %w: %w", ErrFeatures, err)
	}
	return FeatureSetOf(files, ids)
}

// FeatureSetOf is ReadFeatureSet for the features of a text of one's own.
func FeatureSetOf(files []features.File, ids *messages.Incrementing) (*FeatureSet, error) {
	s := &FeatureSet{Sources: files}
	for _, file := range files {
		doc, err := file.Parse(ids.NewId)
		if err != nil {
			return nil, fmt.Errorf("reports: %w", err)
		}
		doc.Uri = file.Name
		s.Documents = append(s.Documents, doc)
		s.Pickles = append(s.Pickles, gherkin.Pickles(*doc, file.Name, ids.NewId))
	}
	return s, nil
}

// ScenariosByRequirement returns the scenarios of each requirement for documents, or for a live target, in the
// order in which a report lists them.
func (s *FeatureSet) ScenariosByRequirement(documents bool) map[string][]*messages.Pickle {
	found := map[string][]*messages.Pickle{}
	for _, list := range s.Pickles {
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

// ErrFeatures reports that a report contains scenarios that the features of this build do not
// contain.
var ErrFeatures = errors.New("the report was made with other features than those of this build")
