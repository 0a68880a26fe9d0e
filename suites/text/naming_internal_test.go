package text

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/capconform/capconform/suites"
)

// TestNaming checks that a target is named by what its text says, and by nothing of another type.
func TestNaming(t *testing.T) {
	where := naming{Name: "result.id", Version: "result.about.version", Declares: []string{"result.preferred", "result.all"}}
	for answer, want := range map[string]suites.Profile{
		`{"id":"a","about":{"version":"1"},"preferred":"2","all":["2","1"]}`: {Name: "a", Version: "1",
			Declared: []string{"2", "2", "1"}},
		`{"id":7,"about":[],"all":[1]}`: {Declared: []string{"", ""}},
		`[]`:                            {Declared: []string{"", ""}},
	} {
		var got suites.Profile
		where.into(&got, json.RawMessage(answer))
		assert.Equal(t, want, got, answer)
	}
	var none suites.Profile
	naming{}.into(&none, json.RawMessage(`{"id":"a"}`))
	assert.Equal(t, suites.Profile{}, none)
}
