package judge

import (
	"errors"

	"github.com/capconform/capconform/schemas"
	"github.com/capconform/capconform/suites/cap/history"
	"github.com/capconform/capconform/suites/instance"
	"github.com/capconform/capconform/suites/verdict"
)

// contractOf compiles the schemas of a manifest once.
func (j *evidence) contractOf(s *history.RawManifest) *contract {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.contracts == nil {
		j.contracts = map[*history.RawManifest]*contract{}
	}
	if j.contracts[s] == nil {
		m, c := s.Manifest(), &contract{}
		c.input, _ = CompileSchema(j.Cache, m, history.MemberInput) // CAP-MAN-02 judges a value that is not a schema
		if m[history.MemberOutput] != nil {
			c.output, _ = CompileSchema(j.Cache, m, history.MemberOutput)
		}
		j.contracts[s] = c
	}
	return j.contracts[s]
}

// CompileSchema compiles the schema of a member. For a value that cannot be a schema, as for a
// schema that breaks its dialect, the error is an *schemas.InvalidSchema.
func CompileSchema(cache *instance.Cache, m history.Manifest, member string) (*instance.Template, error) {
	switch v := m[member].(type) {
	case map[string]any, bool:
		return cache.Template(v)
	default:
		return nil, &schemas.InvalidSchema{Message: "a JSON Schema is an object or a boolean"}
	}
}

// undecided converts a question that the schema library cannot decide to an open verdict.
func undecided(err error) error {
	var open *schemas.Undecidable
	if errors.As(err, &open) {
		return verdict.Undecided("a schema can't be decided here: %s", open.Message)
	}
	return err
}

// Invalid reports whether an error states that a value breaks its schema.
func Invalid(err error) bool {
	var found *schemas.Invalidity
	return errors.As(err, &found)
}
