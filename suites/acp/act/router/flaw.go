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
	Kind          string                // see history.FlawUnsigned
	What          string                // what is wrong, in words that follow "a package"
	Rule          string                // the requirement that the package breaks; "" if its signature is wrong
	Form          string                // see history.FormNewer; "" if the package was never seen before
	ChangePackage func(*sample.Package) // changes the package before it is written
	ChangeText    TextChange            // changes the text before it is signed

	// sign signs the package; if nil, the author signs it.
	sign       func(context.Context, *act.PackageMaker, act.CallFunc, *sample.Package) ([]byte, error)
	changeFile func(signed []byte) ([]byte, error) // changes the file after it was signed
	wrongCID   func(served []byte) string          // returns the CID to use instead of the correct one
}

// TextChange changes the text of a package.
type TextChange func(s *sample.Package, text string) (string, error)

// SignatureFlaws returns the flaws of the signature, of the signed bytes, or of the CID.
func SignatureFlaws() []Flaw {
	unsigned := Flaw{
		Kind: history.FlawUnsigned, What: "without a signature",
		ChangePackage: func(s *sample.Package) { s.Unsigned = true }, sign: signWithNothing,
	}
	noise := Flaw{Kind: history.FlawUnverifiable, What: "whose signature is noise", sign: signWithNoise}
	foreign := Flaw{Kind: history.FlawForeign, What: "that somebody else signed", sign: signAsOtherAuthor}
	letter := changedAfterSigning("one letter was changed", "answer in one sentence", "answer in one sentance")
	return []Flaw{
		unsigned,
		{Kind: history.FlawUnsigned, What: "with an empty signature", sign: signWithNothing},
		{Kind: history.FlawUnsigned, What: "with null for a signature", sign: signWithNothing,
			changeFile: replacing(act.EmptySignatureLine, "signature: null\n")},
		unsigned.inForm(history.FormNewer),
		{Kind: history.FlawUnverifiable, What: "with a placeholder for a signature", sign: signWith("zDIDSig1xyz…")},
		noise,
		noise.inForm(history.FormNewer),
		foreign,
		foreign.inForm(history.FormNewer),
		letter,
		changedAfterSigning("the address of a binding was changed", "/http/"+string(environment.Echo)+"/",
			"/http/"+string(environment.EchoText)+"/"),
		changedAfterSigning("the schema was changed", "lww_register", "mv_register"),
		changedAfterSigning("the description was changed", "A sample of capconform.", "A simple of capconform."),
		changedAfterSigning("a trigger was changed", "please word", "please, word"),
		changedAfterSigning("the parameters of a tool were changed", "What it is about.", "What it is abaut."),
		changedAfterSigning("the name was changed", "  name: \"Sample ", "  name: \"Simple "),
		changedAfterSigning("the memory scope was changed", "  memory_scope: sc:", "  memory_scope: sc:a"),
		changedAfterSigning("a permission was added", `"state.query"]`, `"state.query","state.delete"]`),
		letter.inForm(history.FormNewer),
		letter.inForm(history.FormReinstalled),
		changedAfterSigning("the last address of a large file was changed", "/http/"+string(environment.Echo)+"/",
			"/http/"+string(environment.EchoText)+"/").inForm(history.FormLarge),
		{Kind: history.FlawReformatted, What: "in which a comment was changed",
			changeFile: replacing("= End of ACP =", "= End of the ACP =")},
		{Kind: history.FlawReformatted, What: "in which the line ends were changed",
			changeFile: func(signed []byte) ([]byte, error) {
				return bytes.ReplaceAll(signed, []byte("\n"), []byte("\r\n")), nil
			}},
		{Kind: history.FlawMisplaced, What: "whose bytes belong to another CID", wrongCID: func(served []byte) string {
			return content.CID(append([]byte("# another file\n"), served...))
		}},
	}
}

func (f Flaw) inForm(form string) Flaw {
	f.Form = form
	return f
}

// changedAfterSigning returns a flaw that changes one thing after the package was signed.
func changedAfterSigning(what, from, to string) Flaw {
	return Flaw{Kind: history.FlawChanged, What: "in which " + what, changeFile: replacing(from, to)}
}

func replacing(from, to string) func([]byte) ([]byte, error) {
	return func(signed []byte) ([]byte, error) { return act.ReplaceOnce(signed, from, to) }
}

func signWithNothing(_ context.Context, _ *act.PackageMaker, _ act.CallFunc,
	duplicate *sample.Package) ([]byte, error) {
	return duplicate.YAML(), nil
}

func signWith(value string) func(context.Context, *act.PackageMaker, act.CallFunc, *sample.Package) ([]byte, error) {
	return func(_ context.Context, _ *act.PackageMaker, _ act.CallFunc, duplicate *sample.Package) ([]byte, error) {
		return act.InsertSignature(duplicate.YAML(), value)
	}
}

func signWithNoise(ctx context.Context, m *act.PackageMaker, ask act.CallFunc,
	duplicate *sample.Package) ([]byte, error) {
	var noise [ed25519.SignatureSize]byte
	_, _ = rand.Read(noise[:]) // never fails
	return signWith("z"+base58.Encode(noise[:]))(ctx, m, ask, duplicate)
}

func signAsOtherAuthor(ctx context.Context, m *act.PackageMaker, ask act.CallFunc,
	duplicate *sample.Package) ([]byte, error) {
	if !m.Signing.BySubject {
		return m.Sign(duplicate.YAML(), m.OtherAuthor)
	}
	if !m.Supports[act.SupportsAuthors] {
		return nil,
			verdict.Undecided("the subject itself signs packages, and cannot be made to sign as another author")
	}
	err := m.PublishBySubject(ctx, ask, duplicate, m.OtherAuthor)
	return duplicate.File, err
}

// MakeInvalid makes the invalid form of a package, serves it, and returns the CID under which it is
// offered. It differs from the valid form only in the flaw.
func (f Flaw) MakeInvalid(ctx context.Context, m *act.PackageMaker, ask act.CallFunc,
	valid *sample.Package) (string, error) {
	duplicate := *valid
	if f.ChangePackage != nil {
		f.ChangePackage(&duplicate)
	}
	var err error
	if f.ChangeText != nil {
		if err := changeText(m, &duplicate, f.ChangeText); err != nil {
			return "", err
		}
	}
	switch {
	case f.sign != nil:
		duplicate.File, err = f.sign(ctx, m, ask, &duplicate)
	case f.ChangeText == nil || duplicate.File == nil:
		err = m.Publish(ctx, ask, &duplicate)
	}
	if err == nil && f.changeFile != nil {
		duplicate.File, err = f.changeFile(duplicate.File)
	}
	if err != nil {
		return "", err
	}
	duplicate.CID, duplicate.Flaw = m.Environment.Publish(duplicate.ID, duplicate.File, m.Author), cmp.Or(f.Rule, f.Kind)
	if f.wrongCID != nil {
		duplicate.CID = f.wrongCID(duplicate.File)
		m.Environment.Gateway.ServeAs(duplicate.CID, duplicate.File)
	}
	m.RecordPackage(&duplicate)
	return duplicate.CID, nil
}

// changeText changes the text of a package. If the profile signs the parsed document and the changed text cannot be
// parsed, the file has the signature of the valid form.
func changeText(m *act.PackageMaker, s *sample.Package, change TextChange) error {
	valid := s.Text()
	text, err := change(s, string(valid))
	if err != nil {
		return err
	}
	s.Edited, s.File = []byte(text), nil
	if m.Signing.Profile != signature.JCS {
		return nil
	}
	if _, _, err := signature.Sign(signature.JCS, s.Edited, m.Author.Key); err == nil {
		return nil
	}
	signed, err := m.Sign(valid, m.Author)
	if err != nil {
		return err
	}
	text, err = change(s, string(signed))
	s.File = []byte(text)
	return err
}
