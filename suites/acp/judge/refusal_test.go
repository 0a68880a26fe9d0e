package judge

import (
	"testing"

	"github.com/capconform/capconform/schemas"
)

func TestInstallAnswersWithWarnings(t *testing.T) {
	for text, want := range map[string]bool{
		`{"cap_uri":"x"}`: false, `{"cap_uri":"x","ok":true,"warnings":[]}`: false, `{"cap_uri":"x","warnings":["bad words"]}`: true,
		`{"cap_uri":"x","lint":{"score":1}}`: true, `{}`: false, `[]`: false,
	} {
		if got := hasWarning(schemas.ReadObject([]byte(text))); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}
