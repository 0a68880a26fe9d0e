package judge

import (
	"github.com/capconform/capconform/suites/cap/history"
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
