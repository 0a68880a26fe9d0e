package router

import (
	"bytes"
	"cmp"
	"context"
	"crypto/ed25519"
	"crypto/rand"

	"github.com/mr-tron/base58"

	"github.com/capconform/capconform/suites/acp/act"
	"github.com/capconform/capconform/suites/acp/content"
	"github.com/capconform/capconform/suites/acp/environment"
	"github.com/capconform/capconform/suites/acp/history"
	"github.com/capconform/capconform/suites/acp/sample"
	"github.com/capconform/capconform/suites/acp/signature"
	"github.com/capconform/capconform/suites/verdict"
)

// Flaw turns a valid package into an invalid one. It breaks one rule.
type Flaw struct {
	Kind  string                // see history.FlawUnsigned
	What  string                // what is wrong, in words that follow "a package"
	Rule  string                // the requirement that the package breaks; "" if its signature is wrong
	Form  string                // see history.FormNewer; "" if the package was never seen before
	Shape func(*sample.Package) // changes the package before it is written
	Edit  Editing               // changes the text before it is signed

	// sign signs the package; if nil, the author signs it.
	sign  func(context.Context, *act.Maker, act.Asking, *sample.Package) ([]byte, error)
	spoil func(signed []byte) ([]byte, error) // changes the file after it was signed
	under func(served []byte) string          // returns the CID to use instead of the correct one
}

// Editing changes the text of a package.
type Editing func(s *sample.Package, text string) (string, error)

// SignatureFlaws returns the flaws of the signature, of the signed bytes, or of the CID.
func SignatureFlaws() []Flaw {
	unsigned := Flaw{
		Kind: history.FlawUnsigned, What: "without a signature",
		Shape: func(s *sample.Package) { s.Unsigned = true }, sign: leftUnsigned,
	}
	noise := Flaw{Kind: history.FlawUnverifiable, What: "whose signature is noise", sign: signedByNoise}
	foreign := Flaw{Kind: history.FlawForeign, What: "that somebody else signed", sign: signedByOtherAuthor}
	letter := changed("one letter was changed", "answer in one sentence", "answer in one sentance")
	return []Flaw{
		unsigned,
		{Kind: history.FlawUnsigned, What: "with an empty signature", sign: leftUnsigned},
		{Kind: history.FlawUnsigned, What: "with null for a signature", sign: leftUnsigned,
			spoil: replacedBy(act.UnsignedLine, "signature: null\n")},
		unsigned.in(history.FormNewer),
		{Kind: history.FlawUnverifiable, What: "with a placeholder for a signature", sign: signedWith("zDIDSig1xyz…")},
		noise,
		noise.in(history.FormNewer),
		foreign,
		foreign.in(history.FormNewer),
		letter,
		changed("the address of a binding was changed", "/http/"+string(environment.Echo)+"/",
			"/http/"+string(environment.EchoText)+"/"),
		changed("the schema was changed", "lww_register", "mv_register"),
		changed("the description was changed", "A sample of capconform.", "A simple of capconform."),
		changed("a trigger was changed", "please word", "please, word"),
		changed("the parameters of a tool were changed", "What it is about.", "What it is abaut."),
		changed("the name was changed", "  name: \"Sample ", "  name: \"Simple "),
		changed("the memory scope was changed", "  memory_scope: sc:", "  memory_scope: sc:a"),
		changed("a permission was added", `"state.query"]`, `"state.query","state.delete"]`),
		letter.in(history.FormNewer),
		letter.in(history.FormBack),
		changed("the last address of a large file was changed", "/http/"+string(environment.Echo)+"/",
			"/http/"+string(environment.EchoText)+"/").in(history.FormLarge),
		{Kind: history.FlawReformatted, What: "in which a comment was changed",
			spoil: replacedBy("= End of ACP =", "= End of the ACP =")},
		{Kind: history.FlawReformatted, What: "in which the line ends were changed",
			spoil: func(signed []byte) ([]byte, error) {
				return bytes.ReplaceAll(signed, []byte("\n"), []byte("\r\n")), nil
			}},
		{Kind: history.FlawMisplaced, What: "whose bytes belong to another CID", under: func(served []byte) string {
			return content.CID(append([]byte("# another file\n"), served...))
		}},
	}
}

func (f Flaw) in(form string) Flaw {
	f.Form = form
	return f
}

// changed returns a flaw that changes one thing after the package was signed.
func changed(what, from, to string) Flaw {
	return Flaw{Kind: history.FlawChanged, What: "in which " + what, spoil: replacedBy(from, to)}
}

func replacedBy(from, to string) func([]byte) ([]byte, error) {
	return func(signed []byte) ([]byte, error) { return act.Replaced(signed, from, to) }
}

func leftUnsigned(_ context.Context, _ *act.Maker, _ act.Asking, duplicate *sample.Package) ([]byte, error) {
	return duplicate.YAML(), nil
}

func signedWith(value string) func(context.Context, *act.Maker, act.Asking, *sample.Package) ([]byte, error) {
	return func(_ context.Context, _ *act.Maker, _ act.Asking, duplicate *sample.Package) ([]byte, error) {
		return act.WithSignature(duplicate.YAML(), value)
	}
}

func signedByNoise(ctx context.Context, m *act.Maker, ask act.Asking, duplicate *sample.Package) ([]byte, error) {
	var noise [ed25519.SignatureSize]byte
	_, _ = rand.Read(noise[:]) // never fails
	return signedWith("z"+base58.Encode(noise[:]))(ctx, m, ask, duplicate)
}

func signedByOtherAuthor(ctx context.Context, m *act.Maker, ask act.Asking, duplicate *sample.Package) ([]byte, error) {
	if !m.Signs.Subject {
		return m.Sealed(duplicate.YAML(), m.Stranger)
	}
	if !m.Supports[act.SupportsAuthors] {
		return nil,
			verdict.Undecided("the subject itself signs packages, and cannot be made to sign as another author")
	}
	err := m.Authored(ctx, ask, duplicate, m.Stranger)
	return duplicate.File, err
}

// Spoilt makes the invalid form of a package, serves it, and returns the CID under which it is offered.
// It differs from the valid form only in the flaw.
func (f Flaw) Spoilt(ctx context.Context, m *act.Maker, ask act.Asking, valid *sample.Package) (string, error) {
	duplicate := *valid
	if f.Shape != nil {
		f.Shape(&duplicate)
	}
	var err error
	if f.Edit != nil {
		if err := edited(m, &duplicate, f.Edit); err != nil {
			return "", err
		}
	}
	if f.sign != nil {
		duplicate.File, err = f.sign(ctx, m, ask, &duplicate)
	} else {
		err = m.Publish(ctx, ask, &duplicate)
	}
	if err == nil && f.spoil != nil {
		duplicate.File, err = f.spoil(duplicate.File)
	}
	if err != nil {
		return "", err
	}
	duplicate.CID, duplicate.Flaw = m.Environment.Publish(duplicate.ID, duplicate.File, m.Author), cmp.Or(f.Rule, f.Kind)
	if f.under != nil {
		duplicate.CID = f.under(duplicate.File)
		m.Environment.Gateway.ServeAs(duplicate.CID, duplicate.File)
	}
	m.Enter(&duplicate)
	return duplicate.CID, nil
}

// edited changes the text of a package. It returns an error if the profile signs the parsed document and
// the changed text cannot be parsed.
func edited(m *act.Maker, s *sample.Package, edit Editing) error {
	text, err := edit(s, string(s.Text()))
	if err != nil {
		return err
	}
	s.Edited = []byte(text)
	if m.Signs.Profile != signature.JCS {
		return nil
	}
	if _, _, err := signature.Sign(signature.JCS, s.Edited, m.Author.Key); err != nil {
		return verdict.Undecided("the subject accepts packages of the profile %s only, which cannot sign this one: %v",
			signature.JCS, err)
	}
	return nil
}
