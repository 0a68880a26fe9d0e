package cli

import (
	"context"
	"os"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/capconform/capconform/cmd/capconform/internal/nearest"
	"github.com/capconform/capconform/suites"
	acpsuite "github.com/capconform/capconform/suites/acp"
	"github.com/capconform/capconform/suites/acp/signature"
	"github.com/capconform/capconform/suites/document"
)

// packageFlags are the flags of lint for packages (ACP).
type packageFlags struct {
	mode, against, author, document, profile string
}

func (f *packageFlags) register(flags *pflag.FlagSet) {
	flags.StringVar(&f.mode, "mode", acpsuite.ModeDraft, "judge packages as `MODE`: "+strings.Join(acpsuite.Modes(),
		" or ")+"; a draft may lack its signature")
	flags.StringVar(&f.against, "against", "", "judge packages as upgrades of the package `OLD`")
	flags.StringVar(&f.author, "author-did", "", "the `DID` that must have signed the packages")
	flags.StringVar(&f.document, "did-document", "", "the author's DID document, a JSON `FILE`; nothing is fetched")
	flags.StringVar(&f.profile, "signature-profile", "", "the `PROFILE` of signatures: "+strings.Join(profiles(),
		", ")+" (default: the first; the others except detached are tried too)")
}

func profiles() []string {
	var all []string
	for _, p := range signature.Profiles() {
		all = append(all, string(p))
	}
	return all
}

// largestDocument bounds a DID document, in bytes.
const largestDocument = 1 << 20

// options adds the settings of the suite to the options of a subject.
func (f *packageFlags) options(to map[string]string) error {
	for _, c := range []struct {
		flag, value string
		known       []string
	}{{acpsuite.OptionMode, f.mode, acpsuite.Modes()}, {acpsuite.OptionProfile, f.profile, profiles()}} {
		omitted := c.flag == acpsuite.OptionProfile && c.value == ""
		if !omitted && !slices.Contains(c.known, c.value) {
			return misuse("--%s: unknown %q%s", c.flag, c.value, nearest.Hint(c.value, c.known))
		}
		to[c.flag] = c.value
	}
	to[acpsuite.OptionAuthor] = f.author
	if f.document == "" {
		return nil
	}
	if strings.Contains(f.document, "://") || strings.HasPrefix(f.document, "did:") {
		return misuse("--did-document: %q is not a file, and nothing is fetched or resolved", f.document)
	}
	info, err := os.Stat(f.document)
	if err == nil && (!info.Mode().IsRegular() || info.Size() > largestDocument) {
		return misuse("--did-document: %s is not a file of at most %d bytes", f.document, largestDocument)
	}
	text, err := os.ReadFile(f.document)
	if err != nil {
		return misuse("--did-document: %v", err)
	}
	to[acpsuite.OptionDocument] = string(text)
	return nil
}

// older reads the package that --against names.
func (f *packageFlags) older(ctx context.Context) ([]suites.Document, error) {
	if f.against == "" {
		return nil, nil
	}
	file, err := document.Load(ctx, f.against, document.Limits{})
	if err != nil {
		return nil, misuse("--against: %v", err)
	}
	if !acpsuite.Recognises(file) {
		return nil, misuse("--against: %s: not recognised as a package", f.against)
	}
	return []suites.Document{*file}, nil
}
