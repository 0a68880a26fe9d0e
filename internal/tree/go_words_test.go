package tree

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// camel matches the boundary between two words of an identifier.
var camel = regexp.MustCompile(`([\p{Ll}\d])(\p{Lu})`)

// publicIDs are ids of mutants and variants that contain an avoided word. They stay because users rely on them.
var publicIDs = []string{
	"acp-uninstall-spares-open", "chp-end-lost-in-company", "acd-busy-guest", "acd-busy-guest-stays-twice",
	"cap-restless-callers", "cap-restless-contract", "cap-restless-description", "cap-restless-releases",
	"cap-restless-retirement", "cap-restless-returning", "cap-restless-rewriting", "cap-restless-upgrade",
	"cap-restless-visitor",
}

// withoutPublicIDs removes the literals that are a public id, with or without its suite.
func withoutPublicIDs(text string) string {
	for _, id := range publicIDs {
		_, short, _ := strings.Cut(id, "-")
		text = strings.NewReplacer(`"`+id+`"`, `""`, `"`+short+`"`, `""`).Replace(text)
	}
	return text
}

// goWords returns the avoided words of a Go file: in its name, its identifiers, comments and messages.
func goWords(name, text string) []string {
	text = withoutPublicIDs(text)
	words := camel.ReplaceAllString(strings.ReplaceAll(text, "_", " "), "$1 $2")
	file := strings.NewReplacer("_", " ", ".", " ").Replace(path.Base(name))
	return avoided.FindAllString(file+"\n"+words, -1)
}

func TestGoFilesUseTheWordsOfTheGlossary(t *testing.T) {
	read := 0
	err := filepath.WalkDir(".", func(file string, entry fs.DirEntry, err error) error {
		name := filepath.ToSlash(file)
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (entry.Name() == "testdata" || entry.Name() == "node_modules" || len(name) > 1 && strings.HasPrefix(entry.Name(), ".")):
			return filepath.SkipDir
		case entry.IsDir(), !strings.HasSuffix(name, ".go"), strings.HasPrefix(name, "internal/tree/") && strings.HasSuffix(name, "_words_test.go"):
			return nil
		}
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		read++
		for _, word := range goWords(name, string(text)) {
			t.Errorf("%s: %q is not a term of the field or plain English; see docs/GLOSSARY.md", name, word)
		}
		return nil
	})
	require.NoError(t, err)
	require.Greater(t, read, 500)
}

// An exempt id that no longer exists, or contains no avoided word, would exempt something else.
func TestEveryExemptIDIsPublic(t *testing.T) {
	text, err := os.ReadFile("cmd/capconform/internal/cli/testdata/public.txt")
	require.NoError(t, err)
	public := strings.Fields(string(text))
	for _, id := range publicIDs {
		require.Contains(t, public, id)
		require.True(t, avoided.MatchString(id), id)
	}
}

func TestAvoidedWordsOfGoFilesAreFound(t *testing.T) {
	text := "package x\n\n// a corner\nfunc isDeafHost() string { return \"in company\" }\n\nvar deaf_host = 1\n"
	require.Equal(t, []string{"fringe", "corner", "Deaf", "company", "deaf"}, goWords("x/acp_fringe.go", text))
	require.Empty(t, goWords("x/acp.go", "package x\n\n// cornerstone\nvar x = 1\n"))
	require.Empty(t, goWords("x/acp.go", `package x; var x = []string{"acp-uninstall-spares-open", "uninstall-spares-open"}`))
	require.Equal(t, []string{"spares", "spares"}, goWords("x/acp.go", `package x; var x = []string{"cap-uninstall-spares-open", "it spares"}`))
}
