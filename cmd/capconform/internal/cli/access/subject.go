package access

import (
	"os"

	"github.com/capconform/capconform/cmd/capconform/internal/cli/process"
	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/driver/child"
)

// Subject returns the target as the subject that a driver reaches.
func (t *Target) Subject(carries driver.Driver) *suites.Subject {
	f := t.File
	s := &suites.Subject{
		Name: f.Name, Version: f.Version, Driver: carries, Actors: f.Actors, Roles: f.Roles, Supports: f.Supports,
		Adapter: f.MCP, Restart: f.Restart, Limits: f.Limits, Deadlines: t.deadlines, Known: f.Known,
		TestDoubles: t.testDoubles,
	}
	if len(s.Restart) > 0 {
		s.RestartEnv = child.Environment(os.Environ(), t.environment())
	}
	s.Limits.Memory = process.AnswersMemory
	if t.reference != nil {
		s.Restarter = t.reference.Restarter()
	}
	if s.Adapter.Mode == "" {
		s.Adapter.Mode = "auto"
	}
	return s
}

// Withheld returns the names of the variables that the commands do not get because they look like credentials.
func (t *Target) Withheld() []string {
	if !t.startsCommand() {
		return nil
	}
	return child.Withheld(os.Environ(), t.environment())
}
