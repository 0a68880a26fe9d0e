package acpsuite

import (
	"github.com/capconform/capconform/suites/acp/history"
	"github.com/capconform/capconform/suites/acp/judge"
	"github.com/capconform/capconform/suites/verdict"
)

// indexJudgements are the sentences about indexing services.
var indexJudgements = []judgement{
	decide(`each capability that is published becomes known to the service`, (*judge.Judge).ComesToKnow),
	decide(`the service offers both queries as tools`, (*judge.Judge).OffersQueries),
	decide(`each version is resolved to its own metadata`, (*judge.Judge).ResolvesVersions),
	decide(`each version is resolved to its own CID`, (*judge.Judge).ResolvesCIDs),
	decide(`each version is resolved to the section of its file`, (*judge.Judge).ResolvesWholeMetadata),
	decide(`each capability without a version is resolved to its highest version`, (*judge.Judge).ResolvesHighest),
	about(`no (capability|version) that nobody published is resolved`, (*judge.Judge).UnknownUnresolved),
	decide(`each word finds its own capability before any other`, (*judge.Judge).WordsFind),
	decide(`each word finds the same with an empty map of filters and without`, (*judge.Judge).FiltersOptional),
	decide(`no word that stands nowhere finds a capability`, (*judge.Judge).NothingFound),
}

// publisherJudgements are the sentences about publishers.
var publisherJudgements = []judgement{
	decide(`each published package was stored as it was given, but for the signature`, (*judge.Judge).FilesStored),
	about(`the (cap_uri|semver) that was submitted of each package stands in its id`, (*judge.Judge).SubmittedOfID),
	about(`the (cid|sha256) that was submitted of each package is that of its file`, (*judge.Judge).SubmittedOfFile),
	decide(`each published package is signed by its author`, (*judge.Judge).FilesSigned),
}

// registryJudgements are the sentences about registries.
var registryJudgements = []judgement{
	about(`the registry gives back the (cap_uri|semver|cid|sha256) of each published version`, (*judge.Judge).Stored),
	decide(`one event tells of each published version`, (*judge.Judge).ToldOnce),
	about(`the event of each published version holds its (cap_uri|semver|cid|sha256)`, (*judge.Judge).EventHolds),
	decide(`no event tells of a publication that was refused`, (*judge.Judge).RefusedUntold),
	decide(`each published version stays as it was, whatever else is published`, (*judge.Judge).StaysAsItWas),
	decide(`each other author is refused a name that is taken`, (*judge.Judge).OtherAuthorRefused),
	decide(`each publication by nobody is refused`,
		func(j *judge.Judge) verdict.Verdict { return j.UnprovenRefused(history.ByNobody) }),
	decide(`each publication by a key that is not the author's is refused`,
		func(j *judge.Judge) verdict.Verdict { return j.UnprovenRefused(history.ByForger) }),
	decide(`neither a record nor an event holds the text of a file`, (*judge.Judge).NoText),
}
