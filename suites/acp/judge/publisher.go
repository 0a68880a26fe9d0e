package judge

import (
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/capconform/capconform/suites/acp/content"
	"github.com/capconform/capconform/suites/acp/did"
	"github.com/capconform/capconform/suites/acp/history"
	"github.com/capconform/capconform/suites/acp/signature"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/verdict"
)

// publisherSentences are the sentences about publishers.
var publisherSentences = []verdict.Sentence[publishers]{
	decide(`each published package is stored unchanged except for its signature`, publishers.FilesStored),
	about(`the submitted (cap_uri|semver) of each package is that of its id`, publishers.SubmittedOfID),
	about(`the submitted (cid|sha256) of each package is that of its file`, publishers.SubmittedOfFile),
	decide(`each published package is signed by its author`, publishers.FilesSigned),
}

// The requirements that contain the positive controls of the others.
const (
	seeUpload     = "ACP-PUB-01"
	seeSubmission = "ACP-PUB-05"
)

// eachPackage judges each package that the publisher published.
func (j publishers) eachPackage(judge func(*verdict.Verdict, *history.AuthoredPackage)) verdict.Verdict {
	v := &verdict.Verdict{}
	why := j.Conclusion(history.Authored)
	for _, i := range j.AuthoredPackages() {
		switch {
		case i.Returned():
			judge(v, i)
		case why != nil:
		case i.AnswerError() != nil:
			why = i.AnswerError()
		default:
			why = verdict.Undecided("the publisher publishes no package: %s", i.Got())
		}
	}
	if why == nil {
		why = verdict.Undecided("the publisher received no package")
	}
	return v.OpenUnlessJudged(why)
}

// FilesStored judges whether the file of each package was stored unchanged except for the signature.
func (j publishers) FilesStored() verdict.Verdict {
	return j.eachPackage(func(v *verdict.Verdict, i *history.AuthoredPackage) {
		v.Judged++
		if i.Upload == nil {
			v.AddBreach([]record.Tick{i.Entry}, "a published package was not stored at the gateway",
				"the signed file, by POST /api/v0/add", "no file with "+i.Mark)
			return
		}
		if what := FirstChange(i.SourceValues(), i.Upload.Values()); what != "" {
			v.AddBreach([]record.Tick{i.Entry, i.Upload.Entry},
				"the stored package differs from the given one: "+what+" differs",
				string(i.Source), jsonvalue.Clip(string(i.Upload.Bytes)))
		}
	})
}

// FirstChange returns the name of the first section or member, in alphabetical order, that is missing or
// altered in the stored package, "" if there is none. A publisher may add members to the metadata, such
// as the publisher and the time.
func FirstChange(given, stored history.Object) string {
	for _, name := range slices.Sorted(maps.Keys(given)) {
		metadata, isObject := given[name].(history.Object)
		if name != "metadata" || !isObject {
			if comparable(given[name]) != comparable(stored[name]) {
				return name
			}
			continue
		}
		kept, _ := stored[name].(history.Object)
		for _, member := range slices.Sorted(maps.Keys(metadata)) {
			if member != "signature" && comparable(metadata[member]) != comparable(kept[member]) {
				return name + "." + member
			}
		}
	}
	return ""
}

// comparable returns a value in a form for comparison. It removes line ends at the end of a text,
// because they depend on the YAML style of the block.
func comparable(value any) string {
	if text, ok := value.(string); ok {
		return strings.TrimRight(text, "\n")
	}
	return string(jsonvalue.Encode(value))
}

// SubmittedOfID judges the submitted values that the id of each package determines.
func (j publishers) SubmittedOfID(name string) verdict.Verdict {
	return j.eachPackage(func(v *verdict.Verdict, i *history.AuthoredPackage) {
		switch {
		case i.Submission != nil:
		case name == history.MemberURI:
			v.AddBreach([]record.Tick{i.Entry}, "a published package was not submitted to the chain", "acp.publish of "+i.ID,
				"no call with the name or the file of the package")
			return
		default:
			v.Open = verdict.Undecided("the publisher submitted nothing to the chain: see %s", seeSubmission)
			return
		}
		want := i.ID
		if name == history.MemberVersion {
			_, want, _ = strings.Cut(i.ID, "@")
		}
		v.Judged++
		if i.Submission.Values[name] != want {
			v.AddBreach([]record.Tick{i.Entry, i.Submission.Entry}, "the submitted "+name+" is not that of the package",
				want, jsonvalue.Clip(i.Submission.Text))
		}
	})
}

// SubmittedOfFile judges the submitted values that the file of each package determines.
func (j publishers) SubmittedOfFile(name string) verdict.Verdict {
	uploads := j.Uploads()
	return j.eachPackage(func(v *verdict.Verdict, i *history.AuthoredPackage) {
		switch {
		case i.Submission == nil:
			v.Open = verdict.Undecided("the publisher submitted nothing to the chain: see %s", seeSubmission)
			return
		case i.Upload == nil:
			v.Open = verdict.Undecided("the publisher stored nothing at the gateway: see %s", seeUpload)
			return
		}
		v.Judged++
		got, entries := i.Submission.Values[name], []record.Tick{i.Entry, i.Submission.Entry, i.Upload.Entry}
		if name == history.MemberDigest {
			if want := content.SHA256(i.Upload.Bytes); !content.SameDigest(got, want) {
				v.AddBreach(entries, "the submitted sha256 is not that of the published file", want,
					jsonvalue.Clip(i.Submission.Text))
			}
			return
		}
		fits, known := content.Matches(got, i.Upload.Bytes)
		if !known {
			fits = slices.ContainsFunc(uploads, func(u *history.Upload) bool {
				return content.SameCID(u.CID, got) && string(u.Bytes) == string(i.Upload.Bytes)
			})
		}
		if !fits {
			v.AddBreach(entries, "the submitted cid is not that of the file", content.CID(i.Upload.Bytes),
				jsonvalue.Clip(i.Submission.Text))
		}
	})
}

// FilesSigned judges each signature by the signature profile if it is known: the text does not say which
// bytes are signed. Without a known profile, a signature still fails if it is absent, cannot be decoded,
// or is the same for two different files.
func (j publishers) FilesSigned() verdict.Verdict {
	seen := map[string]*history.AuthoredPackage{}
	return j.eachPackage(func(v *verdict.Verdict, i *history.AuthoredPackage) {
		if i.Upload == nil {
			v.Open = verdict.Undecided("the publisher stored nothing at the gateway: see %s", seeUpload)
			return
		}
		v.Judged++
		entries := []record.Tick{i.Entry, i.Upload.Entry}
		token, err := signature.Value(i.Upload.Bytes)
		if err == nil {
			_, err = signature.Decode(token)
		}
		switch other := seen[token]; {
		case err != nil:
			v.AddBreach(entries, "a published package has no signature",
				"metadata.signature, such as one in base58btc multibase",
				err.Error()+": "+jsonvalue.Clip(token))
		case other != nil && string(other.Upload.Bytes) != string(i.Upload.Bytes):
			v.AddBreach(append(entries, other.Upload.Entry), "two published packages have the same signature",
				"a different signature for each file", token)
		default:
			seen[token] = i
			j.judgeSignature(v, i, token)
		}
	})
}

func (j publishers) judgeSignature(v *verdict.Verdict, i *history.AuthoredPackage, token string) {
	author, err := authorOf(i)
	if err != nil {
		v.Open = err
		return
	}
	profile := j.signatureProfile()
	profiles := signature.Profiles()
	if profile != "" {
		profiles = []signature.Profile{profile}
	}
	if err = signature.VerifyIgnoringExpiry(profiles, i.Upload.Bytes, token, author); err == nil {
		return
	}
	if profile != "" && signature.HasProfileEncoding(token) && !errors.Is(err, signature.ErrShape) {
		v.AddBreach([]record.Tick{i.Entry, i.Upload.Entry}, "a published package is not signed by its author",
			"a signature of "+author.DID+" by the profile "+string(profile), err.Error())
		return
	}
	v.Open = &verdict.Inconclusive{
		Reason: "a published package is signed, but by none of the known profiles with a key of " + author.DID,
		Supply: "name the profile in the target file (signature: PROFILE)",
	}
}

// signatureProfile returns the signature profile of the publisher: the known one, or the one that
// verifies one of its packages. It returns "" if there is none. A publisher that signs one package by a
// profile must sign the others by it.
func (j publishers) signatureProfile() signature.Profile {
	if j.Profile != "" {
		return j.Profile
	}
	for _, i := range j.AuthoredPackages() {
		if i.Upload == nil {
			continue
		}
		token, err := signature.Value(i.Upload.Bytes)
		author, unknown := authorOf(i)
		if err != nil || unknown != nil {
			continue
		}
		for _, profile := range signature.Profiles() {
			if signature.VerifyIgnoringExpiry([]signature.Profile{profile}, i.Upload.Bytes, token, author) == nil {
				return profile
			}
		}
	}
	return ""
}

// authorOf returns the DID document of the author: the author that the publisher was told to act for,
// the one that it named to the chain, or the one that the package names.
func authorOf(i *history.AuthoredPackage) (did.Document, error) {
	metadata, _ := i.Upload.Values()["metadata"].(history.Object)
	author, _ := metadata["author"].(history.Object)
	named, _ := author["did"].(string)
	if i.Submission != nil && i.Submission.Author != "" {
		named = i.Submission.Author
	}
	if i.Author != "" {
		named = i.Author
	}
	if named == "" {
		return did.Document{}, &verdict.Inconclusive{
			Reason: "nothing states who signs the packages of the publisher",
			Supply: "send the DID as the member author of acp.publish, or obey the author of acp.author and answer acp.configure with {supports: [authors]}",
		}
	}
	document, err := did.FromKey(named)
	if errors.Is(err, did.ErrMethod) {
		return document,
			verdict.Undecided("the publisher signs as %s, whose document is unknown to the harness; a did:key contains its key",
				jsonvalue.Clip(named))
	}
	if err != nil {
		return document, verdict.Undecided("the publisher signs as %s: %v", jsonvalue.Clip(named), err)
	}
	return document, nil
}
