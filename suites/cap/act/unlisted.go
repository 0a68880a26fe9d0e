package act

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/google/uuid"

	"github.com/capconform/capconform/suites/cap/history"
)

// unknownRef is a reference that the source does not list, and how it differs from the listed
// ones.
type unknownRef struct {
	history.Ref
	kind   string
	random bool // no other user can have registered the same one
}

// unknownRefs describe and invoke pairs that the source does not list.
type unknownRefs struct{ bench }

// maxUnknownVersions limits from how many capabilities at each end of the list references with an
// unknown version are made: a source may look up some capabilities in another way. The references that
// are similar to a listed one show others.
const maxUnknownVersions = 1

// unknown returns references that are not listed. They are new, random, and compared with the list
// before they are used. References similar to a listed one are made only from the given
// capabilities, since a source that falls back to the known one would execute it. If the references
// are to be invoked, the gate removes those that a source may confuse with an excluded capability.
func (c unknownRefs) unknown(capabilities []*history.RawManifest, invoked bool) []unknownRef {
	fresh := "capconform-" + uuid.NewString()
	all := []unknownRef{{history.Ref{ID: fresh, Version: "1.0.0"}, "an unknown id and an unknown version", true}}
	for i, of := range capabilities {
		if isFirstOrLast(i, len(capabilities), maxUnknownVersions) {
			all = append(all,
				unknownRef{history.Ref{ID: of.ID, Version: freshVersion()}, "a known id in an unknown version", true})
		}
		if i == 0 {
			all = append(all, unknownRef{history.Ref{ID: fresh, Version: of.Version}, "an unknown id in a known version", true})
		}
	}
	all = append(all, c.similarTo(capabilities, invoked)...)
	all = append(all, c.mixedReferences(capabilities)...)
	for _, id := range slices.Sorted(maps.Keys(unusualIDs)) {
		all = append(all, unknownRef{history.Ref{ID: id, Version: "1.0.0"}, unusualIDs[id], false})
	}
	again := all[0]
	again.kind += ", a second time"
	all = append(all, again)
	unlisted := all[:0]
	for _, s := range all {
		if c.isUnknown(s, invoked) {
			unlisted = append(unlisted, s)
		}
	}
	return unlisted
}

// isUnknown reports whether a reference is not listed and, if invoked is true, may be invoked.
func (c unknownRefs) isUnknown(s unknownRef, invoked bool) bool {
	return c.List.Find(s.Ref) == nil && (!invoked || c.Gate.Invent(s.ID) == "" &&
		c.Gate.ReasonAgainst(s.ID, s.Version) == "")
}

// similarTo returns one reference of each kind that is similar to a listed one. The kinds are distributed
// over all capabilities; if a capability has none of a kind, the one after it is used. What is removed
// during the run is omitted, since an answer about it could not be confirmed.
func (c unknownRefs) similarTo(capabilities []*history.RawManifest, invoked bool) []unknownRef {
	capabilities = slices.DeleteFunc(slices.Clone(capabilities),
		func(s *history.RawManifest) bool { return s.ID == Replaceable })
	if len(capabilities) == 0 {
		return nil
	}
	var all []unknownRef
	kinds := len(similarRefs(capabilities[0]))
	for kind := range kinds {
		first := kind
		if len(capabilities) > kinds {
			first = kind * len(capabilities) / kinds
		}
		for round := range min(len(capabilities), nearTries) {
			s := similarRefs(capabilities[(first+round)%len(capabilities)])[kind]
			if s.ID != "" && c.isUnknown(s, invoked) {
				all = append(all, s)
				break
			}
		}
	}
	return all
}

// nearTries is how many capabilities are tried for a reference of one kind.
const nearTries = 10

// unusualIDs have a meaning for common ways to look up an id: a query, a pattern, the prototype of
// an object, a column with a maximal length.
var unusualIDs = map[string]string{
	"*": "an asterisk as id", "%": "a percent sign as id", "__proto__": "the id __proto__",
	"constructor":             "the id constructor",
	"capconform-\u6df7\u8272": "an id beyond ASCII", "capconform-" + strings.Repeat("x", 300): "an id of 300 characters",
}

const maxMixed = 4

// mixedReferences combines ids with versions that only other ids have.
func (c unknownRefs) mixedReferences(capabilities []*history.RawManifest) []unknownRef {
	versions := map[string]bool{}
	for _, of := range c.List.Capabilities {
		versions[of.Version] = true
	}
	var all []unknownRef
	for _, of := range capabilities {
		for _, version := range slices.Sorted(maps.Keys(versions)) {
			if c.List.Find(history.Ref{ID: of.ID, Version: version}) == nil && len(all) < maxMixed {
				all = append(all, unknownRef{history.Ref{ID: of.ID, Version: version},
					"the id of one capability in the version of another", false})
			}
		}
	}
	return all
}

// similarRefs returns pairs that a source with loose matching confuses with a listed one. Ids and
// versions are opaque: only equal strings are equal. Each kind has its index; it is empty there
// if the capability has none of that kind.
func similarRefs(c *history.RawManifest) []unknownRef {
	all := make([]unknownRef, 0, 24)
	for _, v := range similarVersions(c.Version) {
		s := unknownRef{history.Ref{ID: c.ID, Version: v.text},
			fmt.Sprintf("a known id in the version %q, which is not listed", v.kind), false}
		if v.text == "" {
			s = unknownRef{}
		}
		all = append(all, s)
	}
	for _, id := range similarIDs(c) {
		s := unknownRef{history.Ref{ID: id.text, Version: c.Version}, id.kind, false}
		if strings.ToValidUTF8(id.text, "") != id.text || id.text == c.ID {
			s = unknownRef{}
		}
		all = append(all, s)
	}
	return all
}

// similarText is a text similar to a known one, and how it differs.
type similarText struct{ text, kind string }

func similarVersions(version string) []similarText {
	major, rest, _ := strings.Cut(version, ".")
	var minor, fresh string
	if m, _, whole := strings.Cut(rest, "."); whole {
		_, other, _ := strings.Cut(freshVersion(), ".")
		minor, fresh = major+"."+m, major+"."+other
	}
	return []similarText{
		{"latest", "latest"},
		{"*", "*"},
		{major, "MAJOR"},
		{minor, "MAJOR.MINOR"},
		{fresh, "MAJOR with another minor version"},
		{"^" + version, "^VERSION"},
		{"v" + version, "vVERSION"},
		{version + ".0", "VERSION.0"},
		{version + "+build", "VERSION+build"},
		{version + "-0", "VERSION-0"},
		{" " + version + " ", "VERSION with spaces around it"},
		{"0.0.0-0", "0.0.0-0"},
		{version + "\n", "VERSION with a line break behind it"},
	}
}

func similarIDs(c *history.RawManifest) []similarText {
	name, _ := c.Manifest().Text(history.MemberName)
	return []similarText{
		{strings.ToUpper(c.ID), "a known id in capital letters"},
		{c.ID[:len(c.ID)-1], "a known id without its last character"},
		{c.ID + " ", "a known id with a trailing space"},
		{" " + c.ID, "a known id with a leading space"},
		{c.ID + ".capconform", "a known id with a further part"},
		{c.ID[strings.LastIndexAny(c.ID, "./:")+1:], "the last part of a known id"},
		{strings.NewReplacer(".", "_", "/", "_", ":", "_").Replace(c.ID), "a known id with _ as separator"},
		{name, "the name of a capability as id"},
		{c.ID + "\n", "a known id with a line break behind it"},
		{c.ID + "/", "a known id with a slash behind it"},
		{percentEncoded(c.ID), "a known id in percent encoding"},
	}
}

// percentEncoded writes the first character of an id in percent encoding.
func percentEncoded(id string) string {
	_, size := utf8.DecodeRuneInString(id)
	return "%" + strings.ReplaceAll(fmt.Sprintf("% X", id[:size]), " ", "%") + id[size:]
}

// freshVersion returns a semantic version that no registry contains.
func freshVersion() string {
	id := uuid.New()
	return fmt.Sprintf("%d.%d.%d", 7000+int(id[0]), 7000+int(id[1]), 7000+int(id[2])<<8+int(id[3]))
}

// describeUnknown describes references that are not listed, up to the first without an answer.
func (c unknownRefs) describeUnknown(ctx context.Context) error {
	if err := c.needList(); err != nil {
		return err
	}
	for _, s := range c.unknown(c.List.Capabilities, false) {
		if c.describe(ctx, s.Ref, s.about()).Lost != nil {
			return nil
		}
	}
	if first := c.List.Capabilities; len(first) > 0 { // an answer may depend on the one before it
		c.describe(ctx, first[0].Ref(), step(history.StepAfterRefusal))
	}
	return nil
}

// invokeUnknown invokes the references with the input {}, up to the first without an answer.
func (c unknownRefs) invokeUnknown(ctx context.Context) error {
	if err := c.needList(); err != nil {
		return err
	}
	var invoked []*history.RawManifest
	for _, of := range c.Pool {
		invoked = append(invoked, of.RawManifest)
	}
	for _, s := range c.unknown(invoked, true) {
		if c.invoke(ctx, invocation{asked: s.Ref, input: json.RawMessage("{}"), about: s.about()}).Lost != nil {
			return nil
		}
	}
	full := unknownRef{history.Ref{ID: "capconform-" + uuid.NewString(), Version: "1.0.0"},
		"an unknown id and an unknown version, with an input that is not empty", true}
	c.invoke(ctx, invocation{asked: full.Ref, input: json.RawMessage(`{"value":"example"}`), about: full.about()})
	c.repeatSuccess(ctx, c.someSuccess())
	return nil
}

// about returns the parameters of a call for an unknown reference.
func (s unknownRef) about() map[string]string {
	about := map[string]string{history.AboutForm: s.kind}
	if s.random {
		about[history.AboutRandom] = "yes"
	}
	return about
}

// The number of capabilities from which neighbours are made.
const (
	neighboursDescribed = 9
	neighboursInvoked   = 4
)

// evenly returns at most the given number of items, distributed over all.
func evenly[T any](all []T, most int) []T {
	if len(all) <= most {
		return all
	}
	some := make([]T, 0, most)
	for i := range most {
		some = append(some, all[i*len(all)/most])
	}
	return some
}

// neighbours describes and invokes versions next to the listed ones, and describes the references
// of the fixture profile, of the target file and of reductions that are not listed.
func (c unknownRefs) neighbours(ctx context.Context) error {
	if err := c.needList(); err != nil {
		return err
	}
	var wanted []history.Ref
	for _, of := range evenly(c.List.Capabilities, neighboursDescribed) {
		for _, version := range nextVersions(of.Version) {
			wanted = append(wanted, history.Ref{ID: of.ID, Version: version})
		}
	}
	for _, r := range append(wanted, c.Fixtures...) {
		if c.List.Find(r) == nil && !c.List.DeclaresCompatible(r) {
			c.describe(ctx, r, nil)
		}
	}
	for _, of := range evenly(c.Pool, neighboursInvoked) {
		for _, version := range nextVersions(of.Version) {
			r := history.Ref{ID: of.ID, Version: version}
			if c.List.Find(r) == nil && !c.List.DeclaresCompatible(r) {
				c.invoke(ctx, invocation{asked: r, input: json.RawMessage("{}")}.with(history.AboutForm,
					"a version next to a listed one"))
			}
		}
	}
	return nil
}

// nextVersions returns versions that a registry with this one may also contain: the first, and
// the next ones.
func nextVersions(version string) []string {
	core, _, _ := strings.Cut(version, "-")
	parts := strings.Split(core, ".")
	all := []string{"1.0.0"}
	if len(parts) != 3 {
		return append(all, "2.0.0")
	}
	for i := range parts {
		n, err := strconv.Atoi(parts[i])
		if err != nil {
			return append(all, "2.0.0")
		}
		moved := slices.Clone(parts)
		moved[i] = strconv.Itoa(n + 1)
		for j := i + 1; j < len(moved); j++ {
			moved[j] = "0"
		}
		all = append(all, strings.Join(moved, "."))
	}
	return all
}
