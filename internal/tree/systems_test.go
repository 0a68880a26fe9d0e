package tree

import (
	"os"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/go/packages"
)

// TestOtherSystems checks the types in every package, including tests, for the other systems of a release. It
// generates no code, and so takes a tenth of the time of a build without a build cache. CI also runs the tests there.
func TestOtherSystems(t *testing.T) {
	if testing.Short() {
		t.Skip("lists and reads all packages")
	}
	for _, system := range []string{"darwin", "linux", "windows"} {
		if system == runtime.GOOS {
			continue
		}
		t.Run(system, func(t *testing.T) {
			all, err := packages.Load(&packages.Config{
				Mode:  packages.NeedImports | packages.NeedDeps | packages.NeedSyntax | packages.NeedTypes,
				Tests: true,
				Env:   append(os.Environ(), "GOOS="+system, "CGO_ENABLED=0"),
			}, "./...")
			require.NoError(t, err)
			require.Greater(t, len(all), 100)
			var wrong []packages.Error
			packages.Visit(all, nil, func(p *packages.Package) { wrong = append(wrong, p.Errors...) })
			require.Empty(t, wrong)
		})
	}
}
