package rule

import (
	"fmt"
	"reflect"

	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"

	"github.com/capconform/capconform/suites/reading"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/verdict"
)

// View is one state of a history as values that rules read. It keeps what it converted, so that a new view is
// needed when the history has changed. It is not safe for concurrent use.
type View struct {
	vocabulary *Vocabulary
	world      any
	unseen     func(Need) error
	notes      *reading.Reading

	objects map[any]*object
	kinds   map[string][]*object
	noted   map[string][]string // the mappings that a list of a kind depends on
	gaps    []*Gap
	gapIDs  map[*Gap]int64
	judged  map[string]verdict.Verdict // see JudgeStream
	reads   map[record.Tick]bool       // see Trace; nil without
}

// Need is what a rule that was judged on nothing says of what it needs.
type Need struct {
	Kind        string // of its objects
	Needs       string // "role fails", "" for nothing
	Stimulus    string // "" for none
	NotObserved string // the event that nobody caused, if the requirement does not apply without it
	Otherwise   string // the reason, if none of these is missing
}

// NewView returns a view of a world, which the kinds of the vocabulary read. The function unseen returns the reason
// why nothing was judged. The notes of the history record the mappings that made what a rule reads.
func NewView(v *Vocabulary, world any, notes *reading.Reading, unseen func(Need) error) *View {
	return &View{vocabulary: v, world: world, notes: notes, unseen: unseen, objects: map[any]*object{},
		kinds: map[string][]*object{}, noted: map[string][]string{}, gapIDs: map[*Gap]int64{},
		judged: map[string]verdict.Verdict{}}
}

// all returns the objects of a kind.
func (v *View) all(k *Kind) []*object {
	v.noteList(k)
	if known, is := v.kinds[k.name]; is {
		v.notes.NoteMappings(v.noted[k.name])
		return known
	}
	var list []*object
	v.noted[k.name] = v.notes.MappingsOf(func() {
		for _, x := range k.list(v.world) {
			list = append(list, v.object(k, x))
		}
	})
	v.kinds[k.name] = list
	return list
}

// Objects returns the objects of a kind, as variables of an expression.
func (v *View) Objects(kind string) []any {
	var all []any
	if k := v.vocabulary.kinds[kind]; k != nil {
		for _, o := range v.all(k) {
			all = append(all, o)
		}
	}
	return all
}

func (v *View) object(k *Kind, x any) *object {
	if known := v.objects[x]; known != nil {
		return known
	}
	o := &object{kind: k, x: x, view: v}
	v.objects[x] = o
	return o
}

// object is an object of a kind as a value.
type object struct {
	kind   *Kind
	x      any
	view   *View
	values []noted // of the members that were read: few, so that a search is faster than a map
}

// noted is a value of a member, and the mappings of the target file that it depends on.
type noted struct {
	member   *Member
	value    ref.Val
	mappings []string
}

// member returns the value of a member.
func (o *object) member(m *Member) ref.Val {
	if !m.sent {
		o.noteObject()
	}
	if m.many {
		o.view.noteList(o.view.vocabulary.kinds[m.kind])
	}
	for i := range o.values {
		if known := &o.values[i]; known.member == m {
			o.view.notes.NoteMappings(known.mappings)
			return known.value
		}
	}
	n := noted{member: m}
	n.mappings = o.view.notes.MappingsOf(func() { n.value = o.read(m) })
	o.values = append(o.values, n)
	return n.value
}

func (o *object) read(m *Member) ref.Val {
	v := o.view
	if m.inAnswer && o.kind.lost != nil {
		if gap := o.kind.lost(o.x); gap != nil {
			return v.unknown(gap)
		}
	}
	switch x := m.get(o.x).(type) {
	case *Gap:
		return v.unknown(x)
	case list:
		var elements []ref.Val
		for _, one := range x.elements {
			elements = append(elements, v.object(v.vocabulary.kinds[m.kind], one))
		}
		if x.open == nil {
			return listOf(elements, nil)
		}
		return listOf(elements, v.unknown(x.open))
	case nil:
		return types.NullValue
	default:
		if m.kind != "" {
			return v.object(v.vocabulary.kinds[m.kind], x)
		}
		return adapter{v}.NativeToValue(x)
	}
}

// Get implements traits.Indexer, for expressions that do not know the kind of the object.
func (o *object) Get(index ref.Val) ref.Val {
	name, is := index.Value().(string)
	if m := o.kind.members[name]; is && m != nil {
		return o.member(m)
	}
	return types.NewErr("no such key: %v", index.Value())
}

// ConvertToNative implements ref.Val.
func (o *object) ConvertToNative(to reflect.Type) (any, error) {
	return nil, fmt.Errorf("rule: a %s is not a %s", o.kind.name, to)
}

// ConvertToType implements ref.Val.
func (o *object) ConvertToType(to ref.Type) ref.Val {
	if to.TypeName() == types.TypeType.TypeName() {
		return types.NewObjectType(o.kind.name)
	}
	return types.NewErr("a %s is not a %s", o.kind.name, to.TypeName())
}

// Equal implements ref.Val: two objects are equal if they are the same.
func (o *object) Equal(other ref.Val) ref.Val {
	that, is := other.(*object)
	return types.Bool(is && that == o)
}

// Type implements ref.Val.
func (o *object) Type() ref.Type { return types.NewObjectType(o.kind.name) }

// Value implements ref.Val.
func (o *object) Value() any { return o }
