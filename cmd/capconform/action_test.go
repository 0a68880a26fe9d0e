package main

import (
	"crypto/sha256"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// outputs FILE: reads a file of outputs as a runner does, and rewrites it with one line NAME=VALUE per output,
// because the delimiters differ from run to run.
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

// hosting VARIABLE FOLDER: serves the files of a folder over HTTP and sets the variable to the URL.
func hosting(ts *testscript.TestScript, _ bool, args []string) {
	server := httptest.NewServer(http.FileServer(http.Dir(ts.MkAbs(args[1]))))
	ts.Defer(server.Close)
	ts.Setenv(args[0], server.URL)
}

// checksum FOLDER NAME: writes the checksums.txt of a release that consists of this one file.
func checksum(ts *testscript.TestScript, _ bool, args []string) {
	sum := sha256.Sum256([]byte(ts.ReadFile(filepath.Join(args[0], args[1]))))
	line := fmt.Sprintf("%x  %s\n", sum, args[1])
	ts.Check(os.WriteFile(filepath.Join(ts.MkAbs(args[0]), "checksums.txt"), []byte(line), 0o666))
}
