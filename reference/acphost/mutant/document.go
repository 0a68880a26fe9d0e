package acpmutant

import (
	"bytes"
	"cmp"
	"crypto/ed25519"
	"crypto/sha256"
	"embed"
	"encoding/binary"
	"fmt"
	"strings"
	"unicode/utf16"

	"github.com/mr-tron/base58"
	"go.yaml.in/yaml/v3"

	"github.com/capconform/capconform/reference/mutant"
)

//go:embed documents/*.acp.yaml
var validPackages embed.FS

//go:embed packages.yaml
var revisionFile []byte

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
type swap struct{ From, To string }

// revision changes a valid package in one respect. The result is signed again, as its author would do.
type revision struct {
	Name, Breaks, Base, Summary string
	Without                     []string // sections that are removed first
	swap                        `yaml:",inline"`
	Swaps                       []swap
	AfterSigning                []swap `yaml:"afterSigning"` // changes after signing
	File                        string // another file name; "" for the usual one
	Content                     string // replaces the whole text, if not ""
	Encoding                    string // utf-16 or utf-32; "" for UTF-8
	Also                        map[string]string
}

// revisions returns the rows of packages.yaml.
func revisions() ([]revision, error) {
	var rows []struct {
		revision  `yaml:",inline"`
		Revisions []revision
	}
	decoder := yaml.NewDecoder(bytes.NewReader(revisionFile))
	decoder.KnownFields(true)
	if err := decoder.Decode(&rows); err != nil {
		return nil, err
	}
	var all []revision
	for _, row := range rows {
		if row.Revisions == nil {
			all = append(all, row.revision)
		}
		for _, r := range row.Revisions {
			r.Breaks, r.Base, r.From = cmp.Or(r.Breaks, row.Breaks), cmp.Or(r.Base, row.Base), cmp.Or(r.From, row.From)
			all = append(all, r)
		}
	}
	return all, nil
}

// Documents returns the valid and the broken packages.
func Documents() ([]mutant.Document, error) {
	var all []revision
	for _, base := range packageBases {
		all = append(all, revision{Name: "sound", Base: base, Summary: "Is valid."})
	}
	rows, err := revisions()
	if err != nil {
		return nil, fmt.Errorf("mutant: packages.yaml: %w", err)
	}
	var documents []mutant.Document
	for _, r := range append(all, rows...) {
		d, err := r.document()
		if err != nil {
			return nil, fmt.Errorf("mutant: %s of %s: %w", r.Name, r.Base, err)
		}
		documents = append(documents, d)
	}
	return documents, nil
}

// document returns the document that the revision makes.
func (r revision) document() (mutant.Document, error) {
	text, err := packageText(r.Base)
	if err != nil {
		return mutant.Document{}, err
	}
	text = cmp.Or(r.Content, text)
	for _, section := range r.Without {
		text = withoutSection(text, section)
	}
	if r.From != "" {
		r.Swaps = append(r.Swaps, r.swap)
	}
	if text, err = swapped(text, r.Swaps); err != nil {
		return mutant.Document{}, err
	}
	if text, err = swapped(sign(text), r.AfterSigning); err != nil {
		return mutant.Document{}, err
	}
	name := "acp-" + r.Base + "-" + r.Name
	d := mutant.Document{
		Name: name + "-yaml", Suite: "acp", Requirement: r.Breaks, Summary: r.Summary, Base: r.Base,
		File: cmp.Or(r.File, name+".acp.yaml"), Content: encoded(text, r.Encoding), Publishable: r.Base == published,
	}
	for id, reason := range r.Also {
		d.Also = append(d.Also, mutant.Also{ID: id, Reason: reason})
	}
	if r.Base == upgraded {
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
		if !strings.Contains(text, s.From) {
			return "", fmt.Errorf("nothing like %q", s.From)
		}
		text = strings.ReplaceAll(text, s.From, s.To)
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

// encoded returns a text in UTF-16LE with a byte order mark, in UTF-32BE without one, or in UTF-8.
func encoded(text, encoding string) []byte {
	var all []byte
	switch encoding {
	case "utf-16":
		for _, unit := range utf16.Encode([]rune("\ufeff" + text)) {
			all = binary.LittleEndian.AppendUint16(all, unit)
		}
	case "utf-32":
		for _, r := range text {
			all = binary.BigEndian.AppendUint32(all, uint32(r))
		}
	default:
		return []byte(text)
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
