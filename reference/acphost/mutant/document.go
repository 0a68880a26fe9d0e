package acpmutant

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"embed"
	"fmt"
	"strings"

	"github.com/mr-tron/base58"

	"github.com/capconform/capconform/reference/mutant"
)

//go:embed documents/*.acp.yaml
var soundPackages embed.FS

// Bases of packages. Those of one file differ in how they are examined: as a
// draft, as what is about to be published, or as an upgrade of what is out.
const (
	pantry    = "pantry"           // holds everything that the text knows
	stamp     = "stamp"            // JSON, without tools, prompt and permissions
	tide      = "tide"             // other styles of YAML
	diary     = "diary"            // a small package with a state tool
	published = "pantry-published" // pantry, publishable
	upgraded  = "diary-upgraded"   // an upgrade of diary
)

// packageBases are the sound packages.
var packageBases = []string{pantry, stamp, tide, diary, published, upgraded}

// swap is a piece of a file and what is put in its place, wherever it stands.
type swap struct{ from, to string }

// revision changes a sound package in one respect. The result is signed anew, as
// its author would do it, unless the signature is what is changed.
type revision struct {
	name, requirement, base, summary string
	without                          []string // sections that are taken out first
	swaps                            []swap
	resigned                         []swap // made after the signature
	file                             string // another name of the file
	whole                            string // another text altogether
	also                             []mutant.Also
}

// Documents gives the packages, sound and broken.
func Documents() ([]mutant.Document, error) {
	var all []revision
	for _, base := range packageBases {
		all = append(all, revision{name: "sound", base: base, summary: "Is sound."})
	}
	var documents []mutant.Document
	for _, group := range [][]revision{all, soundRevisions(), sectionRevisions(), fieldRevisions(), toolRevisions(),
		stateRevisions(), placelessRevisions(), signatureRevisions(), upgradeRevisions()} {
		for _, r := range group {
			d, err := r.document()
			if err != nil {
				return nil, fmt.Errorf("mutant: %s of %s: %w", r.name, r.base, err)
			}
			documents = append(documents, d)
		}
	}
	return documents, nil
}

// document makes the file.
func (r revision) document() (mutant.Document, error) {
	text, err := packageText(r.base)
	if err != nil {
		return mutant.Document{}, err
	}
	if r.whole != "" {
		text = r.whole
	}
	for _, section := range r.without {
		text = withoutSection(text, section)
	}
	if text, err = swapped(text, r.swaps); err != nil {
		return mutant.Document{}, err
	}
	if text, err = swapped(signed(text), r.resigned); err != nil {
		return mutant.Document{}, err
	}
	d := mutant.Document{
		Name: "acp-" + r.base + "-" + r.name + "-yaml", Suite: "acp", Requirement: r.requirement, Summary: r.summary,
		Base: r.base,
		File: "acp-" + r.base + "-" + r.name + ".acp.yaml", Content: []byte(text), Also: r.also,
	}
	if r.file != "" {
		d.File = r.file
	}
	switch r.base {
	case published:
		d.Publishable = true
	case upgraded:
		old, err := packageText(diary)
		if err != nil {
			return mutant.Document{}, err
		}
		d.Against = []byte(signed(old))
	}
	return d, nil
}

// packageText gives a sound package that is not signed yet.
func packageText(base string) (string, error) {
	file := map[string]string{published: pantry, upgraded: diary}[base]
	if file == "" {
		file = base
	}
	text, err := soundPackages.ReadFile("documents/" + file + ".acp.yaml")
	if err != nil || base != upgraded {
		return string(text), err // the caller says which
	}
	return swapped(string(text), []swap{
		{"diary@2.0.0", "diary@2.1.0"}, {`"pages"`, `"weather": {"type": "string"}, "pages"`},
	})
}

// swapped makes the changes. Each has to find its place.
func swapped(text string, swaps []swap) (string, error) {
	for _, s := range swaps {
		if !strings.Contains(text, s.from) {
			return "", fmt.Errorf("nothing like %q", s.from)
		}
		text = strings.ReplaceAll(text, s.from, s.to)
	}
	return text, nil
}

// withoutSection takes the lines of a top-level section out.
func withoutSection(text, section string) string {
	var kept strings.Builder
	inside := false
	for line := range strings.Lines(text) {
		if line != "\n" && !strings.HasPrefix(line, " ") && !strings.HasPrefix(line, "- ") {
			inside = strings.HasPrefix(line, section+":")
		}
		if !inside {
			kept.WriteString(line)
		}
	}
	return kept.String()
}

// unsigned stands in a file where its signature will be.
const unsigned = "SIGNATURE"

// authorSeed is each byte of the seed of the author's key.
const authorSeed = 7

// signed puts the signature into its place: Ed25519 over the SHA-256 of the file
// with two quotes in place of the token, whatever its quotes are.
func signed(text string) string {
	token := unsigned
	for _, quote := range []string{`"`, `'`} {
		if strings.Contains(text, quote+unsigned+quote) {
			token = quote + unsigned + quote
		}
	}
	digest := sha256.Sum256([]byte(strings.Replace(text, token, `""`, 1)))
	key := ed25519.NewKeyFromSeed(bytes.Repeat([]byte{authorSeed}, ed25519.SeedSize))
	return strings.Replace(text, unsigned, "z"+base58.Encode(ed25519.Sign(key, digest[:])), 1)
}
