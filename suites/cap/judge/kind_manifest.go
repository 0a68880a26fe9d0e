package judge

import (
	"cmp"
	"errors"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/capconform/capconform/schemas"
	"github.com/capconform/capconform/suites/cap/history"
	"github.com/capconform/capconform/suites/instance"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/rule"
	"github.com/capconform/capconform/suites/shape"
	"github.com/capconform/capconform/suites/verdict"
)

// shown is a manifest and the answer that first contained it.
type shown struct {
	*history.RawManifest
	By    string // the operation
	at    string // where in the answer
	entry record.Tick
	Own   bool // not attached by the harness
	*decoder
}

// decoder decodes one manifest at a time: a source may list 10,000.
type decoder struct {
	cache *instance.Cache
	last  *history.RawManifest
	value history.Manifest
}

// Manifest returns the decoded manifest.
func (s *shown) Manifest() history.Manifest {
	if s.last != s.RawManifest {
		s.last, s.value = s.RawManifest, s.RawManifest.Manifest()
	}
	return s.value
}

// Entries returns that of the first answer.
func (s *shown) Entries() []record.Tick { return []record.Tick{s.entry} }

// manifestFunctions are what rules ask of a manifest, instead of members with large values, which a view would keep.
func manifestFunctions() []rule.Function {
	form := sync.OnceValues(func() (*shape.Shape, error) { return shape.Compile("cap/manifest.schema.json") })
	shapes := rule.Shapes(func(string) (*shape.Shape, bool) { f, err := form(); return f, err == nil })
	return append(shapes,
		rule.FunctionOf("members", func(s *shown) any { return map[string]any(s.Manifest()) }),
		rule.FunctionOf("is_semantic_version", func(text string) any { return versionGrammar.MatchString(text) }),
		rule.FunctionOfTwo("schema_flaw", (*shown).schemaFlaw),
		rule.FunctionOfTwo("printed", func(s *shown, member string) any {
			return s.placed(wrongType(s.Manifest(), member, "").Got)
		}))
}

// versionGrammar is the grammar of Semantic Versioning 2.0.0.
var versionGrammar = regexp.MustCompile(`^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)` +
	`(-((0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)(\.(0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*))*))?` +
	`(\+([0-9a-zA-Z-]+(\.[0-9a-zA-Z-]+)*))?$`)

// schemaFlaw returns why a member is no JSON Schema, "" if it is one.
func (s *shown) schemaFlaw(member string) any {
	_, err := CompileSchema(s.cache, s.Manifest(), member)
	if invalid, is := errors.AsType[*schemas.InvalidSchema](err); is {
		return invalid.Error()
	}
	if err != nil {
		return blocked(undecided(err))
	}
	return ""
}

// placed returns what was found in a manifest, with its place in the answers.
func (s *shown) placed(got string) string {
	if s.By == "" {
		return got
	}
	return strings.TrimSpace(got + " in the manifest of " + s.Ref().String() + ", by " + s.By + " " + s.at)
}

// JudgeManifest judges a manifest in a file by the rules on manifests. The function found receives each breach with the
// sentence of its rule.
func JudgeManifest(rules *rule.Set, m history.Manifest, found func(sentence string, b verdict.Breach)) {
	s := &shown{RawManifest: history.Decoded(m), Own: true, decoder: &decoder{}}
	rules.JudgeOne(Vocabulary(), "manifest", s, func(r *rule.Rule, v verdict.Verdict) {
		for _, b := range v.Breaches {
			found(r.String(), b)
		}
	})
}

// manifests returns the manifests of all lists, and of the descriptions of requested pairs, each
// text once.
func (j *evidence) manifests() []*shown {
	var all []*shown
	decoder := &decoder{cache: j.Cache}
	seen, same := map[*history.RawManifest]bool{}, map[record.Tick]bool{}
	add := func(s *history.RawManifest, by, at string, c *history.Call) {
		if !seen[s] {
			all = append(all, &shown{s, by, at, s.First, !attaching(c) || j.First().Find(s.Ref()) != nil, decoder})
		}
		seen[s] = true
	}
	for _, l := range j.Lists() {
		if l.Same == 0 || !same[l.Same] {
			for _, el := range l.Elements {
				add(el.RawManifest, history.OpList, el.Pointer(), &l.Call)
			}
		}
		same[l.Same] = true
	}
	for _, l := range j.Lookups() {
		if !l.Own() || seen[l.Shown] {
			continue
		}
		listed := j.rawManifest(l.Asked, l.Entry)
		if listed != nil && !equalManifests(listed.Manifest(), l.Shown.Manifest()) { // other rules cover an unlisted one
			add(l.Shown, history.OpDescribe, "", &l.Call)
		}
	}
	return all
}

// skills returns the manifests of skills that the harness did not attach.
func (j *evidence) skills() []*shown {
	return slices.DeleteFunc(j.manifests(), func(s *shown) bool { return !s.Own || s.Kind != history.KindSkill })
}

// attaching reports whether a call examines what the harness attached.
func attaching(c *history.Call) bool {
	return c.Stimulus == history.AttachedTools || c.Stimulus == history.AttachedSkills
}

// equalManifests reports whether two manifests have the same members; null equals absent.
func equalManifests(a, b history.Manifest) bool {
	return sameMembers(a, b, slices.Concat(history.ManifestMembers, a.Custom(), b.Custom()))
}

// difference returns the first member of the text in which two manifests differ, the version
// last. Custom members may differ, such as a time of day.
func difference(a, b history.Manifest) (string, bool) {
	for _, member := range history.ManifestMembers {
		if member != history.MemberVersion && !jsonvalue.Equal(a[member], b[member]) {
			return member, true
		}
	}
	return history.MemberVersion, !jsonvalue.Equal(a[history.MemberVersion], b[history.MemberVersion])
}

// isInvalid reports whether a manifest breaks a requirement on a single manifest.
func (j *evidence) isInvalid(raw *history.RawManifest) bool {
	m := raw.Manifest()
	form, err := manifestSchema()
	_, broken := CompileSchema(j.Cache, m, history.MemberInput)
	witness, shows := m.Witness()
	_, wrong := WitnessDefect(m, witness)
	lacks := slices.ContainsFunc(SkillMembers,
		func(member string) bool { return lacksMember(m, member) && j.supported(member) })
	return err == nil && form.Validate(map[string]any(m)) != nil || broken != nil ||
		m.IsSkill() && (shows && wrong || lacks)
}

var manifestSchema = sync.OnceValues(func() (*schemas.Schema, error) { return schemas.Own("cap/manifest.schema.json") })

// disclosure is a manifest or a result, in which a transport detail may be found.
type disclosure struct {
	What, Detail, Text string
	entry              record.Tick
}

// Entries returns that of the manifest or the result.
func (d *disclosure) Entries() []record.Tick { return []record.Tick{d.entry} }

// disclosures reads the texts of manifests and results, and their custom members. Custom members may have
// any name, but must not contain transport details.
func (j *evidence) disclosures() []*disclosure {
	var all []*disclosure
	for _, s := range j.manifests() {
		m := s.Manifest()
		found := cmp.Or(shownIn(texts(m), j.Own), customLeak(m, history.ManifestMembers, j.Own))
		all = append(all, &disclosure{"manifest", found, s.placed(found), s.entry})
	}
	for _, a := range j.Attempts() {
		found := cmp.Or(Leak(a.Message(), j.Own), customLeak(a.Members, resultMembers, j.Own))
		all = append(all, &disclosure{"result", found, found + " in " + a.Got(), a.Entry})
	}
	return all
}
