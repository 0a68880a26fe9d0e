package tree

import (
	"go/ast"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// functionSpan matches a function or method in docs/ARCHITECTURE.md: the package, the type of a method, and the name.
var functionSpan = regexp.MustCompile("`([a-z][a-z0-9]*(?:\\.[A-Za-z][A-Za-z0-9]*){1,2})\\(\\)`")

// pathSpan matches a file or folder of this repository in a page.
var pathSpan = regexp.MustCompile("`((?:cmd|spec|schemas|features|suites|reference|reports|docs)/[A-Za-z0-9_./-]*)`")

func TestArchitectureNamesWhatExists(t *testing.T) {
	text := pageText(t, "docs/ARCHITECTURE.md")
	named := functionSpan.FindAllString(text, -1)
	if len(named) < 50 {
		t.Errorf("%d functions are named, want at least 50", len(named))
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

// unknownFunctions returns the functions that a page names but no package has.
func unknownFunctions(text string, known map[string]bool) []string {
	var unknown []string
	for _, span := range functionSpan.FindAllStringSubmatch(text, -1) {
		if !known[span[1]] {
			unknown = append(unknown, span[1])
		}
	}
	return unknown
}

// functionNames returns the functions and methods outside tests, qualified by their packages.
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

// receiverPrefix returns the type of a method followed by a dot, or "" for a function.
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

// designReference matches a reference to sections of DESIGN in a text without line breaks.
var designReference = regexp.MustCompile(`DESIGN(?:\.md)?,? (?:sections? )?(\d+(?:(?:,| and| to|,? or) \d+)*)?`)

// designHeading matches the heading of a section of DESIGN.
var designHeading = regexp.MustCompile(`(?m)^## (\d+)\. `)

func TestReferencesToDesignResolve(t *testing.T) {
	sections := designSections(pageText(t, "docs/DESIGN.md"))
	require.Greater(t, len(sections), 10)
	found := 0
	for _, file := range textFiles(t) {
		text := pageText(t, file)
		wrong, all := unknownSections(text, sections)
		found += all
		for _, reference := range wrong {
			t.Errorf("%s: %q does not name a section of docs/DESIGN.md", file, reference)
		}
	}
	if found < 50 {
		t.Errorf("%d references were found, want at least 50", found)
	}
}

func TestUnknownSectionsAreFound(t *testing.T) {
	sections := designSections("# x\n## 1. A\n\n## 12. B\n")
	text := "// x (DESIGN section\n// 12, 1). DESIGN 12 and DESIGN.md sections 1 and 2, not DESIGN section 13. See DESIGN section of x."
	wrong, _ := unknownSections(text, sections)
	if want := []string{"DESIGN.md sections 1 and 2", "DESIGN section 13", "DESIGN section"}; !slices.Equal(
		wrong,
		want,
	) {
		t.Errorf("got %q, want %q", wrong, want)
	}
}

func designSections(text string) map[string]bool {
	sections := map[string]bool{}
	for _, heading := range designHeading.FindAllStringSubmatch(text, -1) {
		sections[heading[1]] = true
	}
	return sections
}

// lineBreak matches a line break with the surrounding comment sign and indentation.
var lineBreak = regexp.MustCompile(`[ \t]*\n[ \t]*(?://|#)?[ \t]*`)

// number matches the number of a section.
var number = regexp.MustCompile(`\d+`)

// unknownSections returns the references to DESIGN that name a missing section, or none, and the number of all
// references.
func unknownSections(text string, sections map[string]bool) (wrong []string, all int) {
	for _, match := range designReference.FindAllStringSubmatch(lineBreak.ReplaceAllString(text, " "), -1) {
		reference := strings.TrimSpace(match[0])
		if reference == "DESIGN" || reference == "DESIGN.md" || reference == "DESIGN," || reference == "DESIGN.md," {
			continue // the page as a whole
		}
		all++
		numbers := number.FindAllString(match[1], -1)
		if len(numbers) == 0 || slices.ContainsFunc(numbers, func(n string) bool { return !sections[n] }) {
			wrong = append(wrong, reference)
		}
	}
	return wrong, all
}

// conflict matches a line that a merge leaves in a conflict.
var conflict = regexp.MustCompile(`(?m)^(<<<<<<<|>>>>>>>) .+$`)

func TestNoMergeConflictsRemain(t *testing.T) {
	require.Equal(t, []string{"<<<<<<< HEAD"}, conflict.FindAllString("a\n<<<<<<< HEAD\nb <<<<<<< c\n", -1))
	for _, file := range textFiles(t) {
		for _, line := range conflict.FindAllString(pageText(t, file), -1) {
			t.Errorf("%s: %q remains from a merge", file, line)
		}
	}
}

// textFiles returns the files of this repository that people write, except this test.
func textFiles(t *testing.T) []string {
	t.Helper()
	var all []string
	err := filepath.WalkDir(".", func(name string, entry fs.DirEntry, err error) error {
		switch base := entry.Name(); {
		case err != nil:
			return err
		case entry.IsDir() && name != "." && (base == "node_modules" || strings.HasPrefix(base, ".") || base == "out"):
			return filepath.SkipDir
		case entry.IsDir(), base == "docs_test.go", base == "package-lock.json":
			return nil
		case slices.Contains([]string{".go", ".md", ".yaml", ".feature", ".txtar", ".py"}, filepath.Ext(base)), base == "Makefile":
			all = append(all, name)
		}
		return nil
	})
	require.NoError(t, err)
	return all
}
