package acpsuite

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/google/uuid"

	"github.com/capconform/capconform/schemas"
	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/acp/content"
	"github.com/capconform/capconform/suites/driver"
)

// indexSentences are those about an indexing service.
var indexSentences = []sentence{
	say(`capabilities are listed`, func(w *world) any { return w.needListing }),
	say(`one more capability is published`, func(w *world) any { return w.publishMore }),
	say(`the service comes to know it`, func(w *world) any { return w.comesToKnow }),
	say(`the service offers both queries as tools`, func(w *world) any { return w.offersQueries }),
	say(`each version is resolved`, func(w *world) any { return w.resolveVersions }),
	say(`the metadata are those of the version that was asked for`, func(w *world) any { return w.metadataOfVersion }),
	say(`the CID is that of the version that was asked for`, func(w *world) any { return w.cidOfVersion }),
	say(`the metadata are the section of the file`, func(w *world) any { return w.metadataOfFile }),
	say(`each capability is resolved without a version`, func(w *world) any { return w.resolveBare }),
	say(`the metadata are those of its highest version`, func(w *world) any { return w.metadataOfHighest }),
	say(`a (capability|version) is resolved that nobody published`, func(w *world) any { return w.resolveUnknown }),
	say(`nothing is resolved`, func(w *world) any { return w.nothingResolved }),
	say(`a word of each capability is searched for`, func(w *world) any { return w.searchWords }),
	say(`each word finds its own capability`, func(w *world) any { return w.wordsFind }),
	say(`a word of each capability is searched for with an empty map of filters and without`, func(w *world) any { return w.searchBoth }),
	say(`both searches find the same`, func(w *world) any { return w.sameFound }),
	say(`a word is searched for that stands nowhere`, func(w *world) any { return w.searchNothing }),
	say(`no capability is found`, func(w *world) any { return w.nothingFound }),
}

// catalogued is what a scenario about an index knows.
type catalogued struct {
	listing  listing
	more     entry
	resolved []lookup
	searched []lookup
	filtered []lookup // the same with an empty map of filters
	without  []lookup // and with no filters
	nothing  lookup
}

// lookup is one question to an index and its answer.
type lookup struct {
	entry  // what was asked for
	asked  string
	answer driver.Answer
	hits   []object // of a search; nil: no list came
}

func (w *world) needListing(ctx context.Context) error {
	w.index.listing = w.listed(ctx)
	return w.index.listing.err
}

// publishMore takes the first publications for the control: an index that came to
// know nothing of them is not waited for again.
func (w *world) publishMore(ctx context.Context) error {
	l := w.listed(ctx)
	switch {
	case !l.followed:
		return suites.NotObserved("a publication, since the index follows another registry and lists what the target file names")
	case errors.Is(l.err, errNothingShown) && !w.follows:
		return suites.Undecided("the index shows nothing of what was published, and was told by ACP_GATEWAY and ACP_REGISTRY alone where it is")
	case errors.Is(l.err, errNothingShown):
		w.index.more = l.entries[0]
		return nil
	case l.err != nil:
		return l.err
	}
	n, err := w.list(w.Sample(), "1.0.0", freshWord(), true)
	w.index.more = n
	return err
}

func (w *world) comesToKnow(ctx context.Context) error {
	patience := w.subject.Deadlines.Slow
	if errors.Is(w.listed(ctx).err, errNothingShown) {
		patience = longestPause
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	var last driver.Answer
	err := w.poll(ctx, func() (shows bool, err error) {
		last, shows, err = w.shows(ctx, w.index.more)
		return shows, err
	})
	w.sc.Cite(last, err)
	if errors.Is(err, errNotYet) {
		return suites.Violated("a capability that was published is not known to the index", "the metadata of "+w.index.more.uri+", by the event and the file at the gateway", suites.Received(last, nil))
	}
	return err
}

func (w *world) offersQueries() error {
	info := w.session.Info()
	if info.Protocol != "mcp" {
		return suites.Inapplicable("the binding can't show which tools an MCP client is offered: %s", info.Binding)
	}
	for _, operation := range []string{opResolve, opSearch} {
		switch {
		case w.offers(operation):
		case w.offersOthers():
			return w.unnamed(operation)
		default:
			return suites.Violated("a query is not offered as a tool", "a tool for "+operation+", under this name or another", "no tools but "+strings.Join(info.Operations, ", "))
		}
	}
	return nil
}

// offersOthers tells whether there is a tool that could be a query under another
// name: one that is nothing else that is known.
func (w *world) offersOthers() bool {
	return slices.ContainsFunc(w.session.Info().Operations, func(tool string) bool {
		return !slices.ContainsFunc(operations(), func(operation string) bool { return strings.ReplaceAll(operation, ".", "_") == tool })
	})
}

// violated reports a breach with the exchange that shows it.
func (w *world) violated(a driver.Answer, message, want, got string) error {
	w.sc.Cite(a, nil)
	return suites.Violated(message, want, got)
}

// resolveVersions asks for each version that is listed. That one and the same is
// listed alone would show nothing: whatever was asked for, it would be given.
func (w *world) resolveVersions(ctx context.Context) error {
	if len(w.index.listing.entries) < 2 {
		return &suites.Inconclusive{Reason: "only one version is known to be listed, so that a service which drops what it is asked would not be found out", Supply: "name a second one under known in the target file"}
	}
	for _, n := range w.index.listing.entries {
		answer, err := w.insist(ctx, func() (driver.Answer, error) { return w.resolve(ctx, n.uri) },
			func(a driver.Answer) bool { return a.Outcome != driver.Refused })
		if err != nil {
			return err
		}
		w.index.resolved = append(w.index.resolved, lookup{entry: n, asked: n.uri, answer: answer})
	}
	return nil
}

func (k lookup) metadata() object {
	metadata, _ := schemas.ReadObject(k.answer.Result)["acp_metadata"].(object)
	return metadata
}

func (k lookup) cidGiven() string {
	cid, _ := schemas.ReadObject(k.answer.Result)["ipfs_cid"].(string)
	return cid
}

func (w *world) metadataOfVersion() error {
	for _, k := range w.index.resolved {
		if id, _ := k.metadata()["id"].(string); k.answer.Outcome != driver.Returned || id != k.uri {
			if open := w.otherNames(opResolve, k, k.metadata() == nil, k.uri); open != nil {
				return open
			}
			return w.violated(k.answer, "a version is not resolved to its own metadata", "acp_metadata with the id "+k.uri, suites.Received(k.answer, nil))
		}
		w.sc.Cite(k.answer, nil)
	}
	return nil
}

func (w *world) cidOfVersion() error {
	judged := 0
	for _, k := range w.index.resolved {
		if k.metadata() == nil && k.cidGiven() == "" {
			if open := w.otherNames(opResolve, k, true, k.uri, k.cid); open != nil {
				return open
			}
		}
		if k.cid == "" || k.answer.Outcome != driver.Returned {
			continue
		}
		judged++
		if cid := k.cidGiven(); cid == "" || !content.SameCID(cid, k.cid) {
			if id, _ := k.metadata()["id"].(string); id != k.uri {
				return suites.Undecided("another version was given than the one that was asked for: see ACP-INDEX-01")
			}
			if open := w.otherNames(opResolve, k, cid == "", k.cid); open != nil {
				return open
			}
			return w.violated(k.answer, "a version is not resolved to its CID", "ipfs_cid "+k.cid, suites.Received(k.answer, nil))
		}
		w.sc.Cite(k.answer, nil)
	}
	if judged == 0 {
		return &suites.Inconclusive{Reason: "no version was resolved whose CID is known", Supply: "name the cid of each version under known in the target file"}
	}
	return nil
}

func (w *world) metadataOfFile() error {
	judged := 0
	for _, k := range w.index.resolved {
		if id, _ := k.metadata()["id"].(string); k.entry.metadata == nil || id != k.uri {
			continue
		}
		judged++
		w.sc.Cite(k.answer, nil)
		if !suites.EqualJSON(schemas.ReadValue(suites.Encode(k.entry.metadata)), k.metadata()) {
			return suites.Violated("the metadata are not the section of the file", suites.Print(k.entry.metadata), suites.Print(k.metadata()))
		}
	}
	if judged == 0 {
		return suites.Undecided("no version was resolved whose file is known")
	}
	return nil
}

func (w *world) resolveBare(ctx context.Context) error {
	for _, n := range w.index.listing.newest() {
		k := lookup{entry: n}
		for _, k.asked = range []string{n.bare(), n.bare() + "@latest"} {
			var err error
			k.answer, err = w.insist(ctx, func() (driver.Answer, error) { return w.resolve(ctx, k.asked) },
				func(a driver.Answer) bool { return a.Outcome == driver.Returned && n.standsIn(a.Result) })
			if err != nil {
				return err
			}
			if !k.refused() {
				break
			}
		}
		w.index.resolved = append(w.index.resolved, k)
	}
	if len(w.index.resolved) == 0 {
		return &suites.Inconclusive{Reason: "no capability is known to be listed in two versions", Supply: "name two versions of one under known in the target file"}
	}
	return nil
}

// refused reports whether an index says that it knows nothing of what it was asked for.
func (k lookup) refused() bool {
	return k.answer.Outcome == driver.Refused || saysError(k.answer.Result)
}

// metadataOfHighest takes a version that is higher still where the listing is not
// ours alone. A version is known by its id or by its file: that both fit is for
// ACP-INDEX-01 and ACP-INDEX-09 to say.
func (w *world) metadataOfHighest() error {
	for _, k := range w.index.resolved {
		if k.refused() {
			w.sc.Cite(k.answer, nil)
			return &suites.Inconclusive{
				Reason: "the index refuses a capability URI without a version, and the text does not print how the latest one is asked for",
				Supply: "map the argument in the target file: bindings: {" + opResolve + ": {tool: NAME, params: JQ}}",
			}
		}
		id, _ := k.metadata()["id"].(string)
		given := newEntry(id)
		beyond := !w.index.listing.followed && given.name == k.name && newer(given.version, k.version)
		is := id == k.uri || k.cid != "" && content.SameCID(k.cidGiven(), k.cid)
		if k.answer.Outcome != driver.Returned || !is && !beyond {
			if open := w.otherNames(opResolve, k, k.metadata() == nil && k.cidGiven() == "", k.uri, k.cid); open != nil {
				return open
			}
			return w.violated(k.answer, "a capability is not resolved to its highest version", "acp_metadata with the id "+k.uri, suites.Received(k.answer, nil))
		}
		w.sc.Cite(k.answer, nil)
	}
	return nil
}

// resolveUnknown asks for what nobody published, after something was resolved that
// somebody did.
func (w *world) resolveUnknown(ctx context.Context, what string) error {
	known := w.index.listing.entries[0]
	control, err := w.insist(ctx, func() (driver.Answer, error) { return w.resolve(ctx, known.uri) },
		func(a driver.Answer) bool { return a.Outcome == driver.Returned })
	if err != nil {
		return err
	}
	if control.Outcome != driver.Returned {
		return suites.Undecided("a version that is listed is not resolved: see ACP-INDEX-01")
	}
	k := lookup{entry: known, answer: control}
	if open := w.otherNames(opResolve, k, k.metadata() == nil && k.cidGiven() == "", known.uri, known.cid); open != nil {
		return open
	}
	uri := capabilityPrefix + w.Beginning() + strings.ReplaceAll(uuid.NewString(), "-", "") + "@1.0.0"
	if what == "version" {
		uri = known.bare() + "@77.123.5"
	}
	answer, err := w.resolve(ctx, uri)
	if err != nil {
		return err
	}
	w.index.resolved = []lookup{{entry: newEntry(uri), asked: uri, answer: answer}}
	return nil
}

// nothingResolved accepts every answer that gives neither metadata nor a CID: the form of
// an error is free. A result that says that it is an error may hold anything beside it.
func (w *world) nothingResolved() error {
	k := w.index.resolved[0]
	w.sc.Cite(k.answer, nil)
	if k.answer.Outcome == driver.Refused || saysError(k.answer.Result) || len(k.metadata()) == 0 && k.cidGiven() == "" {
		return nil
	}
	v := suites.Violated("what nobody published is resolved to metadata or a CID", "an error, or a result without metadata and CID", suites.Received(k.answer, nil))
	v.Hint = "where the result says in another way that it is an error, map it in the target file: bindings: {" + opResolve + ": {error: 'JQ'}}"
	return v
}

// saysError reports whether an ordinary result says plainly that it is an error.
func saysError(result []byte) bool {
	members := schemas.ReadObject(result)
	for _, name := range []string{"error", "errors", "isError"} {
		switch said := members[name].(type) {
		case nil:
		case bool:
			if said {
				return true
			}
		case string:
			if said != "" {
				return true
			}
		case []any:
			if len(said) > 0 {
				return true
			}
		default:
			return true
		}
	}
	return members["ok"] == false || members["success"] == false
}

// offers tells whether a query is offered, under its own name or a mapped one.
func (w *world) offers(operation string) bool {
	return slices.Contains(w.session.Info().Operations, operation) || slices.Contains(w.session.Info().Mapped, operation)
}
