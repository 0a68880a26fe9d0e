// Package aside puts PATH away while the program starts. godog v0.15 runs `go env`
// whenever a program begins that has it, for a tool directory that only its own
// command needs: 20 ms of a start, and a program of the user's that nobody asked for.
// Packages are initialised in the order of their import paths where they may be, so
// that this one, which needs nothing but os, comes before it.
package aside

import "os"

type variable struct {
	value string
	set   bool
}

var path = put("PATH")

func put(name string) (v variable) {
	if v.value, v.set = os.LookupEnv(name); v.set {
		_ = os.Setenv(name, "") // it fails for names that are none
	}
	return v
}

// Restore returns PATH back. It comes first in main.
func Restore() {
	if path.set {
		_ = os.Setenv("PATH", path.value)
	}
}
