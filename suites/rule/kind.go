package rule

import (
	"maps"
	"slices"

	"cel.dev/cel-go/cel"

	"github.com/capconform/capconform/suites/record"
)

// Run is the kind of the whole run, of which there is one object. Every rule has it as a variable of this name, if the
// vocabulary has the kind.
const Run = "run"

// Vocabulary is what the rules of a suite can be about: its kinds of objects and its functions.
type Vocabulary struct {
	kinds     map[string]*Kind
	functions []Function
	env       func() (*cel.Env, error)
}

// NewVocabulary returns a vocabulary. The functions are those of the suite alone.
func NewVocabulary(kinds []*Kind, functions ...Function) *Vocabulary {
	v := &Vocabulary{kinds: map[string]*Kind{}, functions: functions}
	for _, k := range kinds {
		v.kinds[k.name] = k
	}
	v.env = onceEnvironment(v)
	return v
}

// Kinds returns the names of the kinds, sorted.
func (v *Vocabulary) Kinds() []string { return slices.Sorted(maps.Keys(v.kinds)) }

// Kind is a kind of objects of a history.
type Kind struct {
	name    string
	list    func(world any) []any
	entries func(x any) []record.Tick
	lost    func(x any) *Gap
	listing func(world any) []record.Tick // see Listing; nil if no answer changes the list
	members map[string]*Member
}

// Member is a member of the objects of a kind.
type Member struct {
	name     string
	kind     string // of the object or the elements, "" for a plain value
	many     bool
	plain    *cel.Type // nil for objects and lists
	inAnswer bool
	sent     bool // see Sent
	get      func(x any) any
}

// NewKind describes the objects of a Go type T to rules. The function list returns all of them from the world of
// a view, which has the type W; entries returns the entries of the record that show an object, beginning with
// the one that a breach belongs to.
func NewKind[W any, T comparable](name string, list func(W) []T, entries func(T) []record.Tick, members ...*Member) *Kind {
	k := &Kind{name: name, members: map[string]*Member{}}
	k.list = func(world any) []any {
		var all []any
		for _, x := range list(world.(W)) {
			all = append(all, x)
		}
		return all
	}
	k.entries = func(x any) []record.Tick { return entries(x.(T)) }
	for _, m := range members {
		k.members[m.name] = m
	}
	return k
}

// Losing states when the answer that an object was read from is unknown: lost returns the reason, or nil.
func Losing[T comparable](k *Kind, lost func(T) *Gap) *Kind {
	k.lost = func(x any) *Gap { return lost(x.(T)) }
	return k
}

// InAnswer marks a member as one that the answer shows. It is unknown if the answer is.
func (m *Member) InAnswer() *Member {
	m.inAnswer = true
	return m
}

// Text is a member that is a string.
func Text[T any](name string, get func(T) string) *Member { return plain(name, cel.StringType, get) }

// Flag is a member that is true or false.
func Flag[T any](name string, get func(T) bool) *Member { return plain(name, cel.BoolType, get) }

// Number is a member that is a whole number.
func Number[T any](name string, get func(T) int) *Member { return plain(name, cel.IntType, get) }

// Value is a member of any type: decoded JSON, or a *Gap.
func Value[T any](name string, get func(T) any) *Member { return plain(name, cel.DynType, get) }

func plain[T, V any](name string, of *cel.Type, get func(T) V) *Member {
	return &Member{name: name, plain: of, get: func(x any) any { return get(x.(T)) }}
}

// One is a member that is an object of a kind, or null: get reports whether there is one.
func One[T, U any](name, kind string, get func(T) (U, bool)) *Member {
	return &Member{name: name, kind: kind, get: func(x any) any {
		one, is := get(x.(T))
		if !is {
			return nil
		}
		return one
	}}
}

// Many is a member that is a list of objects of a kind.
func Many[T, U any](name, kind string, get func(T) List[U]) *Member {
	return &Member{name: name, kind: kind, many: true, get: func(x any) any {
		all := get(x.(T))
		l := list{open: all.Open}
		for _, one := range all.Elements {
			l.elements = append(l.elements, one)
		}
		return l
	}}
}

// List is a list of objects. It may lack elements if Open is set.
type List[T any] struct {
	Elements []T
	Open     *Gap
}

type list struct {
	elements []any
	open     *Gap
}

func (m *Member) celType() *cel.Type {
	switch {
	case m.many:
		return cel.ListType(cel.ObjectType(m.kind))
	case m.kind != "":
		return cel.NullableType(cel.ObjectType(m.kind))
	}
	return m.plain
}
