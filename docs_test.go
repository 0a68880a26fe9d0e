package capconform_test

import (
	"go/ast"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// functionSpan is a function or a method as docs/ARCHITECTURE.md names it: the package, the
// type of a method, the name.
var functionSpan = regexp.MustCompile("`([a-z][a-z0-9]*(?:\\.[A-Za-z][A-Za-z0-9]*){1,2})\\(\\)`")

// pathSpan is a file or a folder of this repository as a page names it.
var pathSpan = regexp.MustCompile("`((?:cmd|spec|schemas|features|suites|reference|reports|docs)/[A-Za-z0-9_./-]*)`")

func TestArchitectureNamesWhatExists(t *testing.T) {
	text := pageText(t, "docs/ARCHITECTURE.md")
	named := functionSpan.FindAllString(text, -1)
	if len(named) < 50 {
		t.Errorf("%d functions are named, want the functions of four paths: 50 or more", len(named))
	}
	for _, name := range unknownFunctions(text, functionNames(tree(t))) {
		t.Errorf("docs/ARCHITECTURE.md names %s(), which does not exist", name)
	}
	for _, span := range pathSpan.FindAllStringSubmatch(text, -1) {
		if _, err := os.Stat(span[1]); err != nil {
			t.Errorf("docs/ARCHITECTURE.md names %s: %v", span[1], err)
		}
	}
}

func TestUnknownFunctionsAreFound(t *testing.T) {
	s, err := parse("spec/x.go", "package spec\nfunc Load() {}\ntype List[T any] struct{}\nfunc (l *List[T]) Add() {}")
	require.NoError(t, err)
	text := "`spec.Load()` `spec.List.Add()` `spec.Lode()` `spec.Add()` `other.Load()` `capability.invoke`"
	got := unknownFunctions(text, functionNames([]source{s}))
	if want := []string{"spec.Lode", "spec.Add", "other.Load"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// unknownFunctions lists the functions that a page names and no package has.
func unknownFunctions(text string, known map[string]bool) []string {
	var unknown []string
	for _, span := range functionSpan.FindAllStringSubmatch(text, -1) {
		if !known[span[1]] {
			unknown = append(unknown, span[1])
		}
	}
	return unknown
}

// functionNames gives the functions and methods of files that are no tests, by the names of
// their packages.
func functionNames(all []source) map[string]bool {
	known := map[string]bool{}
	for _, s := range all {
		if s.test {
			continue
		}
		for _, declaration := range s.ast.Decls {
			if f, is := declaration.(*ast.FuncDecl); is {
				known[s.ast.Name.Name+"."+receiverPrefix(f)+f.Name.Name] = true
			}
		}
	}
	return known
}

// receiverPrefix gives the type of a method with a dot behind it, "" for a function.
func receiverPrefix(f *ast.FuncDecl) string {
	if f.Recv == nil {
		return ""
	}
	prefix := ""
	ast.Inspect(f.Recv.List[0].Type, func(n ast.Node) bool {
		if name, is := n.(*ast.Ident); is && prefix == "" {
			prefix = name.Name + "."
		}
		return prefix == ""
	})
	return prefix
}

// pageText reads a page of this repository.
func pageText(t *testing.T, page string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.FromSlash(page))
	require.NoError(t, err)
	return strings.ReplaceAll(string(text), "\r\n", "\n")
}
