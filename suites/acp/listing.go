package acpsuite

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/Masterminds/semver/v3"

	"github.com/capconform/capconform/schemas"
	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/acp/environment"
	"github.com/capconform/capconform/suites/driver"
)

// seeFollows is the requirement that holds the control of those on an index.
const seeFollows = "ACP-REG-04"

// entry is a version that an index lists, or should list.
type entry struct {
	uri, name, version string
	cid                string // "" where it is not known
	word               string // stands in the metadata of its capability alone; "" where none is known
	metadata           object // nil where the file is not known
}

// listing is what an index lists, and who says so.
type listing struct {
	entries  []entry
	followed bool      // the entries were published by us
	settled  time.Time // until then a copy of the index may be behind what another one shows
	err      error     // why nothing is known to be listed
}

// capabilityPrefix begins every capability URI.
const capabilityPrefix = "did:nuwa:cap:"

func newEntry(uri string) entry {
	name, version, _ := strings.Cut(strings.TrimPrefix(uri, capabilityPrefix), "@")
	return entry{uri: uri, name: name, version: version}
}

// bare is the capability URI without its version.
func (n entry) bare() string { return capabilityPrefix + n.name }

// listed gives what the index lists, once a run: what the target file names, or two
// capabilities in two versions that were published before its eyes.
func (w *world) listed(ctx context.Context) listing {
	return w.done.listed.Get(ctx, func() (listing, bool) {
		l := listing{followed: true}
		if len(w.subject.Known) > 0 {
			l.followed = false
			for _, known := range w.subject.Known {
				n := newEntry(known.CapURI)
				n.cid = known.CID
				l.entries = append(l.entries, n)
			}
			return l, true
		}
		if !w.follows && !w.hinted {
			l.err = &suites.Inconclusive{
				Reason: "the index follows no registry of ours, and it is not known what it lists",
				Supply: "offer acp_configure as a tool, or read ACP_GATEWAY and ACP_REGISTRY as a child that is started with --suite acp, or name versions that it lists in the target file: known: [{cap_uri: did:nuwa:cap:NAME@1.0.0, cid: CID}]",
			}
			return l, true
		}
		begun := time.Now()
		l.entries, l.err = w.publishListing()
		if l.err == nil {
			l.err = w.awaitListing(ctx, l.entries)
		}
		shown := time.Now()
		l.settled = shown.Add(max(shown.Sub(begun), atLeastBehind))
		return l, ctx.Err() == nil
	})
}

// publishListing publishes the newer version of one capability first, and the older
// one of the other: whichever way a service errs, one of them shows it. As texts,
// 1.9.0 comes behind 1.10.0, and 2.0.9 behind 2.0.10.
func (w *world) publishListing() ([]entry, error) {
	var all []entry
	name := ""
	for i, versions := range [][]string{{"1.10.0", "1.9.0"}, {"2.0.9", "2.0.10"}} {
		s := w.Sample()
		if i > 0 {
			s.Label = name + "x" // which begins as the other one does
		}
		name = s.Label
		word := freshWord()
		for _, version := range versions {
			n, err := w.list(s, version, word, i > 0)
			if err != nil {
				return nil, err
			}
			all = append(all, n)
		}
	}
	return all, nil
}

// freshWord is made of letters alone, so that every way to split a text into words
// leaves it whole.
func freshWord() string {
	return "qu" + strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return 'g' + r - '0'
		}
		return r
	}, environment.Mark()[2:])
}

// list publishes a version of a capability for an index to find by a word of its name
// or of its description.
func (w *world) list(s *specimen, version, word string, named bool) (entry, error) {
	one := *s
	one.ID = one.Identified(version)
	one.Package.Name, one.Description = "Keeper", "Keeps what belongs to "+word+", in version "+version+"."
	if named {
		one.Package.Name, one.Description = "Keeper of "+word, "Keeps things, in version "+version+"."
	}
	one.Triggers = []environment.Trigger{{Type: "keyword", Value: word}}
	r, err := w.registrableAs(&one, w.Author)
	if err != nil {
		return entry{}, err
	}
	w.Environment.Publish(r.ID, r.File, w.Author)
	n := newEntry(r.ID)
	n.cid, n.word = r.CID, word
	n.metadata, _ = readFile(r.File)["metadata"].(object)
	return n, nil
}

// resolve asks for one capability.
func (w *world) resolve(ctx context.Context, uri string) (driver.Answer, error) {
	return w.query(ctx, driver.Operation{Name: opResolve, Params: suites.Encode(object{memberURI: uri})})
}

// search asks for capabilities by a word. Nil filters are left out.
func (w *world) search(ctx context.Context, word string, filters object) (driver.Answer, error) {
	params := object{"query_string": word}
	if filters != nil {
		params["filters"] = filters
	}
	return w.query(ctx, driver.Operation{Name: opSearch, Params: suites.Encode(params), List: true})
}

// query asks the index, and leaves the question open where it has no such tool or
// wants to be paid or shown credentials.
func (w *world) query(ctx context.Context, op driver.Operation) (driver.Answer, error) {
	answer, err := w.sc.Ask(ctx, op, w.subject.Deadlines.Call)
	switch {
	case err != nil:
		return answer, fmt.Errorf("acpsuite: %s: %w", op.Name, err)
	case answer.Outcome == driver.NotProvided:
		return answer, w.unnamed(op.Name)
	case wantsCredentials(answer):
		return answer, &suites.Inconclusive{
			Reason: "the service wants credentials for " + op.Name + ": " + suites.Received(answer, nil),
			Supply: "give them as headers or variables in the target file, or as arguments by its bindings",
		}
	}
	return answer, nil
}

// unnamed tells that a query is not offered under the name that it was looked for.
func (w *world) unnamed(operation string) *suites.Inconclusive {
	missing := &suites.Inconclusive{
		Reason: "the service offers no tool " + operation,
		Supply: fmt.Sprintf("where yours has another name, say so in the target file: bindings: {%s: {tool: NAME}}", operation),
	}
	if offered := w.session.Info().Operations; len(offered) > 0 {
		missing.Supply += "; it offers " + suites.Clip(strings.Join(offered, ", "))
	}
	return missing
}

var credentialWords = regexp.MustCompile(`(?i)\b(unauthori[sz]ed|unauthenticated|authenticat\w*|credentials?|api[ _-]?key|payment|forbidden|access denied|sign[ _-]?in|log[ _-]?in)\b`)

// wantsCredentials reads a refusal, or a result that holds a resource in place of an
// answer, which is how some services ask to be paid or to be shown who calls.
func wantsCredentials(answer driver.Answer) bool {
	switch answer.Outcome {
	case driver.Refused:
		return answer.Error != nil && credentialWords.MatchString(answer.Error.Code+" "+answer.Error.Message+" "+string(answer.Error.Data))
	case driver.Malformed:
		raw := string(answer.Exchange.Received)
		return resourceBlock.MatchString(raw) || credentialWords.MatchString(raw)
	}
	return false
}

var resourceBlock = regexp.MustCompile(`"type"\s*:\s*"resource"`)

// How often an index is asked whether it knows something yet, and how long it may
// take for the rest once it has fetched everything and shown something.
const (
	firstPause, longestPause = 10 * time.Millisecond, 500 * time.Millisecond
	afterFetching            = 2 * time.Second
)

// atLeastBehind is how long one copy of an index may be behind another, whatever the
// listing took: all of them have the deadline for what is slow.
const atLeastBehind = 400 * time.Millisecond

// insist asks an index until it gives what is wanted, or until all its copies have had
// the time that the first one took to show the listing. It gives the last answer.
func (w *world) insist(ctx context.Context, ask func() (driver.Answer, error), wanted func(driver.Answer) bool) (driver.Answer, error) {
	answer, err := ask()
	if err != nil || wanted(answer) || time.Now().After(w.index.listing.settled) {
		return answer, err
	}
	ctx, cancel := context.WithDeadline(ctx, w.index.listing.settled)
	defer cancel()
	err = w.poll(ctx, func() (bool, error) {
		again, err := ask()
		if err != nil {
			return false, err
		}
		answer = again
		return wanted(answer), nil
	})
	if errors.Is(err, errNotYet) {
		err = nil
	}
	return answer, err
}

// awaitListing waits, within the deadline for what is slow, until the index shows
// each version. One that fetched them all, and does not show some of them even later,
// is judged as it is.
func (w *world) awaitListing(ctx context.Context, all []entry) error {
	ctx, cancel := context.WithTimeout(ctx, w.subject.Deadlines.Slow)
	defer cancel()
	shown := map[string]bool{}
	var fetched time.Time
	err := w.poll(ctx, func() (bool, error) {
		for _, n := range all {
			if shown[n.uri] {
				continue
			}
			_, shows, err := w.shows(ctx, n)
			if err != nil {
				return false, err
			}
			shown[n.uri] = shows
		}
		if fetched.IsZero() && w.fetchedAll(all) {
			fetched = time.Now()
		}
		missing := slices.Contains(slices.Collect(maps.Values(shown)), false)
		return !missing || !fetched.IsZero() && time.Since(fetched) > afterFetching, nil
	})
	switch {
	case !errors.Is(err, errNotYet):
		return err
	case slices.Contains(slices.Collect(maps.Values(shown)), true):
		return nil
	}
	return errNothingShown
}

// errNothingShown is an index that came to know nothing of what was published.
var errNothingShown = suites.Undecided("the index shows nothing of what was published: see %s", seeFollows)

// shows tells whether an index shows a version in any way: a broken query leaves the
// other one. The answer is that of the query to resolve.
func (w *world) shows(ctx context.Context, n entry) (driver.Answer, bool, error) {
	answer, err := w.resolve(ctx, n.uri)
	if err != nil || n.standsIn(answer.Result) {
		return answer, true, err
	}
	hits, err := w.search(ctx, n.word, nil)
	if missing := (*suites.Inconclusive)(nil); errors.As(err, &missing) {
		return answer, false, nil // that there is no search is for others to tell
	}
	return answer, n.standsIn(hits.Result), err
}

// standsIn tells whether a version is shown, by its file or by the id of its
// metadata. The URI alone shows nothing: whoever echoes the question has it too.
func (n entry) standsIn(result json.RawMessage) bool {
	if n.cid != "" && strings.Contains(string(result), n.cid) {
		return true
	}
	value := schemas.ReadValue(result)
	resolved, _ := value.(object)
	return slices.ContainsFunc(append(hitsOf(value), resolved), func(shown object) bool {
		metadata, _ := shown["acp_metadata"].(object)
		return metadata["id"] == n.uri
	})
}

func (w *world) fetchedAll(all []entry) bool {
	for _, n := range all {
		if len(w.Environment.Gateway.Fetches(n.cid)) == 0 {
			return false
		}
	}
	return true
}

// errNotYet is a wait that ended with its deadline.
var errNotYet = errors.New("acpsuite: not before the deadline")

// poll asks until something holds, at longer and longer intervals. The error is
// that of the question, or errNotYet where ctx ended first.
func (w *world) poll(ctx context.Context, holds func() (bool, error)) error {
	timer := time.NewTimer(0)
	defer timer.Stop()
	for pause := firstPause; ; pause = min(2*pause, longestPause) {
		select {
		case <-timer.C:
		case <-ctx.Done():
			return errNotYet
		}
		held, err := holds()
		switch {
		case err != nil && ctx.Err() != nil:
			return errNotYet
		case held || err != nil:
			return err
		}
		timer.Reset(pause)
	}
}

// newest gives the highest of the versions that are known to be listed of each
// capability of which there are two or more.
func (l listing) newest() []entry {
	highest, count := map[string]entry{}, map[string]int{}
	var names []string
	for _, n := range l.entries {
		count[n.name]++
		if count[n.name] == 1 {
			names = append(names, n.name)
		}
		if best, has := highest[n.name]; !has || newer(n.version, best.version) {
			highest[n.name] = n
		}
	}
	var all []entry
	for _, name := range names {
		if count[name] > 1 {
			all = append(all, highest[name])
		}
	}
	return all
}

// newer compares two versions. What is none is older than what is one.
func newer(a, b string) bool {
	x, err := semver.StrictNewVersion(a)
	if err != nil {
		return false
	}
	y, err := semver.StrictNewVersion(b)
	return err != nil || x.GreaterThan(y)
}
