package main

import (
	"os"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// commands PAGE [OLD NEW]...: writes the commands of a page, which stand between ```sh and
// ```, into commands.sh, with these texts replaced.
func commands(ts *testscript.TestScript, _ bool, args []string) {
	var all strings.Builder
	inside := false
	for line := range strings.Lines(ts.ReadFile(args[0])) {
		switch {
		case strings.HasPrefix(line, "```"):
			inside = strings.TrimSpace(line) == "```sh"
		case inside:
			all.WriteString(line)
		}
	}
	if all.Len() == 0 {
		ts.Fatalf("%s holds no commands", args[0])
	}
	text := strings.NewReplacer(args[1:]...).Replace(all.String())
	ts.Check(os.WriteFile(ts.MkAbs("commands.sh"), []byte(text), 0o666))
}
