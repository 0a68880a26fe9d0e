package acpdocument

import (
	"bytes"
	"crypto/ed25519"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/suites/acp/signature"
)

const (
	author   = "did:key:z6MkvDqGT54cXesYGvABpF1UapVNwjCqRcafi4Px6Thv5T3Z" // the public key of the private key whose bytes are all 07
	somebody = "did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK"
)

func signed(t *testing.T, profile signature.Profile, text string) string {
	t.Helper()
	out, _, err := signature.Sign(
		profile,
		[]byte(text),
		ed25519.NewKeyFromSeed(bytes.Repeat([]byte{7}, ed25519.SeedSize)),
	)
	require.NoError(t, err)
	return string(out)
}

// documentOf returns the author's DID document.
func documentOf(id string) string {
	return `{"id": "` + id + `", "verificationMethod": [{"id": "#k", "type": "Ed25519VerificationKey2020", "publicKeyMultibase": "` +
		strings.TrimPrefix(author, "did:key:") + `"}], "assertionMethod": ["#k"]}`
}

// signatureCase is a package with the expected messages on its signature.
type signatureCase struct {
	name, text string
	options    map[string]string
	want       []string // the messages on signatures
}

func checkSignatures(t *testing.T, cases []signatureCase) {
	t.Helper()
	for _, c := range cases {
		got := []string{}
		for _, line := range found(t, c.options, nil, file(t, "a.acp.yaml", c.text)) {
			if strings.Contains(line, IDSignature) || strings.Contains(line, IDDraft) {
				got = append(got, line)
			}
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

func TestSignatures(t *testing.T) {
	note := example(t, "note")
	valid := signed(t, signature.BlankToken, note)
	own := signed(t, signature.BlankToken, strings.Replace(note, "  name: \"Note\"", "  author: {did: \""+author+"\"}\n  name: \"Note\"", 1))
	elsewhere := signed(t, signature.BlankToken, strings.Replace(note, "  name: \"Note\"", "  author: {did: \"did:web:example.org\"}\n  name: \"Note\"", 1))
	checkSignatures(t, []signatureCase{
		{"valid", valid, map[string]string{OptionAuthor: author}, []string{}},
		{"valid, publishable", valid, map[string]string{OptionAuthor: author, OptionMode: ModePublishable}, []string{}},
		{"by a document", valid, map[string]string{OptionDocument: documentOf("did:web:example.org")}, []string{}},
		{"by a document of the author", valid, map[string]string{OptionDocument: documentOf("did:web:example.org"), OptionAuthor: "did:web:example.org"}, []string{}},
		{"self-asserted", own, nil, []string{"16:14 notice ACP-FIELD-13: the signature is self-asserted: only the package names " + author + " as its author; state the author by --author-did"}},
		{"self-asserted and known", own, map[string]string{OptionAuthor: author}, []string{}},
		{"self-asserted with another author", own, map[string]string{OptionAuthor: somebody},
			[]string{"16:14 ACP-FIELD-13: the signature is not valid for the author " + somebody + ": no key of the author signed this file (profile blank-token-ed25519)"}},
		{"author not resolved", elsewhere, nil, []string{
			"open ACP-FIELD-13: the signature of a.acp.yaml cannot be verified: \"did:web:example.org\", whom only the package names, is not resolved; supply --did-document",
			"16:14 warning ACP-FIELD-13: the signature cannot be verified: \"did:web:example.org\", whom only the package names, is not resolved; supply --did-document"}},
		{"unknown author", valid, map[string]string{OptionMode: ModePublishable}, []string{
			"open ACP-FIELD-13: the signature of a.acp.yaml cannot be verified: the author is unknown; supply --author-did or --did-document",
			"15:14 warning ACP-FIELD-13: the signature cannot be verified: the author is unknown; supply --author-did or --did-document"}},
	})
}

// TestSignaturesInOtherForms verifies changed, damaged and differently encoded signatures.
func TestSignaturesInOtherForms(t *testing.T) {
	note := example(t, "note")
	valid := signed(t, signature.BlankToken, note)
	value, err := signature.Value([]byte(valid))
	require.NoError(t, err)
	raw, err := signature.Decode(value)
	require.NoError(t, err)
	other := strings.Replace(valid, value, hex.EncodeToString(raw), 1)
	before, behind, _ := strings.Cut(note, "zDIDSig1xyz…")
	bare := before + "zDIDSig1xyz…" + behind[strings.Index(behind, "\n"):]
	canonical := signed(t, signature.JCS, bare)
	folded := func(text string) string {
		value, err := signature.Value([]byte(text))
		require.NoError(t, err)
		return strings.Replace(text, value, ">-\n    "+value, 1)
	}
	undefined := []string{"open ACP-FIELD-13: the signature of a.acp.yaml has a form that no profile defines",
		"15:14 warning ACP-FIELD-13: the signature cannot be verified: it has a form that no profile defines"}
	checkSignatures(t, []signatureCase{
		{"changed", strings.Replace(valid, "You are Note", "You are Vote", 1), map[string]string{OptionAuthor: author},
			[]string{"15:14 ACP-FIELD-13: the signature is not valid for the author " + author + ": no key of the author signed this file (profile blank-token-ed25519)"}},
		{"damaged", strings.Replace(valid, value, value[:20]+"0"+value[21:], 1), map[string]string{OptionAuthor: author},
			[]string{"15:14 ACP-FIELD-13: the signature cannot be decoded, or does not have the length of a signature"}},
		{"another encoding", other, map[string]string{OptionAuthor: author}, []string{}},
		{"changed, another encoding", strings.Replace(other, "You are Note", "You are Vote", 1),
			map[string]string{OptionAuthor: author, OptionMode: ModePublishable}, undefined},
		{"folded", folded(signed(t, signature.BlankToken, bare)), map[string]string{OptionAuthor: author}, undefined},
		{"folded, of the canonical form", folded(canonical), map[string]string{OptionAuthor: author},
			[]string{"15:14 notice ACP-FIELD-13: the signature has the profile jcs, not blank-token-ed25519"}},
		{"another profile", canonical, map[string]string{OptionAuthor: author},
			[]string{"15:14 notice ACP-FIELD-13: the signature has the profile jcs, not blank-token-ed25519"}},
		{"another profile, requested", signed(t, signature.RemoveLine, note), map[string]string{OptionAuthor: author, OptionProfile: "remove-line"}, []string{}},
		{"another profile than the requested one", valid, map[string]string{OptionAuthor: author, OptionProfile: "remove-line"},
			[]string{"15:14 ACP-FIELD-13: the signature is not valid for the author " + author + ": no key of the author signed this file (profile remove-line)"}},
		{"number", strings.Replace(note, "signature: zDIDSig1xyz…", "signature: 12", 1), map[string]string{OptionMode: ModePublishable},
			[]string{`15:14 ACP-FIELD-13: the signature "12" cannot be decoded: want base58btc multibase, z and about 87 characters`}},
		{"empty", strings.Replace(note, "signature: zDIDSig1xyz…", `signature: ""`, 1), nil, []string{"15:14 ACP-FIELD-20: the package is not signed"}},
		{"misspelt", strings.Replace(note, "signature: zDIDSig1xyz…", `signatur: z1`, 1), nil, []string{`3:3 ACP-FIELD-20: the package is not signed; is it the member "signatur"?`}},
		{"placeholder with a known author", note, map[string]string{OptionAuthor: author},
			[]string{`15:14 ACP-FIELD-20: the signature "zDIDSig1xyz…" cannot be decoded: want base58btc multibase, z and about 87 characters`}},
	})
}

// A detached signature is in a file next to the package.
func TestDetachedSignature(t *testing.T) {
	path := filepath.Join(t.TempDir(), "note.acp.yaml")
	note := example(t, "note")
	options := map[string]string{OptionAuthor: author, OptionProfile: "detached", OptionMode: ModePublishable}
	lines := found(t, options, nil, file(t, path, note))
	require.Contains(t, strings.Join(lines, "\n"), "the package is not signed: there is no signature in "+path+".sig")
	_, value, err := signature.Sign(
		signature.Detached,
		[]byte(note),
		ed25519.NewKeyFromSeed(bytes.Repeat([]byte{7}, ed25519.SeedSize)),
	)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(path+".sig", []byte(value+"\n"), 0o600))
	require.Empty(t, rules(found(t, options, nil, file(t, path, note))))
	require.Equal(t, []string{IDSignature}, rules(found(t, options, nil, file(t, path, note+"# more\n"))))
}

// A change of one byte anywhere in a signed package leads to a finding or a warning; the package never passes as
// signed by its author.
func TestEveryChangedByteIsDetected(t *testing.T) {
	valid := signed(t, signature.BlankToken, example(t, "weatherreporter"))
	options := map[string]string{OptionAuthor: author, OptionMode: ModePublishable}
	require.Empty(t, rules(found(t, options, nil, file(t, "a.acp.yaml", valid))))
	const step = 7 // package signature tries all bytes
	for i := 0; i < len(valid); i += step {
		changed := []byte(valid)
		changed[i] ^= 1
		if got := rules(found(t, options, nil, file(t, "a.acp.yaml", string(changed)))); len(got) == 0 {
			t.Errorf("byte %d: %q in place of %q is not detected", i, changed[i], valid[i])
		}
	}
}

func TestInvalidOptionsAreRefused(t *testing.T) {
	for _, c := range []struct {
		options map[string]string
		want    string
	}{
		{map[string]string{OptionMode: "final"}, `--mode: unknown value "final"`},
		{map[string]string{OptionProfile: "pgp"}, `--signature-profile: unknown value "pgp"`},
		{map[string]string{OptionAuthor: "me"}, "--author-did: did: a DID begins with"},
		{map[string]string{OptionAuthor: "did:key:zQ3"}, "--author-did: "},
		{map[string]string{OptionDocument: "{"}, "--did-document: did: the DID document is not JSON"},
		{map[string]string{OptionDocument: `{"id": 1}`}, "has no id that is a DID"},
		{map[string]string{OptionDocument: documentOf("did:web:a"), OptionAuthor: "did:web:b"}, "--did-document is the document of did:web:a"},
	} {
		_, err := newSettings(c.options)
		require.ErrorContains(t, err, c.want)
	}
}
