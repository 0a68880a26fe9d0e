package rule

import (
	"encoding/json"
	"reflect"
	"slices"
	"sync"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/env"
	"cel.dev/cel-go/common/operators"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/common/types/traits"
	"cel.dev/cel-go/ext"
)

// The bounds of one expression.
const (
	maxLength  = 2000 // bytes of its text
	maxNesting = 60
)

// onceEnvironment makes the CEL environment of a vocabulary at its first use: it costs milliseconds, which commands
// without rules do not pay.
func onceEnvironment(v *Vocabulary) func() (*cel.Env, error) {
	return sync.OnceValues(func() (*cel.Env, error) {
		standard, err := types.NewRegistry()
		if err != nil {
			return nil, err
		}
		without := &env.LibrarySubset{ExcludeFunctions: []*env.Function{
			{Name: operators.Less}, {Name: operators.LessEquals}, {Name: operators.Greater}, {Name: operators.GreaterEquals},
		}}
		options := []cel.EnvOption{
			cel.StdLib(cel.StdLibSubset(without)),
			cel.CustomTypeAdapter(adapter{}), cel.CustomTypeProvider(&provider{v, standard}),
			cel.Macros(cel.GlobalMacro("present", 1, expandPresent)),
			cel.ParserExpressionSizeLimit(maxLength), cel.ParserRecursionLimit(maxNesting),
			cel.EnableMacroCallTracking(), ext.Lists(ext.ListsVersion(2)), ext.Strings(ext.StringsVersion(2)),
			ordering(operators.Less, func(n int) bool { return n < 0 }),
			ordering(operators.LessEquals, func(n int) bool { return n <= 0 }),
			ordering(operators.Greater, func(n int) bool { return n > 0 }),
			ordering(operators.GreaterEquals, func(n int) bool { return n >= 0 }),
		}
		for _, f := range slices.Concat(printing(), v.functions) {
			options = append(options, f.option)
		}
		return cel.NewCustomEnv(options...)
	})
}

// ordering declares a comparison that is exact for numbers of any size.
func ordering(operator string, holds func(int) bool) cel.EnvOption {
	return cel.Function(operator, cel.Overload("exact"+operator, []*cel.Type{cel.DynType, cel.DynType}, cel.BoolType,
		cel.BinaryBinding(func(a, b ref.Val) ref.Val {
			n, err := compare(a, b)
			if err != nil {
				return err
			}
			return types.Bool(holds(n))
		})))
}

func compare(a, b ref.Val) (int, ref.Val) {
	if x, is := rational(a); is {
		if y, is := rational(b); is {
			return x.Cmp(y), nil
		}
	}
	comparer, is := a.(traits.Comparer)
	if !is {
		return 0, types.MaybeNoSuchOverloadErr(a)
	}
	n, is := comparer.Compare(b).(types.Int)
	if !is {
		return 0, types.MaybeNoSuchOverloadErr(b)
	}
	return int(n), nil
}

// expandPresent expands present(x.y) to has(x.y) && x.y != null, for each selection of the path.
func expandPresent(mef cel.MacroExprFactory, target ast.Expr, args []ast.Expr) (ast.Expr, *cel.Error) {
	path := args[0]
	if path.Kind() != ast.SelectKind {
		return nil, mef.NewError(path.ID(), "present takes a member: present(x.y)")
	}
	var all ast.Expr
	for path.Kind() == ast.SelectKind {
		selection := path.AsSelect()
		has := mef.NewPresenceTest(mef.Copy(selection.Operand()), selection.FieldName())
		value := mef.NewCall(operators.NotEquals, mef.Copy(path), mef.NewLiteral(types.NullValue))
		one := mef.NewCall(operators.LogicalAnd, has, value)
		if all == nil {
			all = one
		} else {
			all = mef.NewCall(operators.LogicalAnd, one, all)
		}
		path = selection.Operand()
	}
	return all, nil
}

// provider gives CEL the types of a vocabulary.
type provider struct {
	vocabulary *Vocabulary
	*types.Registry
}

// FindStructType implements types.Provider.
func (p *provider) FindStructType(name string) (*types.Type, bool) {
	if p.vocabulary.kinds[name] == nil {
		return nil, false
	}
	return types.NewTypeTypeWithParam(types.NewObjectType(name)), true
}

// FindStructFieldNames implements types.Provider.
func (p *provider) FindStructFieldNames(name string) ([]string, bool) {
	k := p.vocabulary.kinds[name]
	if k == nil {
		return nil, false
	}
	var names []string
	for member := range k.members {
		names = append(names, member)
	}
	return names, true
}

// FindStructFieldType implements types.Provider.
func (p *provider) FindStructFieldType(name, field string) (*types.FieldType, bool) {
	k := p.vocabulary.kinds[name]
	if k == nil || k.members[field] == nil {
		return nil, false
	}
	m := k.members[field]
	return &types.FieldType{
		Type: m.celType(),
		IsSet: func(x any) bool {
			o, is := x.(*object)
			return is && o.member(m) != types.NullValue
		},
		GetFrom: func(x any) (any, error) {
			if o, is := x.(*object); is {
				return o.member(m), nil
			}
			return x, nil // an unknown object has unknown members
		},
	}, true
}

// adapter makes values of decoded JSON, in which a *Gap stands for a member that is not known. Numbers stay exact.
type adapter struct{ view *View } // nil where there are no gaps

// NativeToValue implements types.Adapter.
func (a adapter) NativeToValue(x any) ref.Val {
	switch x := x.(type) {
	case ref.Val:
		return x
	case *Gap:
		if a.view == nil {
			return types.NewErr("%v", x.Reason)
		}
		return a.view.unknown(x)
	case json.Number:
		return numberOf(x)
	case map[string]any:
		return types.NewStringInterfaceMap(a, x)
	case []any:
		return types.NewDynamicList(a, x)
	case []string:
		return types.NewStringList(a, x)
	case nil:
		return types.NullValue
	}
	if reflect.ValueOf(x).Kind() == reflect.Map && reflect.ValueOf(x).IsNil() {
		return types.NullValue
	}
	return types.DefaultTypeAdapter.NativeToValue(x)
}
