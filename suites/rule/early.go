package rule

import (
	"slices"
	"strings"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/operators"
	"cel.dev/cel-go/common/types"
)

// early returns for each variable but the last what the condition says of it and of those before it, nil for nothing.
// If that is false, no value of the later variables can make the condition true, and none needs to be tried.
func (c *compiler) early(condition text, sources []source) []cel.Program {
	if condition.Value == "" || len(sources) < 2 {
		return nil
	}
	tree, issues := c.env.Parse(condition.Value)
	if issues.Err() != nil {
		return nil // it was reported
	}
	info, parts := tree.NativeRep().SourceInfo(), make([][]string, len(sources))
	for _, one := range conjuncts(tree.NativeRep().Expr(), info) {
		if text, err := cel.ExprToString(one, info); err == nil {
			last := lastVariable(one, sources)
			parts[last] = append(parts[last], "("+text+")")
		}
	}
	programs := make([]cel.Program, len(sources)-1)
	for i := range programs {
		if checked, issues := c.env.Compile(strings.Join(parts[i], " && ")); issues.Err() == nil {
			programs[i], _ = c.program(checked) // without it, later variables are tried
		}
	}
	return programs
}

// conjuncts returns the parts of an expression that all must be true.
func conjuncts(e ast.Expr, info *ast.SourceInfo) []ast.Expr {
	_, isMacro := info.GetMacroCall(e.ID())
	if e.Kind() != ast.CallKind || e.AsCall().FunctionName() != operators.LogicalAnd || isMacro {
		return []ast.Expr{e}
	}
	var all []ast.Expr
	for _, one := range e.AsCall().Args() {
		all = append(all, conjuncts(one, info)...)
	}
	return all
}

// lastVariable returns the index of the last variable that an expression reads, 0 if it reads none.
func lastVariable(e ast.Expr, sources []source) int {
	last := 0
	ast.PreOrderVisit(e, ast.NewExprVisitor(func(one ast.Expr) {
		if one.Kind() == ast.IdentKind {
			last = max(last, slices.IndexFunc(sources, func(s source) bool { return s.name == one.AsIdent() }))
		}
	}))
	return last
}

// excluded reports whether the values of the variables up to an index exclude that the condition is true.
func (e *evaluation) excluded(index int) bool {
	if index < 0 || e.program.early == nil || e.program.early[index] == nil || e.stopped != nil {
		return false
	}
	value, _ := e.run(e.program.early[index]) // an error decides nothing: the whole condition may be false all the same
	return value == types.False
}
