package acpmutant

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"embed"
	"encoding/binary"
	"fmt"
	"strings"
	"unicode/utf16"

	"github.com/mr-tron/base58"

	"github.com/capconform/capconform/reference/mutant"
)

//go:embed documents/*.acp.yaml
var validPackages embed.FS

// The valid packages on which revisions are based. Bases with the same file differ in how they are
// examined: as a draft, as a package to be published, or as an upgrade.
const (
	pantry    = "pantry"           // contains everything that the text defines
	stamp     = "stamp"            // JSON, without tools, prompt and permissions
	tide      = "tide"             // other styles of YAML
	diary     = "diary"            // a small package with a state tool
	published = "pantry-published" // pantry, to be published
	upgraded  = "diary-upgraded"   // an upgrade of diary
)

// packageBases lists the valid packages.
var packageBases = []string{pantry, stamp, tide, diary, published, upgraded}

// swap replaces every occurrence of a text in a file.
type swap struct{ from, to string }

// revision changes a valid package in one respect. The result is signed again, as its author would do;
// changes in resigned are made after signing.
type revision struct {
	name, requirement, base, summary string
	without                          []string // sections that are removed first
	swaps                            []swap
	afterSigning                     []swap                   // changes after signing
	file                             string                   // another file name; "" for the usual one
	content                          string                   // replaces the whole text, if not ""
	encode                           func(text string) []byte // nil: UTF-8
	also                             []mutant.Also
}

// changes returns one revision for each form. A form has a name, a summary, and a text that replaces
// from.
func changes(requirement, base, from string, forms ...[3]string) []revision {
	var all []revision
	for _, f := range forms {
		all = append(all,
			revision{name: f[0], requirement: requirement, base: base, summary: f[1], swaps: []swap{{from, f[2]}}})
	}
	return all
}

// Documents returns the valid and the broken packages.
func Documents() ([]mutant.Document, error) {
	var all []revision
	for _, base := range packageBases {
		all = append(all, revision{name: "sound", base: base, summary: "Is valid."})
	}
	var documents []mutant.Document
	for _, group := range [][]revision{all, validRevisions(), styleRevisions(), sectionRevisions(),
		memberRevisions(), notationRevisions(),
		fieldRevisions(), triggerRevisions(), requirementRevisions(), toolRevisions(), bindingRevisions(),
		permissionRevisions(), stateRevisions(), invalidPermissionRevisions(), signatureRevisions(), validUpgrades(),
		upgradeRevisions()} {
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

// document returns the document that the revision makes.
func (r revision) document() (mutant.Document, error) {
	text, err := packageText(r.base)
	if err != nil {
		return mutant.Document{}, err
	}
	if r.content != "" {
		text = r.content
	}
	for _, section := range r.without {
		text = withoutSection(text, section)
	}
	if text, err = swapped(text, r.swaps); err != nil {
		return mutant.Document{}, err
	}
	if text, err = swapped(sign(text), r.afterSigning); err != nil {
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
	if r.encode != nil {
		d.Content = r.encode(text)
	}
	switch r.base {
	case published:
		d.Publishable = true
	case upgraded:
		old, err := packageText(diary)
		if err != nil {
			return mutant.Document{}, err
		}
		d.Against = []byte(sign(old))
	}
	return d, nil
}

// packageText returns a valid package in which the signature is missing.
func packageText(base string) (string, error) {
	file := map[string]string{published: pantry, upgraded: diary}[base]
	if file == "" {
		file = base
	}
	text, err := validPackages.ReadFile("documents/" + file + ".acp.yaml")
	if err != nil || base != upgraded {
		return string(text), err // the caller names the file
	}
	return swapped(string(text), []swap{
		{"diary@2.0.0", "diary@2.1.0"}, {`"pages"`, `"weather": {"type": "string"}, "pages"`},
	})
}

// swapped returns a text with replacements. It returns an error if a text to replace is missing.
func swapped(text string, swaps []swap) (string, error) {
	for _, s := range swaps {
		if !strings.Contains(text, s.from) {
			return "", fmt.Errorf("nothing like %q", s.from)
		}
		text = strings.ReplaceAll(text, s.from, s.to)
	}
	return text, nil
}

// withoutSection returns a text without the lines of a top-level section.
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

// encodeUTF16 encodes a text as UTF-16LE with a byte order mark.
func encodeUTF16(text string) []byte {
	var all []byte
	for _, unit := range utf16.Encode([]rune("\ufeff" + text)) {
		all = binary.LittleEndian.AppendUint16(all, unit)
	}
	return all
}

// encodeUTF32 encodes a text as UTF-32BE without a byte order mark.
func encodeUTF32(text string) []byte {
	var all []byte
	for _, r := range text {
		all = binary.BigEndian.AppendUint32(all, uint32(r))
	}
	return all
}

// signaturePlaceholder is the text in a file that the signature replaces.
const signaturePlaceholder = "SIGNATURE"

// authorSeed is the value of each byte of the seed of the author's key.
const authorSeed = 7

// sign returns a text with its signature: Ed25519 over the SHA-256 of the file in which two quotes
// replace the token and its quotes.
func sign(text string) string {
	token := signaturePlaceholder
	for _, quote := range []string{`"`, `'`} {
		if strings.Contains(text, quote+signaturePlaceholder+quote) {
			token = quote + signaturePlaceholder + quote
		}
	}
	digest := sha256.Sum256([]byte(strings.Replace(text, token, `""`, 1)))
	key := ed25519.NewKeyFromSeed(bytes.Repeat([]byte{authorSeed}, ed25519.SeedSize))
	return strings.Replace(text, signaturePlaceholder, "z"+base58.Encode(ed25519.Sign(key, digest[:])), 1)
}
