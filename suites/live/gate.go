// Package live contains what the live suites share: roles, the policy for invocations, and the
// session that enforces the policy (DESIGN section 10).
package live

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/suites/admission"
	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/recording"
	"github.com/capconform/capconform/suites/verdict"
)

// Use describes what a call does to capabilities, according to its params.
type Use struct {
	Invokes       bool   // the call invokes a capability
	ID            string // id of the invoked capability; "" if the params name none
	Version       string // "" if the params name none
	UndefinedForm bool   // the params name the capability in a form that the protocol does not define
	// Edits are the ids of the entries that the call creates, changes or removes. Of the listed
	// capabilities, a call may edit only fixtures and those that the user named.
	Edits []string
	Also  []string // ids of further capabilities that the call causes to run
}

// Gate is the session of one suite. Every call of the suite goes through it, and a call that
// invokes a capability reaches the target only if the policy admits the capability. The gate counts
// the invocations that it sends. It is safe for concurrent use.
type Gate struct {
	driver.Session
	policy   InvokePolicy
	names    map[string]bool // ids that --invoke names
	fixtures map[string]bool // ids of the fixture profile
	uses     map[string]func(driver.Operation) Use
	reader   *admission.Reader
	blocked  bool               // no capability may be invoked
	suite    string             // name of the suite
	journal  *recording.Journal // nil if nothing is recorded
	recorded bool               // the gate judges a record
	foreign  bool               // see Options.Foreign
	changes  []string           // see Protocol.Changes
	shows    []string           // see Protocol.Shows
	hashed   maphash.Seed       // of reviewed

	mu       sync.Mutex
	listed   map[string][]admitted // by id
	folded   map[string]string     // excluded ids, by their letters and digits
	invented map[string]bool       // ids that the suite invents
	origins  map[string]string     // by the id of a copy that the suite makes: the id of its origin
	reviewed map[uint64]bool       // the answers that were reviewed
	calls    map[string]int        // by the id of a listed capability
	copies   map[string]int        // calls of the copies, by the id of their origin
	unlisted int                   // calls of capabilities that are not listed
}

// admitted is one version of a listed capability.
type admitted struct {
	version string
	why     string // why it must not be invoked; "" if it may be
	chosen  bool   // it is a fixture, or the user named it
}

// Protocol describes a protocol to a gate.
type Protocol struct {
	Suite    string
	Roles    []Role
	Fixtures []string // ids of the fixture profile that are not those of the roles
	// Uses contains a function for each operation that invokes, registers or changes a
	// capability. The function returns what a call does to capabilities.
	Uses map[string]func(driver.Operation) Use
	// Changes are further operations that change the target. For a document, only --invoke all
	// sends them.
	Changes []string
	// Shows are the operations whose answers contain descriptors of capabilities.
	Shows []string
}

// Options state what a gate admits and where its calls are recorded.
type Options struct {
	Policy   InvokePolicy // "" means safe
	Admitted []string     // ids that --invoke names
	Reader   *admission.Reader
	Journal  *recording.Journal // if nil, nothing is recorded
	Recorded bool               // the gate judges a record
	Foreign  bool               // the calls come from a document of unknown origin
}

// NewGate returns the session of a suite.
func NewGate(session driver.Session, p Protocol, opts Options) *Gate {
	g := &Gate{
		Session: session, suite: p.Suite, policy: cmp.Or(opts.Policy, InvokeSafe), uses: p.Uses, reader: opts.Reader,
		journal: opts.Journal, recorded: opts.Recorded, foreign: opts.Foreign, changes: p.Changes,
		shows: p.Shows, hashed: maphash.MakeSeed(), reviewed: map[uint64]bool{},
		names: map[string]bool{}, fixtures: map[string]bool{}, listed: map[string][]admitted{}, folded: map[string]string{},
		calls: map[string]int{}, copies: map[string]int{}, origins: map[string]string{}, invented: map[string]bool{},
	}
	for _, name := range opts.Admitted {
		g.names[name] = true
	}
	for _, id := range p.Fixtures {
		g.fixtures[id] = true
	}
	for _, role := range p.Roles {
		g.fixtures[role.Capability] = true
	}
	return g
}

// SetBlocked sets whether the gate blocks all invocations.
func (g *Gate) SetBlocked(sealed bool) { g.blocked = sealed }

// Offer adds a listed capability and returns the reason why it must not be invoked, or "" if it may
// be.
func (g *Gate) Offer(c Candidate) string {
	why, chosen := g.reason(c)
	g.mu.Lock()
	defer g.mu.Unlock()
	if one := (admitted{c.Version, why, chosen}); !slices.Contains(g.listed[c.ID], one) {
		g.listed[c.ID] = append(g.listed[c.ID], one)
	}
	if why != "" {
		g.folded[fold(c.ID)] = c.ID
	}
	return why
}

// AdmitsUnnamed reports whether the policy admits a capability also if the target file does not name it.
func (g *Gate) AdmitsUnnamed(c Candidate) bool {
	c.Named = false
	why, _ := g.reason(c)
	return why == ""
}

// reason returns why a capability must not be invoked, "" if it may be, and whether it is a fixture or
// the user chose it.
func (g *Gate) reason(c Candidate) (why string, chosen bool) {
	chosen = g.policy == InvokeAll || c.Named || g.names[c.ID] || g.fixtures[c.ID]
	switch {
	case g.policy == InvokeNone:
		return "--invoke none", chosen
	case c.Forbidden != "" || chosen:
		return c.Forbidden, chosen
	}
	return g.reader.ReasonAgainst(admission.Candidate{ID: c.ID, Name: c.Name, Description: c.Description,
		Members: c.Members}), false
}

// Copy adds the id of a copy that the suite makes of a listed capability. An invocation of the copy
// runs the code of that capability.
func (g *Gate) Copy(id, of string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if first, copied := g.origins[of]; copied {
		of = first
	}
	g.origins[id] = of
}

// inventedIDPart is a part of every id that the harness invents.
const inventedIDPart = "capconform"

// Invent adds an id that the suite invents to test that the target refuses it. Invent returns the
// reason why the id must not be used, or "" if it may be.
func (g *Gate) Invent(id string) string {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.invented[id] = true
	return g.reasonAgainst(id, "")
}

// ReasonAgainst returns the reason why a reference must not be invoked, or "" if it may be. A version
// that is not listed counts as any listed version, because the target may resolve it to one.
func (g *Gate) ReasonAgainst(id, version string) string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.reasonAgainst(id, version)
}

func (g *Gate) reasonAgainst(id, version string) string {
	if g.policy == InvokeNone {
		return "--invoke none"
	}
	if of, copied := g.origins[id]; copied {
		id, version = of, ""
	}
	versions := g.listed[id]
	of := slices.DeleteFunc(slices.Clone(versions), func(v admitted) bool { return v.version != version })
	if len(of) == 0 {
		of = versions
	}
	for _, v := range of {
		if v.why != "" {
			return v.why
		}
	}
	switch {
	case len(versions) > 0:
		return ""
	case id != "" && !g.invented[id] && !strings.Contains(id, inventedIDPart):
		return "it is not listed"
	default:
		return g.reasonIfSimilar(id)
	}
}

// reasonIfSimilar returns a reason not to use an unlisted id if a host that matches ids loosely may
// resolve it to an excluded capability, and "" otherwise.
func (g *Gate) reasonIfSimilar(id string) string {
	if len(g.folded) == 0 || id == "" {
		return ""
	}
	if strings.ContainsAny(id, "*%") {
		return "it is a pattern, and some capabilities are excluded"
	}
	plain := fold(id)
	if other, same := g.folded[plain]; same {
		return "it resembles " + other + ", which is excluded"
	}
	for _, other := range g.folded {
		begins := strings.HasPrefix(other, id) ||
			strings.HasPrefix(id, other) && strings.ContainsRune(" .@:/#", rune(id[len(other)]))
		if last := other[strings.LastIndexAny(other, "./:")+1:]; begins || fold(last) == plain {
			return "it resembles " + other + ", which is excluded"
		}
	}
	return ""
}

// fold returns an id in lower case without its ASCII punctuation.
func fold(id string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(id) {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r > 0x7f {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// Call implements driver.Session.
func (g *Gate) Call(ctx context.Context, op driver.Operation) (driver.Answer, error) {
	names, invokes := g.uses[op.Name]
	if g.foreign && slices.Contains(g.changes, op.Name) {
		return driver.Answer{}, verdict.Undecided("%s changes the target; --invoke all sends it", op.Name)
	}
	if !invokes {
		answer, err := g.Session.Call(ctx, op)
		if err == nil && slices.Contains(g.shows, op.Name) {
			g.review(answer)
		}
		return answer, err
	}
	use := names(op)
	if g.foreign {
		if open := g.checkForeign(op, use); open != nil {
			return driver.Answer{}, open
		}
	}
	if open := g.refuses(use); open != nil {
		return driver.Answer{}, open
	}
	if err := ctx.Err(); err != nil {
		return driver.Answer{}, &driver.CallError{Kind: driver.ErrCancelled, Detail: err.Error()}
	}
	ctx, resent := driver.CountResent(ctx)
	answer, err := g.Session.Call(ctx, op)
	if use.Invokes && !errors.Is(err, driver.ErrUnreachable) { // otherwise nothing was sent
		for range 1 + resent.Load() {
			g.Count(use)
		}
	}
	return answer, err
}

// refuses returns the error of a call that must not be sent, or nil.
func (g *Gate) refuses(use Use) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.blocked {
		return verdict.Undecided("nothing is invoked here")
	}
	for _, id := range use.Edits {
		if g.policy == InvokeNone {
			return verdict.Undecided("nothing is registered with --invoke none")
		}
		if versions := g.listed[id]; g.origins[id] == "" &&
			slices.ContainsFunc(versions, func(v admitted) bool { return !v.chosen }) {
			return verdict.Undecided("%s is not changed: it is neither a fixture nor named by --invoke or in the target file",
				id)
		}
	}
	ids := append(slices.Clone(use.Also), use.Edits...)
	for _, id := range ids {
		if why := g.reasonAgainst(id, ""); why != "" {
			return NotInvoked(cmp.Or(g.origins[id], id), why)
		}
	}
	if !use.Invokes {
		return nil
	}
	if why := g.reasonAgainst(use.ID, use.Version); why != "" {
		return NotInvoked(cmp.Or(g.origins[use.ID], use.ID), why)
	}
	return nil
}

// Count counts a call that was sent.
func (g *Gate) Count(use Use) {
	g.mu.Lock()
	defer g.mu.Unlock()
	switch of, copied := g.origins[use.ID]; {
	case copied:
		g.copies[of]++
	case len(g.listed[use.ID]) > 0 && !use.UndefinedForm:
		g.calls[use.ID]++
	default:
		g.unlisted++
	}
}

// NotInvoked returns the Inconclusive for a question that only an excluded capability can answer.
func NotInvoked(id, why string) *verdict.Inconclusive {
	open := &verdict.Inconclusive{Reason: fmt.Sprintf("%s was not invoked, because %s", id, why)}
	if flag := InvokeFlag(id); flag != "" && !strings.HasPrefix(why, "--invoke ") && !strings.HasPrefix(why, "it can ") {
		open.Supply = "admit it by " + flag + ", or name it under roles in the target file"
	}
	return open
}

// Tally returns the listed capabilities that were invoked and those that were not. An entry of
// invoked without a name counts the calls of capabilities that are not listed.
func (g *Gate) Tally() (invoked []reports.Invoked, left []reports.NotInvoked) {
	g.mu.Lock()
	defer g.mu.Unlock()
	invoked, left = []reports.Invoked{}, []reports.NotInvoked{}
	for _, id := range slices.Sorted(maps.Keys(g.listed)) {
		if g.calls[id]+g.copies[id] > 0 {
			invoked = append(invoked, reports.Invoked{Capability: id, Calls: g.calls[id], Copies: g.copies[id]})
			continue
		}
		one := reports.NotInvoked{Capability: id}
		for _, v := range g.listed[id] {
			one.Reason = cmp.Or(one.Reason, v.why)
		}
		if open := NotInvoked(id, one.Reason); open.Supply != "" && one.Reason != "" {
			one.Flag = InvokeFlag(id)
		}
		left = append(left, one)
	}
	if g.unlisted > 0 {
		invoked = append(invoked, reports.Invoked{Calls: g.unlisted})
	}
	return invoked, left
}

// Unlisted returns the names in --invoke that no listed capability has.
func (g *Gate) Unlisted() []string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return slices.DeleteFunc(slices.Sorted(maps.Keys(g.names)), func(name string) bool { return len(g.listed[name]) > 0 })
}

// Invocations returns the number of invocations that the gate sent.
func (g *Gate) Invocations() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	all := g.unlisted
	for _, n := range g.calls {
		all += n
	}
	for _, n := range g.copies {
		all += n
	}
	return all
}
