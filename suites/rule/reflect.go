package rule

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"unicode"

	"cel.dev/cel-go/cel"

	"github.com/capconform/capconform/suites/record"
)

// Shown is an object that entries of the record show, beginning with the one that a breach belongs to.
type Shown interface {
	comparable
	Entries() []record.Tick
}

// KindOf describes the objects of a Go type by its exported fields and methods (see MembersOf), and by further members.
func KindOf[W any, T Shown](name string, list func(W) []T, further ...*Member) *Kind {
	return NewKind(name, list, T.Entries, append(MembersOf[T](), further...)...)
}

// MembersOf returns the exported fields and methods of a Go type as members, named in snake case: IsValid is is_valid.
// A method has no parameters and one result. The type is a string, a boolean, a whole number, a list of strings,
// decoded JSON or *Gap (as any), or one that is read as its text: a fmt.Stringer, an error, or JSON. All others are no
// members.
func MembersOf[T any]() []*Member {
	t := reflect.TypeFor[T]()
	var all []*Member
	add := func(name string, of reflect.Type, get func(reflect.Value) reflect.Value) {
		if read, plain := reader(of); read != nil {
			all = append(all, &Member{name: snake(name), plain: plain,
				get: func(x any) any { return read(get(reflect.ValueOf(x))) }})
		}
	}
	fields := t
	if t.Kind() == reflect.Pointer {
		fields = t.Elem()
	}
	for _, f := range reflect.VisibleFields(fields) {
		if f.IsExported() && !f.Anonymous {
			add(f.Name, f.Type, func(x reflect.Value) reflect.Value { return reflect.Indirect(x).FieldByIndex(f.Index) })
		}
	}
	for i := range t.NumMethod() {
		if m := t.Method(i); m.Type.NumIn() == 1 && m.Type.NumOut() == 1 {
			add(m.Name, m.Type.Out(0), func(x reflect.Value) reflect.Value { return m.Func.Call([]reflect.Value{x})[0] })
		}
	}
	return all
}

// reader returns how a value of a type is read, and the type that it then has; nil if it is not.
func reader(of reflect.Type) (read func(reflect.Value) any, as *cel.Type) {
	plain := func(v reflect.Value) any { return v.Interface() }
	switch {
	case of == reflect.TypeFor[json.RawMessage]():
		return func(v reflect.Value) any { return string(v.Bytes()) }, cel.StringType
	case of == reflect.TypeFor[error](), of.Implements(reflect.TypeFor[fmt.Stringer]()):
		return func(v reflect.Value) any {
			if v.Kind() == reflect.Interface && v.IsNil() {
				return ""
			}
			return fmt.Sprint(v.Interface())
		}, cel.StringType
	case of == reflect.TypeFor[string]():
		return plain, cel.StringType
	case of == reflect.TypeFor[bool]():
		return plain, cel.BoolType
	case of == reflect.TypeFor[int]():
		return plain, cel.IntType
	case of == reflect.TypeFor[[]string](), of == reflect.TypeFor[any](), of == reflect.TypeFor[map[string]any]():
		return plain, cel.DynType
	}
	return nil, nil
}

// snake returns a name in snake case.
func snake(name string) string {
	var b strings.Builder
	lower := false // the letter before
	for _, c := range name {
		if unicode.IsUpper(c) && lower {
			b.WriteByte('_')
		}
		lower = !unicode.IsUpper(c)
		b.WriteRune(unicode.ToLower(c))
	}
	return b.String()
}
