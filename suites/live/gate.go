// Package live is what live suites share: roles, the policy of what may be invoked, and the
// session that enforces it (DESIGN section 10).
package live

import (
	"cmp"
	"context"
	"errors"
	"fmt"
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

// Use is what an operation does to capabilities, as its params name them.
type Use struct {
	Invokes bool   // it invokes one
	ID      string // which, "" where the params name none
	Version string // "" where the params name none
	Loose   bool   // the params name it in a form that the protocol does not have
	// Edits are entries that it creates, changes or removes. Of what a host lists these
	// may be fixtures and capabilities that were named, and nothing else.
	Edits []string
	Also  []string // further capabilities that it makes run
}

// Gate is the session of one suite. Every call of the suite goes through it, and what
// invokes a capability reaches the target only if the policy admits the capability. It
// counts what it lets through. It is safe for concurrent use.
type Gate struct {
	driver.Session
	policy   InvokePolicy
	names    map[string]bool // of --invoke
	fixtures map[string]bool // ids of the profile
	invokes  map[string]func(driver.Operation) Use
	reader   *admission.Reader
	sealed   bool               // nothing is invoked at all
	suite    string             // whose session it is
	journal  *recording.Journal // nil where nothing is recorded
	past     bool               // a record is judged

	mu       sync.Mutex
	listed   map[string][]admitted // by id
	folded   map[string]string     // an excluded id, by its letters and digits
	invented map[string]bool       // ids that the suite makes up
	origins  map[string]string     // the id of a copy that the suite makes: of what
	calls    map[string]int        // by the id of a listed capability
	copies   map[string]int        // calls of its copies
	strange  int                   // calls of what is not listed
}

// admitted is one version of a listed capability.
type admitted struct {
	version string
	why     string // it is not invoked; "": it may be
	chosen  bool   // it is a fixture, or was named
}

// Protocol is what a gate knows of a protocol.
type Protocol struct {
	Suite    string
	Roles    []Role
	Fixtures []string // ids of the fixture profile beside those of the roles
	// Invokes reads, of each operation that invokes, registers or changes a capability,
	// what it does.
	Invokes map[string]func(driver.Operation) Use
}

// Options say what a gate admits, and where its calls are recorded.
type Options struct {
	Policy   InvokePolicy // "" counts as safe
	Admitted []string     // ids that --invoke names
	Reader   *admission.Reader
	Journal  *recording.Journal // nil: nothing is recorded
	Past     bool               // a record is judged
}

// NewGate makes the session of a suite.
func NewGate(session driver.Session, p Protocol, opts Options) *Gate {
	g := &Gate{
		Session: session, suite: p.Suite, policy: cmp.Or(opts.Policy, InvokeSafe), invokes: p.Invokes, reader: opts.Reader,
		journal: opts.Journal, past: opts.Past,
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

// Seal decides whether nothing at all is invoked.
func (g *Gate) Seal(sealed bool) { g.sealed = sealed }

// Offer enters a listed capability and says why it is not invoked, "" if it may be.
func (g *Gate) Offer(c Candidate) string {
	chosen := g.policy == InvokeAll || c.Named || g.names[c.ID] || g.fixtures[c.ID]
	why := c.Barred
	switch {
	case g.policy == InvokeNone:
		why = "--invoke none"
	case why == "" && !chosen:
		why = g.reader.Against(admission.Candidate{ID: c.ID, Name: c.Name, Description: c.Description, Members: c.Members})
	}
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

// Copy enters the id of a copy that the suite makes of a listed capability: it runs the
// code of that one.
func (g *Gate) Copy(id, of string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if first, copied := g.origins[of]; copied {
		of = first
	}
	g.origins[id] = of
}

// ownWord stands in every id that the harness makes up from nothing.
const ownWord = "capconform"

// Invent enters an id that the suite makes up, to see that it is refused, and says why it
// is not used, "" if it may be.
func (g *Gate) Invent(id string) string {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.invented[id] = true
	return g.against(id, "")
}

// Against says why a reference is not invoked, "" if it may be. A version that is not
// listed may be taken for any that is.
func (g *Gate) Against(id, version string) string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.against(id, version)
}

func (g *Gate) against(id, version string) string {
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
	case id != "" && !g.invented[id] && !strings.Contains(id, ownWord):
		return "it is not listed"
	default:
		return g.resembles(id)
	}
}

// resembles says which excluded capability a host that matches ids loosely may take an
// unlisted id for.
func (g *Gate) resembles(id string) string {
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

// fold leaves what is left of an id that is matched loosely.
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
	names, invokes := g.invokes[op.Name]
	if !invokes {
		return g.Session.Call(ctx, op)
	}
	use := names(op)
	if open := g.bars(use); open != nil {
		return driver.Answer{}, open
	}
	if err := ctx.Err(); err != nil {
		return driver.Answer{}, &driver.CallError{Kind: driver.ErrCancelled, Detail: err.Error()}
	}
	answer, err := g.Session.Call(ctx, op)
	if use.Invokes && !errors.Is(err, driver.ErrUnreachable) { // else nothing was sent
		g.Count(use)
	}
	return answer, err
}

// bars gives the error of an operation that is not sent.
func (g *Gate) bars(use Use) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.sealed {
		return verdict.Undecided("nothing is invoked here")
	}
	for _, id := range use.Edits {
		if g.policy == InvokeNone {
			return verdict.Undecided("nothing is registered with --invoke none")
		}
		if versions := g.listed[id]; g.origins[id] == "" &&
			slices.ContainsFunc(versions, func(v admitted) bool { return !v.chosen }) {
			return verdict.Undecided("%s is not changed: it is neither a fixture nor named by --invoke or in the target file", id)
		}
	}
	ids := append(slices.Clone(use.Also), use.Edits...)
	for _, id := range ids {
		if why := g.against(id, ""); why != "" {
			return NotInvoked(cmp.Or(g.origins[id], id), why)
		}
	}
	if !use.Invokes {
		return nil
	}
	if why := g.against(use.ID, use.Version); why != "" {
		return NotInvoked(cmp.Or(g.origins[use.ID], use.ID), why)
	}
	return nil
}

// Count counts an operation that was let through.
func (g *Gate) Count(use Use) {
	g.mu.Lock()
	defer g.mu.Unlock()
	switch of, copied := g.origins[use.ID]; {
	case copied:
		g.copies[of]++
	case len(g.listed[use.ID]) > 0 && !use.Loose:
		g.calls[use.ID]++
	default:
		g.strange++
	}
}

// NotInvoked leaves a question open that an excluded capability would answer.
func NotInvoked(id, why string) *verdict.Inconclusive {
	open := &verdict.Inconclusive{Reason: fmt.Sprintf("%s was not invoked, because %s", id, why)}
	if flag := InvokeFlag(id); flag != "" && !strings.HasPrefix(why, "--invoke ") && !strings.HasPrefix(why, "it can ") {
		open.Supply = "admit it by " + flag + ", or name it under roles in the target file"
	}
	return open
}

// Tally returns what was invoked, and what was listed and not invoked.
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
	if g.strange > 0 {
		invoked = append(invoked, reports.Invoked{Calls: g.strange})
	}
	return invoked, left
}

// Unlisted returns the names of --invoke that no capability has.
func (g *Gate) Unlisted() []string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return slices.DeleteFunc(slices.Sorted(maps.Keys(g.names)), func(name string) bool { return len(g.listed[name]) > 0 })
}

// Invocations counts what the gate let through.
func (g *Gate) Invocations() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	all := g.strange
	for _, n := range g.calls {
		all += n
	}
	for _, n := range g.copies {
		all += n
	}
	return all
}
