package rule

import (
	"fmt"
	"reflect"
	"strings"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/common/types/traits"

	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/shape"
)

// Function is a function that rules may call. It is total and pure.
type Function struct{ option cel.EnvOption }

// FunctionOf declares a function of one argument. The argument is an object of a kind, or decoded JSON if A is any.
// The result is a string, a boolean, a whole number, decoded JSON, a *Gap if it is not known, or an error.
func FunctionOf[A any](name string, f func(A) any) Function {
	return Function{cel.Function(name, cel.Overload(name+"_of", []*cel.Type{cel.DynType}, cel.DynType,
		cel.UnaryBinding(func(a ref.Val) ref.Val {
			x, is := argument[A](a)
			if !is {
				return noArgument(a)
			}
			return resultOf(f(x), a)
		})))}
}

// FunctionOfTwo declares a function of two arguments.
func FunctionOfTwo[A, B any](name string, f func(A, B) any) Function {
	return Function{cel.Function(name, cel.Overload(name+"_of_two", []*cel.Type{cel.DynType, cel.DynType}, cel.DynType,
		cel.BinaryBinding(func(a, b ref.Val) ref.Val {
			x, is := argument[A](a)
			y, too := argument[B](b)
			if !is || !too {
				return noArgument(a, b)
			}
			return resultOf(f(x, y), a, b)
		})))}
}

// FunctionOfThree declares a function of three arguments.
func FunctionOfThree[A, B, C any](name string, f func(A, B, C) any) Function {
	of := []*cel.Type{cel.DynType, cel.DynType, cel.DynType}
	return Function{cel.Function(name, cel.Overload(name+"_of_three", of, cel.DynType,
		cel.FunctionBinding(func(args ...ref.Val) ref.Val {
			x, is := argument[A](args[0])
			y, too := argument[B](args[1])
			z, also := argument[C](args[2])
			if !is || !too || !also {
				return noArgument(args...)
			}
			return resultOf(f(x, y, z), args...)
		})))}
}

// Partial is an argument of a function: an object of which some members may be a *Gap.
type Partial map[string]any

// argument returns an argument as a Go value. An object with a member that is not known is none, except as a Partial.
func argument[A any](v ref.Val) (A, bool) {
	var none A
	var x any
	switch v := v.(type) {
	case *object:
		v.noteObject()
		x = v.x
	case traits.Mapper:
		if x = native(v); reflect.TypeOf(x) != reflect.TypeFor[map[string]any]() {
			x = plainValue(v) // an object that the expression itself writes
		}
		if _, partial := any(none).(Partial); partial {
			members, is := x.(map[string]any)
			return any(Partial(members)).(A), is
		}
		if unknownIn(v) != nil {
			return none, false
		}
	default:
		x = native(v)
	}
	if x == nil { // null is an argument of a function of any
		return none, reflect.TypeFor[A]().Kind() == reflect.Interface
	}
	a, is := x.(A)
	return a, is
}

// noArgument is the result of a function that cannot be called with its arguments.
func noArgument(arguments ...ref.Val) ref.Val {
	for _, a := range arguments {
		if m, is := a.(traits.Mapper); is && unknownIn(m) != nil {
			return unknownIn(m)
		}
	}
	return types.MaybeNoSuchOverloadErr(arguments[0])
}

// unknownIn returns a member that is not known, nil if there is none.
func unknownIn(m traits.Mapper) ref.Val {
	members, _ := m.Value().(map[string]any)
	for name, x := range members {
		if _, is := x.(*Gap); is {
			return m.Get(types.String(name))
		}
	}
	return nil
}

func resultOf(x any, arguments ...ref.Val) ref.Val {
	if err, is := x.(error); is {
		return types.WrapErr(err)
	}
	gap, is := x.(*Gap)
	if !is {
		return adapter{}.NativeToValue(x)
	}
	for _, a := range arguments {
		if o, is := a.(*object); is {
			return o.view.unknown(gap)
		}
	}
	return types.NewErr("a gap of a function without objects")
}

// Shapes declares the functions by which rules judge members against annotated schemas (see package shape):
//
//	flaw(SHAPE, OBJECT, MEMBER)     what is wrong with the member, "" if nothing is
//	expected(SHAPE, MEMBER)         what the member must be
//	fits(SHAPE, MEMBER, VALUE)      whether a value is valid for the member
func Shapes(named func(name string) (*shape.Shape, bool)) []Function {
	part := func(args []ref.Val, name, member int) (shape.Part, ref.Val) {
		of, known := named(string(args[name].(types.String)))
		if !known {
			return shape.Part{}, types.NewErr("there is no shape %s", args[name].Value())
		}
		p, known := of.Named(string(args[member].(types.String)))
		if !known {
			return shape.Part{}, types.NewErr("the shape %s has no member %s", args[name].Value(), args[member].Value())
		}
		return p, nil
	}
	function := func(name string, of, result *cel.Type, member int, f func(shape.Part, []ref.Val) ref.Val) Function {
		arguments := []*cel.Type{cel.StringType, of, cel.StringType}
		if member == 1 {
			arguments = []*cel.Type{cel.StringType, cel.StringType, of}
		}
		if of == nil {
			arguments = arguments[:2]
		}
		return Function{cel.Function(name, cel.Overload(name, arguments, result,
			cel.FunctionBinding(func(args ...ref.Val) ref.Val {
				p, err := part(args, 0, member)
				if err != nil {
					return err
				}
				return f(p, args)
			})))}
	}
	return []Function{
		function("flaw", cel.DynType, cel.StringType, 2, func(p shape.Part, args []ref.Val) ref.Val {
			object, is := native(args[1]).(map[string]any)
			if !is {
				return types.MaybeNoSuchOverloadErr(args[1])
			}
			return types.String(flaw(p, object))
		}),
		function("expected", nil, cel.StringType, 1, func(p shape.Part, _ []ref.Val) ref.Val { return types.String(p.Want) }),
		function("fits", cel.DynType, cel.BoolType, 1, func(p shape.Part, args []ref.Val) ref.Val {
			return types.Bool(p.Fits(native(args[2])))
		}),
	}
}

func flaw(p shape.Part, object map[string]any) string {
	switch missing, wrong := p.Breaks(object); {
	case missing:
		return p.Member + " is missing"
	case wrong:
		return p.Member + " is not " + p.Want
	}
	return ""
}

// printing declares the functions with which rules form messages:
//
//	json(VALUE)                  the JSON text of a value, in one line of bounded length
//	clip(TEXT)                   a text of bounded length
//	listed(LIST)                 the texts of a list, separated by commas
//	member_of(OBJECT, MEMBER)    a member with its value, or the object if it lacks the member
func printing() []Function {
	return []Function{
		FunctionOf("json", func(x any) any { return jsonvalue.Print(x) }),
		FunctionOf("clip", func(text string) any { return jsonvalue.Clip(text) }),
		FunctionOf("listed", listed),
		FunctionOfTwo("member_of", memberOf),
	}
}

func memberOf(object map[string]any, member string) any {
	if value, is := object[member]; is {
		return member + " is " + jsonvalue.Print(value)
	}
	return "no " + member + " in " + jsonvalue.Print(object)
}

func listed(all []any) any {
	var texts []string
	for _, one := range all {
		texts = append(texts, fmt.Sprint(one))
	}
	return strings.Join(texts, ", ")
}
