package acpsuite

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/acp/act"
	"github.com/capconform/capconform/suites/acp/content"
	"github.com/capconform/capconform/suites/acp/did"
	"github.com/capconform/capconform/suites/acp/environment"
	"github.com/capconform/capconform/suites/acp/signature"
	"github.com/capconform/capconform/suites/driver"
)

// The requirements that hold the positive controls of the others.
const (
	seeUpload     = "ACP-PUB-01"
	seeSubmission = "ACP-PUB-05"
)

// publisherSentences are those about publishing a package.
var publisherSentences = []sentence{
	say(`packages are given to the publisher`, func(w *world) any { return w.givePackages }),
	say(`each of their files was stored as it was given, but for the signature`, func(w *world) any { return w.filesStored }),
	say(`the (cap_uri|semver) that was submitted is (?:the id|the version in the id) of the package`, func(w *world) any { return w.submittedOfID }),
	say(`the cid that was submitted is that of the file`, func(w *world) any { return w.submittedCID }),
	say(`the sha256 that was submitted is that of the file`, func(w *world) any { return w.submittedDigest }),
	say(`each of their files is signed by its author`, func(w *world) any { return w.filesSigned }),
}

// issue is one package that was given to a publisher, and what became of it.
type issue struct {
	*specimen
	answer    driver.Answer
	err       error
	file      []byte                  // as it was stored; nil: it was not
	submitted *environment.Submission // the last one; nil: none
}

// afterwards is a version with all that a semantic version may have.
const afterwards = "3.0.0-rc.1+b2"

// issues gives packages of several versions to the publisher, once a run.
func (w *world) issues(ctx context.Context) []issue {
	return w.done.issues.Get(ctx, func() ([]issue, bool) {
		var all []issue
		for _, version := range []string{"1.0.0", "2.10.3", afterwards} {
			s := w.Sample()
			s.ID = s.Identified(version)
			s.Description += " Größe, 長さ und so weiter."
			s.AuthorDID = ""
			if w.Supports[act.SupportsAuthors] {
				s.AuthorDID = w.Author.DID
			}
			made := w.issue(ctx, s)
			if version == afterwards && made.err == nil && made.answer.Outcome == driver.Refused {
				continue // not everybody publishes what is no release
			}
			all = append(all, made)
		}
		return all, ctx.Err() == nil
	})
}

// issue gives one package to the publisher: without a signature, as the text's own
// example, and with an empty one where that is refused.
func (w *world) issue(ctx context.Context, s *specimen) issue {
	w.Environment.Resolver.Know(w.Author.DID, w.Author.Document(nil))
	made := issue{specimen: s}
	for _, bare := range []bool{true, false} {
		s.Unsigned = bare
		params := object{"file": string(s.YAML())}
		if w.Supports[act.SupportsAuthors] {
			params["author"] = w.Author.Credentials()
		}
		made.answer, made.err = w.sc.Ask(ctx, driver.Operation{Name: opAuthor, Params: suites.Encode(params)}, w.subject.Deadlines.Call)
		if made.err != nil || made.answer.Outcome != driver.Refused {
			break
		}
	}
	stored := w.Environment.Gateway.Additions(s.Mark)
	if len(stored) > 0 {
		made.file = stored[len(stored)-1].Bytes
	}
	made.submitted = w.submissionOf(s.Label, made.file)
	for _, one := range stored { // a publisher may store more than the file
		if made.submitted != nil && content.SameDigest(made.submitted.SHA256, content.SHA256(one.Bytes)) {
			made.file = one.Bytes
		}
	}
	return made
}

// submissionOf finds what was submitted for a package: by its name, or by its file
// where the name was lost on the way. Nil: nothing was.
func (w *world) submissionOf(name string, file []byte) *environment.Submission {
	clues := []string{name}
	if file != nil {
		clues = append(clues, content.CID(file), content.SHA256(file))
	}
	for _, clue := range clues {
		if all := w.Environment.Chain.Submissions(clue); len(all) > 0 {
			return &all[len(all)-1]
		}
	}
	return nil
}

// givePackages leaves the question open where the publisher publishes nothing.
func (w *world) givePackages(ctx context.Context) error {
	w.issued = w.issues(ctx)
	for _, i := range w.issued {
		w.sc.Cite(i.answer, i.err)
		switch {
		case i.err != nil:
			return fmt.Errorf("acpsuite: %s: %w", opAuthor, i.err)
		case i.answer.Outcome == driver.NotProvided:
			return notServed(opAuthor)
		case i.answer.Outcome != driver.Returned:
			return suites.Undecided("the publisher publishes no package: %s", suites.Received(i.answer, nil))
		}
	}
	return nil
}

func (w *world) filesStored() error {
	for _, i := range w.issued {
		if i.file == nil {
			return suites.Violated("a published package was not stored at the gateway", "the signed file, by POST /api/v0/add", "nothing that holds "+i.Mark)
		}
		if what := changed(readFile(i.YAML()), readFile(i.file)); what != "" {
			return suites.Violated("what was stored is another package than the one that was given: "+what+" differs", string(i.YAML()), suites.Clip(string(i.file)))
		}
	}
	return nil
}

// readFile reads a package as plain values. Nil stands for what is no mapping.
func readFile(file []byte) object {
	var value object
	if yaml.Unmarshal(file, &value) != nil {
		return nil
	}
	return value
}

// changed names a section that was lost or altered, the first by name. A publisher may
// add members to the metadata, such as who publishes and when.
func changed(given, stored object) string {
	for _, name := range slices.Sorted(maps.Keys(given)) {
		metadata, isObject := given[name].(object)
		if name != "metadata" || !isObject {
			if plain(given[name]) != plain(stored[name]) {
				return name
			}
			continue
		}
		kept, _ := stored[name].(object)
		for _, member := range slices.Sorted(maps.Keys(metadata)) {
			if member != "signature" && plain(metadata[member]) != plain(kept[member]) {
				return name + "." + member
			}
		}
	}
	return ""
}

// plain writes a value for comparison. Line ends at the end of a text are no matter:
// they depend on how its block is written.
func plain(value any) string {
	if text, ok := value.(string); ok {
		return strings.TrimRight(text, "\n")
	}
	return string(suites.Encode(value))
}

func (w *world) submittedOfID(name string) error {
	for _, i := range w.issued {
		if i.submitted == nil {
			if name == memberURI {
				return suites.Violated("a published package was not submitted to the chain", "acp.publish of "+i.ID, "no call of which name or file are those of the package")
			}
			return suites.Undecided("nothing was submitted to the chain: see %s", seeSubmission)
		}
		_, version, _ := strings.Cut(i.ID, "@")
		want, got := i.ID, i.submitted.CapURI
		if name == memberVersion {
			want, got = version, i.submitted.Semver
		}
		if want != got {
			return suites.Violated("the "+name+" that was submitted is not that of the package", want, suites.Clip(string(i.submitted.Params)))
		}
	}
	return nil
}

// needFiles leaves the question open where no file or no submission can be looked at.
func (w *world) needFiles() error {
	for _, i := range w.issued {
		if i.submitted == nil {
			return suites.Undecided("nothing was submitted to the chain: see %s", seeSubmission)
		}
		if i.file == nil {
			return suites.Undecided("nothing was stored at the gateway: see %s", seeUpload)
		}
	}
	return nil
}

func (w *world) submittedCID() error {
	if err := w.needFiles(); err != nil {
		return err
	}
	for _, i := range w.issued {
		fits, known := content.Fits(i.submitted.CID, i.file)
		if !known {
			fits = string(w.Environment.Gateway.Stored(i.submitted.CID)) == string(i.file)
		}
		if !fits {
			return suites.Violated("the cid that was submitted is not that of the file", content.CID(i.file), suites.Clip(string(i.submitted.Params)))
		}
	}
	return nil
}

func (w *world) submittedDigest() error {
	if err := w.needFiles(); err != nil {
		return err
	}
	for _, i := range w.issued {
		if want := content.SHA256(i.file); !content.SameDigest(i.submitted.SHA256, want) {
			return suites.Violated("the sha256 that was submitted is not that of the published file", want, suites.Clip(string(i.submitted.Params)))
		}
	}
	return nil
}

// filesSigned judges a signature by its profile where this is known: the text
// leaves open what is signed. Without it, a signature that is absent, can't be
// decoded, or is the same for two files, is none all the same.
func (w *world) filesSigned() error {
	seen := map[string]bool{}
	for _, i := range w.issued {
		if i.file == nil {
			return suites.Undecided("nothing was stored at the gateway: see %s", seeUpload)
		}
		token, err := signature.Value(i.file)
		if err == nil {
			_, err = signature.Decode(token)
		}
		if err != nil {
			return suites.Violated("a published package has no signature", "metadata.signature in base58btc multibase", err.Error()+": "+suites.Clip(token))
		}
		if seen[token] {
			return suites.Violated("two published packages have one signature", "a signature of each file", token)
		}
		seen[token] = true
		if err := w.signedByAuthor(i, token); err != nil {
			return err
		}
	}
	return nil
}

func (w *world) signedByAuthor(i issue, token string) error {
	author, err := w.authorOf(i)
	if err != nil {
		return err
	}
	profiles, strict := signature.Profiles(), false
	if w.Signs.Profile != "" && !w.Signs.Subject {
		profiles, strict = []signature.Profile{w.Signs.Profile}, true
	}
	for _, profile := range profiles {
		if _, err = signature.Verify(profile, i.file, token, author, time.Now()); err == nil {
			return nil
		}
	}
	if strict {
		return suites.Violated("a published package is not signed by its author", "a signature of "+author.DID+" by the profile "+string(profiles[0]), err.Error())
	}
	return &suites.Inconclusive{
		Reason: "a published package is signed, and by none of the profiles that are known here as a key of " + author.DID,
		Supply: "name the profile in the target file (signature: PROFILE)",
	}
}

// authorOf is who publishes: the author that the publisher was given, who the chain
// was told, or whom the package names.
func (w *world) authorOf(i issue) (did.Document, error) {
	if w.Supports[act.SupportsAuthors] {
		return w.documentOf(w.Author.DID)
	}
	if i.submitted != nil && i.submitted.Author != "" {
		return w.documentOf(i.submitted.Author)
	}
	metadata, _ := readFile(i.file)["metadata"].(object)
	named, _ := metadata["author"].(object)
	if did, ok := named["did"].(string); ok {
		return w.documentOf(did)
	}
	return did.Document{}, &suites.Inconclusive{
		Reason: "nothing says who signs what the publisher publishes",
		Supply: "send the DID as the member author of acp.publish, or obey the author of acp.author and answer acp.configure with {supports: [authors]}",
	}
}

func (w *world) documentOf(of string) (did.Document, error) {
	document, err := did.FromKey(of)
	if errors.Is(err, did.ErrMethod) {
		return document, suites.Undecided("the publisher signs as %s, whose document is not known here; a did:key holds its key", suites.Clip(of))
	}
	if err != nil {
		return document, suites.Undecided("the publisher signs as %s: %v", suites.Clip(of), err)
	}
	return document, nil
}
