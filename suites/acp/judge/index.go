package judge

import (
	"fmt"
	"slices"
	"strings"

	"github.com/capconform/capconform/suites/acp/history"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/verdict"
)

// indexSentences are the sentences about the resolution of capability URIs.
var indexSentences = []verdict.Sentence[indexes]{
	decide(`the service learns each published capability`, indexes.LearnsReleases),
	decide(`the service offers both queries as tools`, indexes.OffersQueries),
	decide(`each version is resolved to its own metadata`, indexes.ResolvesVersions),
	decide(`each version is resolved to its own CID`, indexes.ResolvesCIDs),
	decide(`each version is resolved to the section metadata of its file`, indexes.ResolvesWholeMetadata),
	decide(`each capability URI without a version is resolved to the highest version`, indexes.ResolvesHighest),
	about(`no (capability|version) that nobody published is resolved`, indexes.UnknownUnresolved),
}

// OffersQueries judges whether the two queries are offered as tools.
func (j indexes) OffersQueries() verdict.Verdict {
	v := &verdict.Verdict{}
	if !j.Offer.MCP {
		v.Open = verdict.Inapplicable("the driver cannot show which tools the service offers to an MCP client: %s",
			j.Offer.Binding)
		return *v
	}
	for _, operation := range []string{history.OpResolve, history.OpSearch} {
		switch {
		case j.Offer.offers(operation):
			v.Judged++
		case j.Offer.offersUnknownTool():
			v.Open = j.Offer.MissingTool(operation)
		default:
			v.AddBreach(nil, "a query is not offered as a tool", "a tool for "+operation+", under this name or another",
				"no tools but "+strings.Join(j.Offer.Operations, ", "))
		}
	}
	return *v
}

// listedReleases returns the versions that the index lists: those that the target file names, or those
// that were published for it. The error states why no listed capability is known.
func (j indexes) listedReleases() ([]*history.Release, error) {
	if len(j.KnownReleases) > 0 {
		return j.KnownReleases, nil
	}
	if err := j.Conclusion(history.Listing); err != nil {
		return nil, err
	}
	all := j.Releases()
	if len(all) == 0 {
		return nil, verdict.Undecided("no listed capability is known")
	}
	return all, nil
}

// resolutions returns the answers to resolve_capability, without those from the time in which the
// harness waits for the index to list a capability.
func (j indexes) resolutions() []*history.Query {
	return slices.DeleteFunc(j.Queries(history.OpResolve),
		func(q *history.Query) bool { return q.About[history.AboutWait] != "" })
}

// isUsable reports whether an answer can be used. If it cannot, isUsable adds the reason or a breach to v.
func (j indexes) isUsable(v *verdict.Verdict, q *history.Query) bool {
	if j.ClosedInsteadOfAnswer(q.Call) {
		v.AddBreach([]record.Tick{q.Entry}, "the connection is closed instead of an answer to "+q.Operation,
			"an answer, as the target returns to other calls", q.Got())
		return false
	}
	if why := j.Offer.AnswerError(q); why != nil {
		v.Open = why
		return false
	}
	return true
}

// mappings contains, for each query, the jq expression that a target file needs if the members of a
// result have other names than in the examples.
var mappings = map[string]string{
	history.OpResolve: "'.body | {acp_metadata: .MEMBER, ipfs_cid: .MEMBER}'",
	history.OpSearch:  "'[.body.MEMBER[] | {acp_metadata: .MEMBER, ipfs_cid: .MEMBER}]'",
}

// otherNamesError returns an error that leaves the question open if a result contains an expected value
// but lacks the member that has it in the examples of the text: the text gives these names only in
// examples. It returns nil if the result is to be judged, which is always so if the target file maps the
// operation.
func (j indexes) otherNamesError(q *history.Query, absent bool, values ...string) error {
	holds := slices.ContainsFunc(values,
		func(value string) bool { return value != "" && strings.Contains(q.Text(), value) })
	if !absent || !holds || slices.Contains(j.Offer.Mapped, q.Operation) {
		return nil
	}
	return &verdict.Inconclusive{
		Reason: "the result contains the requested values under other names than those of the examples: " + q.Got(),
		Supply: fmt.Sprintf("map its members in the target file: bindings: {%s: {tool: NAME, response: %s}}", q.Operation,
			mappings[q.Operation]),
	}
}

// ResolvesVersions judges each answer about a listed version. At least two listed versions must be
// known, because a service that ignores the URI in the request would return the only one.
func (j indexes) ResolvesVersions() verdict.Verdict {
	return j.judgeVersions(func(v *verdict.Verdict, q *history.Query, of *history.Release) {
		if q.Returned() && q.ID() == of.URI {
			v.Judged++
			return
		}
		if open := j.otherNamesError(q, q.Metadata() == nil, of.URI); open != nil {
			v.Open = open
			return
		}
		v.AddBreach([]record.Tick{q.Entry}, "a version is not resolved to its own metadata",
			"acp_metadata with the id "+of.URI, q.Got())
	}, verdict.Undecided("no version was resolved"))
}

func (j indexes) judgeVersions(
	judge func(*verdict.Verdict, *history.Query, *history.Release), nothing error,
) verdict.Verdict {
	all, err := j.listedReleases()
	v := &verdict.Verdict{Open: err}
	switch {
	case err != nil:
		return *v
	case len(all) < 2:
		v.Open = &verdict.Inconclusive{
			Reason: "only one listed version is known, so a service that drops its arguments would not be detected",
			Supply: "name a second one under known in the target file",
		}
		return *v
	}
	for _, q := range j.resolutions() {
		i := slices.IndexFunc(all, func(r *history.Release) bool { return r.URI == q.URI })
		if i >= 0 && j.isUsable(v, q) {
			judge(v, q, all[i])
		}
	}
	return v.OpenUnlessJudged(nothing)
}

// ResolvesCIDs judges the CID in each answer about a listed version, and in each answer about a capability without
// a version, by the version in its metadata.
func (j indexes) ResolvesCIDs() verdict.Verdict {
	unknown := &verdict.Inconclusive{
		Reason: "no version with a known CID was resolved",
		Supply: "name the cid of each version under known in the target file",
	}
	v := j.judgeVersions(func(v *verdict.Verdict, q *history.Query, of *history.Release) {
		switch open := j.otherNamesError(q, q.Metadata() == nil && q.CID() == "", of.URI, of.CID); {
		case open != nil:
			v.Open = open
		case q.Returned() && of.CID != "" && !of.IsCID(q.CID()) && q.ID() != of.URI:
			v.Open = verdict.Undecided("the service returned another version than the requested one: see ACP-INDEX-01")
		default:
			j.judgeCID(v, q, of)
		}
	}, unknown)
	if v.Judged == 0 || v.Open != nil {
		return v
	}
	all, _ := j.listedReleases() // there are some, since one was judged
	for _, q := range j.resolutions() {
		if _, version, _ := strings.Cut(q.URI, "@"); version != "" && version != history.Latest {
			continue
		}
		if i := slices.IndexFunc(all, func(r *history.Release) bool { return r.URI == q.ID() }); i >= 0 && j.isUsable(&v, q) {
			j.judgeCID(&v, q, all[i])
		}
	}
	return v
}

// judgeCID judges the CID in an answer with the metadata of a version.
func (j indexes) judgeCID(v *verdict.Verdict, q *history.Query, of *history.Release) {
	switch {
	case of.CID == "" || !q.Returned():
	case of.IsCID(q.CID()):
		v.Judged++
	default:
		if v.Open = j.otherNamesError(q, q.CID() == "", of.CID); v.Open == nil {
			v.AddBreach([]record.Tick{q.Entry}, "a version is not resolved to its CID", "ipfs_cid "+of.CID, q.Got())
		}
	}
}

// ResolvesWholeMetadata compares the metadata of each version with those in its file.
func (j indexes) ResolvesWholeMetadata() verdict.Verdict {
	return j.judgeVersions(func(v *verdict.Verdict, q *history.Query, of *history.Release) {
		if of.Metadata == nil || q.ID() != of.URI {
			return
		}
		v.Judged++
		if !jsonvalue.Equal(history.Plain(of.Metadata), q.Metadata()) {
			v.AddBreach([]record.Tick{q.Entry}, "the metadata are not the section metadata of the file",
				jsonvalue.Print(of.Metadata),
				jsonvalue.Print(q.Metadata()))
		}
	}, verdict.Undecided("no version with a known file was resolved"))
}

// ResolvesHighest judges each answer about a capability without a version. If others list capabilities
// too, it also accepts a higher version than the known ones. It recognises a version by its id or by its
// CID; ACP-INDEX-01 and ACP-INDEX-09 require that both match.
func (j indexes) ResolvesHighest() verdict.Verdict {
	all, err := j.listedReleases()
	v := &verdict.Verdict{Open: err}
	if err != nil {
		return *v
	}
	for _, q := range j.resolutions() {
		name, version, _ := strings.Cut(strings.TrimPrefix(q.URI, history.CapabilityPrefix), "@")
		if version != "" && version != history.Latest {
			continue
		}
		before := slices.DeleteFunc(slices.Clone(all),
			func(r *history.Release) bool { return r.Name != name || r.Done > q.Entry })
		for _, of := range history.HighestVersions(before) {
			if j.isUsable(v, q) {
				j.judgeHighest(v, q, of)
			}
		}
	}
	return v.OpenUnlessJudged(&verdict.Inconclusive{
		Reason: "no capability with two listed versions is known",
		Supply: "name two versions of one capability under known in the target file",
	})
}

func (j indexes) judgeHighest(v *verdict.Verdict, q *history.Query, of *history.Release) {
	answered := history.NewRelease(q.ID(), "")
	higher := len(j.KnownReleases) > 0 && answered.Name == of.Name && history.Newer(answered.Version, of.Version)
	switch {
	case q.NotFound() && q.About[history.AboutForm] != "":
		v.Open = &verdict.Inconclusive{
			Reason: "the index refuses a capability URI without a version, and the text does not say how a client requests the latest",
			Supply: "map the argument in the target file: bindings: {" + history.OpResolve + ": {tool: NAME, params: JQ}}",
		}
	case q.NotFound(): // the service may expect the word latest
	case q.Returned() && (q.ID() == of.URI || of.IsCID(q.CID()) || higher):
		v.Judged++
	default:
		if v.Open = j.otherNamesError(q, q.Metadata() == nil && q.CID() == "", of.URI, of.CID); v.Open == nil {
			v.AddBreach([]record.Tick{q.Entry}, "a capability is not resolved to its highest version",
				"acp_metadata with the id "+of.URI, q.Got())
		}
	}
}

// UnknownUnresolved judges each answer about an unpublished capability URI. It accepts every answer that
// contains neither metadata nor a CID, because the form of an error is free. A result that reports an
// error may contain anything else.
func (j indexes) UnknownUnresolved(what string) verdict.Verdict {
	all, err := j.listedReleases()
	v := &verdict.Verdict{Open: err}
	if err == nil {
		v.Open = j.resolutionError(all)
	}
	if v.Open != nil {
		return *v
	}
	for _, q := range j.resolutions() {
		if q.About[history.AboutUnknown] != what || !j.isUsable(v, q) {
			continue
		}
		v.Judged++
		if q.NotFound() || len(q.Metadata()) == 0 && q.CID() == "" {
			continue
		}
		v.Breaches = append(v.Breaches, verdict.Breach{
			Message: "an unpublished capability URI is resolved to metadata or a CID",
			Want:    "an error, or a result without metadata and CID", Got: q.Got(),
			Hint: "if the result reports an error in another form, map it in the target file: bindings: {" +
				history.OpResolve + ": {error: 'JQ'}}",
			Entries: []record.Tick{q.Entry},
		})
	}
	return v.OpenUnlessJudged(verdict.Undecided("no request named an unpublished capability URI"))
}

// resolutionError returns nil if a listed version is resolved, which is the positive control for URIs
// that must not be resolved. Otherwise it returns the reason.
func (j indexes) resolutionError(all []*history.Release) error {
	why := error(verdict.Undecided("a listed version is not resolved: see ACP-INDEX-01"))
	for _, q := range j.resolutions() {
		i := slices.IndexFunc(all, func(r *history.Release) bool { return r.URI == q.URI })
		if i < 0 {
			continue
		}
		if err := j.Offer.AnswerError(q); err != nil {
			why = err
			continue
		}
		if !q.Returned() {
			continue
		}
		open := j.otherNamesError(q, q.Metadata() == nil && q.CID() == "", all[i].URI, all[i].CID)
		if open == nil {
			return nil
		}
		why = open
	}
	return why
}

// LearnsReleases judges whether each capability that was published for the index becomes known to it
// within the deadline.
func (j indexes) LearnsReleases() verdict.Verdict {
	v := &verdict.Verdict{Open: j.Conclusion(history.FurtherPublication)}
	if v.Open != nil {
		return *v
	}
	for _, r := range j.Releases() {
		shown, waited := false, (*history.Query)(nil)
		for _, q := range j.Queries(history.OpResolve, history.OpSearch) {
			if q.URI != r.URI && !(q.Word != "" && r.FoundBy(q.Word)) {
				continue
			}
			if why := j.Offer.AnswerError(q); why != nil && q.Operation == history.OpResolve &&
				r.Stimulus == history.FurtherPublication {
				v.Open = why
			}
			shown = shown || q.Shows(r)
			if q.About[history.AboutWait] == history.WaitedFor {
				waited = q
			}
		}
		switch {
		case shown:
			v.Judged++
		case waited != nil:
			v.AddBreach([]record.Tick{waited.Entry}, "a capability that was published is not known to the index",
				"the metadata of "+r.URI+", by the event and the file at the gateway", waited.Got())
		}
	}
	return v.OpenUnlessJudged(verdict.Undecided("nothing was published for the index"))
}
