package drivertest

import (
	"os"
	"strings"
)

// FindTools lets tests find the ordinary programs of a system, such as sh and cat, whatever PATH they inherit. It
// panics if the environment cannot be changed.
func FindTools() {
	if err := os.Setenv("PATH", strings.Join([]string{os.Getenv("PATH"), "/usr/bin", "/bin"}, string(os.PathListSeparator))); err != nil {
		panic(err)
	}
}
