package main

import (
	"os"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// outputs FILE: reads a file of outputs as a runner does, and writes it again with a
// line NAME=VALUE for each, since the marks differ from run to run.
func outputs(ts *testscript.TestScript, _ bool, args []string) {
	lines := strings.Split(strings.TrimSuffix(ts.ReadFile(args[0]), "\n"), "\n")
	var read strings.Builder
	for i := 0; i < len(lines); i++ {
		name, mark, found := strings.Cut(lines[i], "<<")
		if !found || mark == "" {
			ts.Fatalf("%s:%d: want NAME<<MARK, got %q", args[0], i+1, lines[i])
		}
		var value []string
		for i++; i < len(lines) && lines[i] != mark; i++ {
			value = append(value, lines[i])
		}
		if i == len(lines) || len(value) != 1 {
			ts.Fatalf("%s: %s has %d lines", args[0], name, len(value))
		}
		read.WriteString(name + "=" + value[0] + "\n")
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(read.String()), 0o666))
}
