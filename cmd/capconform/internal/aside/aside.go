// Package aside empties PATH while the program starts. When a program with godog v0.15 starts,
// godog runs `go env`, for a tool directory that only its own command needs: this takes 20 ms and
// starts a program that nobody requested. If the dependencies permit it, packages are initialised
// in the order of their import paths, so this package, which needs only os, is initialised before
// godog.
package aside

import "os"

type variable struct {
	value string
	set   bool
}

var path = setAside("PATH")

func setAside(name string) (v variable) {
	if v.value, v.set = os.LookupEnv(name); v.set {
		_ = os.Setenv(name, "") // it fails only for invalid names
	}
	return v
}

// Restore sets PATH to its old value. It must be the first call in main.
func Restore() {
	if path.set {
		_ = os.Setenv("PATH", path.value)
	}
}
