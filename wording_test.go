package capconform_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// certified finds words that would make a certificate of a result. What is quoted or denied,
// and the certificates of TLS, are none.
var (
	certified = regexp.MustCompile(`(?i)certif`)
	permitted = regexp.MustCompile(`(?i)"certified"|calls a subject certified|certifies (nobody|the subject)|certificates of authorities`)
)

// TestNoResultIsCalledCertified looks at everything that a user reads: pages, the action, and
// what the program and its reports print. Catalogues and schemas hold the words of others.
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
