package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
	"go.yaml.in/yaml/v3"
)

// commands PAGE [OLD NEW]...: writes the commands of a page, between ```sh and ```, to commands.sh, with the given
// replacements.
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
		ts.Fatalf("%s contains no commands", args[0])
	}
	text := strings.NewReplacer(args[1:]...).Replace(all.String())
	ts.Check(os.WriteFile(ts.MkAbs("commands.sh"), []byte(text), 0o666))
}

// workflow FILE: reads the first job of a workflow as a runner does. The inputs of the step that uses the action
// become variables INPUT_..., and the lines of run become steps.sh.
func workflow(ts *testscript.TestScript, _ bool, args []string) {
	var file struct {
		Jobs map[string]struct {
			Steps []struct {
				Uses, Run string
				With      map[string]string
			}
		}
	}
	ts.Check(yaml.Unmarshal([]byte(ts.ReadFile(args[0])), &file))
	var lines []string
	used := 0
	for _, job := range file.Jobs {
		for _, step := range job.Steps {
			if step.Run != "" {
				lines = append(lines, step.Run)
			}
			if !strings.HasPrefix(step.Uses, "capconform/capconform@") {
				continue
			}
			used++
			for name, value := range step.With {
				ts.Setenv("INPUT_"+strings.ToUpper(strings.ReplaceAll(name, " ", "_")), value)
			}
		}
	}
	if used != 1 || len(lines) == 0 {
		ts.Fatalf("%s uses the action %d times, and has %d lines", args[0], used, len(lines))
	}
	ts.Check(os.WriteFile(ts.MkAbs("steps.sh"), []byte("set -e\n"+strings.Join(lines, "\n")+"\n"), 0o666))
}

// fetched NAME FOLDER: copies a program of the path into a folder, as a download would.
func fetched(ts *testscript.TestScript, _ bool, args []string) {
	path, err := exec.LookPath(args[0])
	ts.Check(err)
	ts.Check(os.MkdirAll(args[1], 0o777))
	program, err := os.ReadFile(path)
	ts.Check(err)
	ts.Check(os.WriteFile(filepath.Join(args[1], args[0]), program, 0o777)) // it is run
}
