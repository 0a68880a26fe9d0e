package text

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/capconform/capconform/schemas"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/rule"
	"github.com/capconform/capconform/suites/verdict"
)

// shape is a JSON Schema of the folder.
type shape struct {
	name  string
	doc   object
	whole *schemas.Schema
	mu    sync.Mutex              // of parts: examinations share the shapes of a text
	parts map[string]*memberShape // by the path of the object and the name of the member
}

// memberShape is what a schema demands of one member of an object.
type memberShape struct {
	want     string
	required bool
	schema   *schemas.Schema
}

// readShape compiles a schema.
func readShape(name string, text []byte) (*shape, error) {
	whole, err := schemas.Compile(text, schemas.Options{Limits: schemas.Limits{Size: maxFile}})
	if err != nil {
		return nil, fmt.Errorf("%s: %s", name, strings.TrimPrefix(err.Error(), "schemas: "))
	}
	return &shape{name: name, doc: schemas.ReadObject(text), whole: whole, parts: map[string]*memberShape{}}, nil
}

// flaw returns why a value breaks the schema, "" if it does not, or a *rule.Gap if that cannot be decided.
func flawOf(s *schemas.Schema, value any) any {
	err := s.Validate(value)
	var invalid *schemas.Invalidity
	switch {
	case err == nil:
		return ""
	case errors.As(err, &invalid):
		return invalid.Summary()
	}
	return &rule.Gap{Reason: verdict.Undecided("the harness cannot decide about a value: %s", err), Blocks: true}
}

// member returns what the schema demands of a member of the object at a path such as result.zones, nil if it does not
// describe the member.
func (s *shape) member(path, name string) *memberShape {
	key := path + " " + name
	s.mu.Lock()
	defer s.mu.Unlock()
	if known, is := s.parts[key]; is {
		return known
	}
	s.parts[key] = s.compileMember(s.below(path), name)
	return s.parts[key]
}

func (s *shape) compileMember(of object, name string) *memberShape {
	properties, _ := of["properties"].(object)
	sub, described := properties[name]
	if !described {
		return nil
	}
	doc := object{"properties": object{name: sub}}
	for _, kept := range []string{"$schema", "$defs", "definitions"} {
		if s.doc[kept] != nil {
			doc[kept] = s.doc[kept]
		}
	}
	required, _ := of["required"].([]any)
	compiled, err := schemas.CompileValue(doc, schemas.Options{})
	if err != nil {
		return nil // the whole schema was compiled: only a reference to this place can be broken
	}
	return &memberShape{describe(s.resolve(sub)), slices.Contains(required, any(name)), compiled}
}

// below returns the schema of the elements of the list at a path, or of the value itself if the path is "".
func (s *shape) below(path string) object {
	at := s.resolve(s.doc)
	if path == "" {
		return at
	}
	path, member, through := strings.Cut(path, "[]")
	at = s.inside(at, path)
	at = s.resolve(at["items"])
	if through {
		return s.inside(at, member)
	}
	return at
}

// inside returns the schema of the value at a path such as result.zones in an object.
func (s *shape) inside(at object, path string) object {
	for _, name := range strings.Split(path, ".")[1:] {
		properties, _ := at["properties"].(object)
		at = s.resolve(properties[name])
	}
	return at
}

// resolve follows references within the document.
func (s *shape) resolve(v any) object {
	for range 8 {
		at, _ := v.(object)
		ref, is := at["$ref"].(string)
		if !is {
			return at
		}
		v = s.doc
		for _, name := range strings.Split(strings.TrimPrefix(ref, "#"), "/")[1:] {
			members, _ := v.(object)
			v = members[name]
		}
	}
	return nil
}

// describe returns what a schema wants in words, or as JSON.
func describe(of object) string {
	for _, name := range []string{"title", "description"} {
		if words, is := of[name].(string); is && words != "" {
			return words
		}
	}
	if words, is := of["type"].(string); is && len(of) == 1 {
		return "of the type " + words
	}
	return "a value for " + jsonvalue.Print(maps.Clone(of))
}

// functions are what rules can ask of the schemas:
//
//	member_flaw(OBJECT, MEMBER)       what is wrong with a member of a result, or of an element of a list in it, "" if
//	                                  nothing is
//	expected_member(OBJECT, MEMBER)   what the member must be
//	result_flaw(OBJECT)               why the result does not match the schema of its operation, "" if it does
//	error_flaw(OBJECT)                the same of the error
func (t *Text) functions() []rule.Function {
	return []rule.Function{
		rule.FunctionOfTwo("member_flaw", func(s *subject, name string) any {
			m := t.memberOf(s, name)
			value, isObject := s.value.(object)
			switch {
			case m == nil:
				return &rule.Gap{Reason: verdict.Undecided("no schema describes %s", name), Blocks: true}
			case !isObject:
				return "it is not an object"
			case value[name] == nil && !has(value, name):
				if m.required {
					return name + " is missing"
				}
				return ""
			}
			one := value[name]
			if _, unheld := one.(*rule.Gap); unheld {
				one = []any{} // only lists are not held; a schema for their elements is that of their kind
			}
			flaw := flawOf(m.schema, object{name: one})
			if flaw == "" || flaw == nil {
				return ""
			}
			if _, is := flaw.(*rule.Gap); is {
				return flaw
			}
			return name + " is not " + m.want
		}),
		rule.FunctionOfTwo("expected_member", func(s *subject, name string) any {
			if m := t.memberOf(s, name); m != nil {
				return m.want
			}
			return name
		}),
		rule.FunctionOf(
			"result_flaw",
			func(s *subject) any { return t.wholeFlaw(t.protocol.operation(s.Operation).Result, s.Result) },
		),
		rule.FunctionOf(
			"error_flaw",
			func(s *subject) any { return t.wholeFlaw(t.protocol.operation(s.Operation).Error, s.Error) },
		),
	}
}

func has(o object, name string) bool {
	_, is := o[name]
	return is
}

func (t *Text) wholeFlaw(name string, value any) any {
	s := t.shapes[name]
	if s == nil {
		return &rule.Gap{Reason: verdict.Undecided("the operation has no such schema"), Blocks: true}
	}
	return flawOf(s.whole, value)
}

// memberOf returns what the schema of its operation demands of a member of an object.
func (t *Text) memberOf(s *subject, name string) *memberShape {
	op := t.protocol.operation(s.Operation)
	if op == nil || t.shapes[op.Result] == nil {
		return nil
	}
	path := ""
	for _, k := range t.protocol.Kinds {
		if k.Name == s.kind {
			path = k.Each
		}
	}
	return t.shapes[op.Result].member(path, name)
}
