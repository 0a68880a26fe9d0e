package features

import (
	"bytes"
	"testing"

	gherkin "github.com/cucumber/gherkin/go/v26"
	messages "github.com/cucumber/messages/go/v21"
	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
)

// TestParseAgreesWithGherkin compares the parser with the library's own matcher.
func TestParseAgreesWithGherkin(t *testing.T) {
	texts := [][]byte{
		[]byte("@a @b\n  @c@d\n\t@e  @é # why\nFeature: f\n\n  @A-1\t@x:y \n  Scenario: s\n    Given it\n"),
		[]byte("Feature: f\n\n  @a b\n  Scenario: s\n    Given it\n"),
		[]byte("Feature: f\n\n  @\n  Scenario: s\n    Given it\n"),
		[]byte("Feature: f\n\n  Scenario: s\n    Given it\n      \"\"\"\n      @a @b\n      \"\"\"\n"),
	}
	for _, suite := range []string{"cap", "chp", "acp", "acd"} {
		files, err := Suite(suite)
		require.NoError(t, err)
		for _, f := range files {
			texts = append(texts, f.Text)
		}
	}
	for _, text := range texts {
		want, wantErr := gherkin.ParseGherkinDocument(bytes.NewReader(text), (&messages.Incrementing{}).NewId)
		got, err := File{Text: text}.Parse((&messages.Incrementing{}).NewId)
		if (wantErr == nil) != (err == nil) {
			t.Fatalf("%s: want error %v, got %v", text, wantErr, err)
		}
		if diff := cmp.Diff(want, got); err == nil && diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
	}
}
