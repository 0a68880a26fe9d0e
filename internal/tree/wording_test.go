package tree

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// certified matches words that would call a result a certificate, and permitted the quotations and denials of them,
// and the certificates of TLS.
var (
	certified = regexp.MustCompile(`(?i)certif`)
	permitted = regexp.MustCompile(
		`(?i)"certified"|calls a subject certified|certifies (nobody|the subject)|certificates of authorities`,
	)
)

// TestNoResultIsCalledCertified checks everything that a user reads: pages, the action, and the output of the
// program. Catalogues and schemas contain the words of other authors.
func TestNoResultIsCalledCertified(t *testing.T) {
	read := 0
	for _, root := range []string{"README.md", "CHANGELOG.md", "CONTRIBUTING.md", "action.yml", "action", "docs", "reports", "cmd", "features"} {
		err := filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case entry.IsDir() && (entry.Name() == "testdata" || entry.Name() == "published" || entry.Name() == "node_modules"):
				return filepath.SkipDir
			case entry.IsDir(), strings.HasSuffix(name, "_test.go"), strings.HasSuffix(name, ".png"):
				return nil
			}
			text, err := os.ReadFile(name)
			require.NoError(t, err)
			read++
			for number, line := range strings.Split(string(text), "\n") {
				if rest := permitted.ReplaceAllString(line, ""); certified.MatchString(rest) {
					t.Errorf("%s:%d: a result is examined, never certified: %s", name, number+1, line)
				}
			}
			return nil
		})
		require.NoError(t, err)
	}
	require.Greater(t, read, 100)
}
