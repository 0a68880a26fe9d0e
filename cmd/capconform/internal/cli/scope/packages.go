package scope

import (
	"context"
	"os"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/capconform/capconform/cmd/capconform/internal/cli/process"
	"github.com/capconform/capconform/cmd/capconform/internal/nearest"
	"github.com/capconform/capconform/suites"
	acpdocument "github.com/capconform/capconform/suites/acp/document"
	"github.com/capconform/capconform/suites/acp/signature"
	"github.com/capconform/capconform/suites/document"
)

// PackageFlags are the flags of lint for packages (ACP).
type PackageFlags struct {
	mode, Against, author, Document, profile string
}

func (f *PackageFlags) Register(flags *pflag.FlagSet) {
	flags.StringVar(&f.mode, "mode", acpdocument.ModeDraft, "judge packages as `MODE`: "+strings.Join(acpdocument.Modes(),
		" or ")+"; a draft may lack its signature")
	flags.StringVar(&f.Against, "against", "", "judge packages as upgrades of the package `OLD`")
	flags.StringVar(&f.author, "author-did", "", "the `DID` that must have signed the packages")
	flags.StringVar(&f.Document, "did-document", "", "the author's DID document, a JSON `FILE`; nothing is fetched")
	flags.StringVar(&f.profile, "signature-profile", "", "the `PROFILE` of signatures: "+strings.Join(Profiles(),
		", ")+" (default: the first; the others except detached are tried too)")
}

func Profiles() []string {
	var all []string
	for _, p := range signature.Profiles() {
		all = append(all, string(p))
	}
	return all
}

// largestDocument bounds a DID document, in bytes.
const largestDocument = 1 << 20

// Options adds the settings of the suite to the options of a subject.
func (f *PackageFlags) Options(to map[string]string) error {
	for _, c := range []struct {
		flag, value string
		known       []string
	}{
		{acpdocument.OptionMode, f.mode, acpdocument.Modes()},
		{acpdocument.OptionProfile, f.profile, Profiles()},
	} {
		omitted := c.flag == acpdocument.OptionProfile && c.value == ""
		if !omitted && !slices.Contains(c.known, c.value) {
			return process.Misuse("--%s: unknown %q%s", c.flag, c.value, nearest.Hint(c.value, c.known))
		}
		to[c.flag] = c.value
	}
	to[acpdocument.OptionAuthor] = f.author
	if f.Document == "" {
		return nil
	}
	if strings.Contains(f.Document, "://") || strings.HasPrefix(f.Document, "did:") {
		return process.Misuse("--did-document: %q is not a file, and nothing is fetched or resolved", f.Document)
	}
	info, err := os.Stat(f.Document)
	if err == nil && (!info.Mode().IsRegular() || info.Size() > largestDocument) {
		return process.Misuse("--did-document: %s is not a file of at most %d bytes", f.Document, largestDocument)
	}
	text, err := os.ReadFile(f.Document)
	if err != nil {
		return process.Misuse("--did-document: %v", err)
	}
	to[acpdocument.OptionDocument] = string(text)
	return nil
}

// Older reads the package that --against names.
func (f *PackageFlags) Older(ctx context.Context) ([]suites.Document, error) {
	if f.Against == "" {
		return nil, nil
	}
	file, err := document.Load(ctx, f.Against, document.Limits{})
	if err != nil {
		return nil, process.Misuse("--against: %v", err)
	}
	if !acpdocument.Recognises(file) {
		return nil, process.Misuse("--against: %s: not recognised as a package", f.Against)
	}
	return []suites.Document{*file}, nil
}
