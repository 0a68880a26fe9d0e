package tree

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const module = "github.com/capconform/capconform"

// The bounds of DESIGN section 3 for Go files that are not tests.
const (
	longestFile     = 400
	longestFunction = 60
)

// layer lists the packages of this module that a package may import, and those that its tests may import in addition.
type layer struct{ ours, tests []string }

// Names that stand for several packages.
var (
	carried   = []string{"suites/driver", "suites/driver/jsonrpc"}
	host      = []string{"reference/caphost", "reference/rpc"}
	defective = append([]string{"reference", "reference/mutant"}, host...)
	styled    = append([]string{"reference", "reference/variant"}, host...)
	judging   = []string{"suites/jsonvalue", "suites/reading", "suites/record", "suites/transcript", "suites/verdict"}
	engine    = append([]string{"suites", "suites/live"}, judging...)
	examining = append([]string{
		"reports", "schemas", "spec", "spec/spelling", "suites/document", "suites/driver", "suites/instance", "suites/lint", "suites/recording", "suites/shape",
	}, engine...)
	drivers = []string{
		"suites/driver/auto",
		"suites/driver/httpdriver",
		"suites/driver/inproc",
		"suites/driver/mcpdriver",
		"suites/driver/stdiodriver",
	}
	fourSuites = []string{"suites/acd", "suites/acp", "suites/cap", "suites/chp"}
	contract   = []string{"suites/driver/drivertest", "suites/driver/child", "reference"}
)

// The folder of the packages of commands.
const commands = "cmd/capconform/internal/cli/"

// The folder of the proof of detection, and its packages below the matrix.
const proofs = "cmd/capconform/internal/proof/"

var belowMatrix = []string{proofs + "golden", proofs + "plan", proofs + "trial"}

// layers is DESIGN section 3. The folders of a driver and of a suite have a row each.
var layers = map[string]layer{
	"features": {}, "schemas": {}, "spec/spelling": {}, "suites/driver": {tests: []string{"suites/driver/..."}},
	"spec":          {ours: []string{"spec/spelling"}, tests: []string{"schemas"}},
	"suites/record": {tests: []string{"schemas"}},

	"reports":              {ours: []string{"features", "reports/display", "schemas", "spec"}, tests: []string{"reports/reporttest"}},
	"reports/console":      {ours: []string{"reports", "reports/display", "reports/nearest"}, tests: []string{"reports/reporttest"}},
	"reports/display":      {tests: []string{"reports/reporttest"}},
	"reports/format":       {ours: []string{"features", "reports", "reports/display", "reports/nearest", "reports/verification", "spec"}, tests: []string{"reports/console", "reports/reporttest", "schemas"}},
	"reports/nearest":      {ours: []string{"reference/corpus", "reports", "suites/record"}, tests: []string{"reports/reporttest"}},
	"reports/reporttest":   {ours: []string{"reports"}},
	"reports/site":         {ours: []string{"reports", "reports/display", "reports/format", "reports/verification", "spec"}, tests: []string{"reports/reporttest"}},
	"reports/verification": {ours: []string{"features", "reports", "reports/display", "schemas", "spec"}, tests: []string{"reports/reporttest"}},

	"reference":          {ours: append([]string{"reference/acdhost", "reference/acphost", "reference/chphost"}, host...), tests: []string{"reference/..."}},
	"reference/corpus":   {},
	"reference/rpc":      {},
	"reference/ordinary": {},
	"reference/caphost":  {ours: append([]string{"reference/ordinary"}, host...)},
	"reference/acdhost":  {ours: []string{"reference/rpc"}, tests: []string{"reference/..."}},
	"reference/acphost":  {ours: host, tests: []string{"reference/..."}},
	"reference/chphost":  {ours: append([]string{"reference/ordinary"}, host...), tests: []string{"reference/..."}},
	"reference/chp2host": {},
	"reference/hostile":  {},
	"reference/mcphost":  {},
	"reference/null":     {ours: host, tests: []string{"reference"}},
	"reference/plainmcp": {ours: append([]string{"reference"}, host...)},
	"reference/mutant":   {ours: []string{"reference", "reference/rpc", "suites/defect"}}, // the language of rows, not the judgements
	"reference/variant":  {ours: []string{"reference", "reference/rpc"}},
	"reference/population": {ours: []string{
		"reference/acdhost/mutant", "reference/acdhost/variant", "reference/acphost/mutant", "reference/acphost/variant", "reference/caphost/mutant",
		"reference/caphost/variant", "reference/chphost/mutant", "reference/chphost/variant", "reference/mutant", "reference/variant",
	}},
	"reference/acdhost/mutant":  {ours: append([]string{"reference/acdhost"}, defective...)},
	"reference/acdhost/variant": {ours: append([]string{"reference/acdhost"}, styled...)},
	"reference/acphost/mutant":  {ours: append([]string{"reference/acphost"}, defective...)},
	"reference/acphost/variant": {ours: append([]string{"reference/acphost"}, styled...)},
	"reference/caphost/mutant":  {ours: append([]string{"reference/plainmcp"}, defective...), tests: []string{"reference/plainmcp"}},
	"reference/caphost/variant": {ours: styled},
	"reference/chphost/mutant":  {ours: append([]string{"reference/chphost", "suites/defect"}, defective...)},
	"reference/chphost/variant": {ours: append([]string{"reference/chphost"}, styled...)},
	"reference/examples":        {tests: []string{"reference/..."}},

	"suites/admission": {},
	"suites": {ours: append([]string{
		"features", "reports", "spec", "suites/admission", "suites/document", "suites/driver", "suites/grace", "suites/live",
		"suites/recording", "suites/tag",
	}, judging...), tests: []string{"suites/driver/...", "schemas"}},
	"suites/grace":      {ours: []string{"suites/driver"}},
	"suites/jsonvalue":  {},
	"suites/live":       {ours: append([]string{"reports", "schemas", "suites/admission", "suites/driver", "suites/recording"}, judging...)},
	"suites/reading":    {ours: []string{"suites/record", "suites/transcript", "suites/verdict"}},
	"suites/recording":  {ours: []string{"suites/driver", "suites/record", "suites/transcript"}},
	"suites/transcript": {ours: []string{"suites/driver", "suites/jsonvalue", "suites/record", "suites/verdict"}},
	"suites/tag":        {},
	"suites/verdict":    {ours: []string{"reports", "suites/jsonvalue", "suites/record"}},
	"suites/document":   {},
	"suites/fake":       {},
	"suites/instance":   {ours: []string{"schemas"}},
	"suites/defect": {
		ours: []string{
			"schemas", "suites/driver", "suites/jsonvalue", "suites/part", "suites/reading", "suites/rule", "suites/verdict",
		},
	},
	"suites/prove":    {ours: []string{"reports", "schemas", "spec", "suites", "suites/defect", "suites/jsonvalue", "suites/record", "suites/recording", "suites/text"}},
	"suites/part":     {ours: []string{"spec/spelling"}},
	"suites/rule":     {ours: []string{"suites/part", "suites/jsonvalue", "suites/reading", "suites/record", "suites/shape", "suites/verdict"}},
	"suites/shape":    {ours: []string{"schemas"}},
	"suites/stimulus": {ours: []string{"suites/jsonvalue", "suites/part", "suites/rule", "suites/verdict"}, tests: []string{"suites/reading", "suites/record"}},
	"suites/text": {
		ours:  append([]string{"features", "suites/defect", "suites/part", "suites/rule", "suites/stimulus", "suites/reading", "suites/recording"}, examining...),
		tests: []string{"suites/..."},
	},
	"suites/lint": {ours: append([]string{"reports", "schemas", "spec/spelling", "suites/document", "suites/driver", "suites/live"}, engine...)},
	"suites/acd":  {ours: append([]string{"suites/acd/...", "suites/acp/environment"}, examining...), tests: []string{"suites/...", "features"}},
	"suites/cap":  {ours: append([]string{"suites/cap/...", "suites/rule"}, examining...), tests: []string{"suites/...", "features"}},
	"suites/chp": {
		ours:  append([]string{"suites/chp/...", "suites/rule", "suites/text"}, examining...),
		tests: []string{"suites/...", "features", "reference/chp2host", "reports", "schemas"},
	},
	"suites/mcp":       {ours: []string{"suites/text"}, tests: []string{"reports", "schemas", "suites/...", "reference/mcphost"}},
	"suites/suitetest": {ours: []string{"reports", "suites", "suites/driver", "suites/driver/httpdriver", "suites/driver/inproc", "suites/jsonvalue", "suites/live"}, tests: []string{"suites/...", "reference/..."}},

	"suites/cap/act":     {ours: append([]string{"schemas", "suites/cap/history", "suites/driver", "suites/fake", "suites/instance"}, engine...)},
	"suites/cap/history": {ours: append([]string{"schemas"}, judging...)},
	"suites/cap/judge":   {ours: append([]string{"schemas", "suites/cap/history", "suites/instance", "suites/rule", "suites/shape"}, judging...)},
	"suites/cap/rules":   {ours: []string{"suites/rule"}},
	"suites/chp/act":     {ours: append([]string{"schemas", "suites/chp/history", "suites/driver", "suites/instance"}, engine...)},
	"suites/chp/document": {
		ours:  append([]string{"suites/chp/history", "suites/chp/judge", "suites/chp/rules", "suites/document", "suites/lint", "suites/rule", "suites/shape"}, engine...),
		tests: []string{"suites/lint/...", "suites/driver", "features", "reports"},
	},
	"suites/chp/history": {ours: append([]string{"schemas"}, judging...)},
	"suites/chp/rules":   {ours: []string{"suites/rule"}},
	"suites/chp/judge":   {ours: append([]string{"schemas", "suites/chp/history", "suites/instance", "suites/rule", "suites/shape"}, judging...)},
	"suites/acd/act":     {ours: append([]string{"schemas", "suites/acd/history", "suites/acp/environment", "suites/driver"}, engine...)},
	"suites/acd/history": {ours: append([]string{"schemas"}, judging...)},
	"suites/acd/judge":   {ours: append([]string{"schemas", "suites/acd/history", "suites/shape"}, judging...)},

	"suites/acp":               {ours: append([]string{"suites/acp/..."}, examining...), tests: []string{"suites/...", "features"}},
	"suites/acp/act":           {ours: append([]string{"schemas", "suites/acp/content", "suites/acp/environment", "suites/acp/history", "suites/acp/sample", "suites/acp/signature", "suites/driver"}, engine...)},
	"suites/acp/act/index":     {ours: append([]string{"suites/acp/act", "suites/acp/environment", "suites/acp/history", "suites/acp/sample", "suites/acp/signature", "suites/driver"}, engine...)},
	"suites/acp/act/publisher": {ours: append([]string{"suites/acp/act", "suites/acp/environment", "suites/acp/history", "suites/acp/sample", "suites/driver"}, engine...)},
	"suites/acp/act/registry":  {ours: append([]string{"suites/acp/act", "suites/acp/content", "suites/acp/environment", "suites/acp/history", "suites/acp/sample", "suites/acp/signature", "suites/driver"}, engine...)},
	"suites/acp/act/router":    {ours: append([]string{"schemas", "suites/acp/act", "suites/acp/content", "suites/acp/environment", "suites/acp/history", "suites/acp/sample", "suites/acp/signature", "suites/driver"}, engine...)},
	"suites/acp/history":       {ours: append([]string{"schemas", "suites/acp/content", "suites/acp/environment", "suites/acp/identifier", "suites/acp/sample"}, judging...)},
	"suites/acp/judge":         {ours: append([]string{"schemas", "suites/acp/content", "suites/acp/did", "suites/acp/environment", "suites/acp/history", "suites/acp/identifier", "suites/acp/sample", "suites/acp/signature"}, judging...)},
	"suites/acp/document":      {ours: []string{"reports", "schemas", "spec/spelling", "suites", "suites/acp/compatibility", "suites/acp/did", "suites/acp/identifier", "suites/acp/signature", "suites/document", "suites/jsonvalue", "suites/lint"}, tests: []string{"suites/verdict"}},
	"suites/acp/sample":        {ours: []string{"suites/acp/environment"}},
	"suites/acp/identifier":    {},
	"suites/acp/did":           {ours: []string{"suites/document"}},
	"suites/acp/signature":     {ours: []string{"suites/acp/did", "suites/document"}},
	"suites/acp/compatibility": {ours: []string{"suites", "suites/document", "suites/jsonvalue"}},
	"suites/acp/content":       {},
	"suites/acp/environment":   {ours: []string{"suites/acp/content", "suites/record"}},

	"suites/driver/jsonrpc":     {ours: carried},
	"suites/driver/lines":       {ours: carried},
	"suites/driver/child":       {ours: carried, tests: []string{"suites/driver/drivertest"}},
	"suites/driver/drivertest":  {ours: carried},
	"suites/lint/linttest":      {ours: []string{"reports", "spec", "suites", "suites/document", "suites/lint", "suites/verdict"}},
	"suites/driver/inproc":      {ours: carried, tests: contract},
	"suites/driver/mapping":     {ours: []string{"suites/driver"}},
	"suites/driver/httpdriver":  {ours: append([]string{"suites/driver/mapping"}, carried...), tests: contract},
	"suites/driver/stdiodriver": {ours: append([]string{"suites/driver/child", "suites/driver/lines"}, carried...), tests: contract},
	"suites/driver/mcpdriver":   {ours: append([]string{"suites/driver/httpdriver", "suites/driver/mapping", "suites/driver/stdiodriver"}, carried...), tests: contract},
	"suites/driver/auto":        {ours: append([]string{"suites/driver/mcpdriver", "suites/driver/stdiodriver"}, carried...), tests: contract},

	"cmd/capconform":                  {ours: []string{"cmd/capconform/internal/aside", "cmd/capconform/internal/cli", commands + "process"}, tests: []string{"reference/chp2host", "reports", "schemas", "suites/driver/drivertest"}},
	"cmd/capconform/internal/aside":   {},
	"cmd/capconform/internal/nearest": {ours: []string{"spec/spelling"}},
	"cmd/capconform/internal/starter": {ours: []string{"cmd/capconform/internal/nearest"}},
	"cmd/capconform/internal/bench":   {tests: []string{"cmd/capconform/internal/cli", commands + "process", "reference/...", "suites/...", "reports"}},
	"cmd/capconform/internal/hostile": {tests: []string{"cmd/capconform/internal/cli", "reference/...", "reports", "reports/format", "suites/driver/drivertest"}},
	"cmd/capconform/internal/target":  {ours: []string{"cmd/capconform/internal/nearest", "spec", "suites", "suites/driver", "suites/driver/httpdriver", "suites/driver/mcpdriver", "suites/live"}, tests: []string{"schemas"}},

	// The proof of detection in layers: golden, plan, trial, judgement, matrix, proof.
	proofs + "golden": {ours: []string{"reports"}},
	proofs + "wrap":   {},
	proofs + "plan": {
		ours: []string{
			proofs + "golden", "reference", "reference/caphost/mutant", "reference/mutant", "reference/null",
			"reference/population", "reference/variant", "suites",
		},
		tests: fourSuites,
	},
	proofs + "trial": {ours: slices.Concat([]string{
		proofs + "plan", "reference", "reference/mutant", "reference/null", "reference/plainmcp", "reports", "suites",
		"suites/document", "suites/driver", "suites/live", "suites/record",
	}, drivers)},
	proofs + "judgement": {ours: []string{proofs + "golden", proofs + "plan", proofs + "trial", "reports", "spec"}},
	proofs + "matrix": {
		ours:  append([]string{"reports", "spec", "suites", proofs + "wrap"}, belowMatrix...),
		tests: fourSuites,
	},
	proofs + "survey": {
		ours: append([]string{
			"features", "reference/variant", "reports", "spec", "suites", proofs + "judgement", proofs + "wrap",
		}, belowMatrix...),
		tests: append([]string{"reference/mutant"}, fourSuites...),
	},
	"cmd/capconform/internal/proof": {
		ours: []string{
			"reports", "suites", proofs + "judgement", proofs + "matrix", proofs + "plan", proofs + "survey",
			proofs + "trial",
		},
		tests: slices.Concat([]string{
			"features", "reference/...", "reports/format", "reports/nearest", "reports/verification", "schemas", "spec", "suites/document",
			"suites/chp/...", "suites/defect", "suites/driver", "suites/instance", "suites/mcp", "suites/shape", "suites/text", proofs + "...",
		}, fourSuites, engine, drivers),
	},

	// The commands in layers: process, scope, access, examine, requirements and reporting, the root.
	commands + "process": {
		ours: []string{
			"cmd/capconform/internal/nearest", "features", "reports", "reports/console", "reports/display", "reports/format", "spec",
			"suites", "suites/driver", "suites/verdict",
		},
	},
	commands + "scope": {
		ours: append([]string{
			"cmd/capconform/internal/nearest", commands + "process", "spec", "suites", "suites/acp/document",
			"suites/acp/signature", "suites/document", "suites/mcp", "suites/text",
		}, fourSuites...),
	},
	commands + "access": {
		ours: slices.Concat([]string{
			"cmd/capconform/internal/nearest", "cmd/capconform/internal/target", commands + "process", commands + "scope",
			"reference", "suites", "suites/driver", "suites/driver/child",
		}, drivers),
	},
	commands + "examine": {
		ours: []string{
			"cmd/capconform/internal/nearest", "cmd/capconform/internal/starter", "cmd/capconform/internal/target",
			commands + "access", commands + "process", commands + "scope", "reference", "reports", "reports/console",
			"reports/display", "reports/format", "reports/verification", "schemas", "spec", "suites", "suites/document",
			"suites/driver", "suites/driver/mcpdriver", "suites/live", "suites/prove", "suites/record", "suites/text", "suites/verdict",
		},
	},
	commands + "requirements": {
		ours: []string{
			"cmd/capconform/internal/nearest", "cmd/capconform/internal/proof", proofs + "plan", proofs + "survey",
			proofs + "trial", commands + "access", commands + "process", commands + "scope", "reference/population",
			"reports", "reports/display", "reports/format", "reports/nearest", "spec", "suites", "suites/admission", "suites/text",
		},
	},
	commands + "reporting": {
		ours: []string{
			"cmd/capconform/internal/nearest", "cmd/capconform/internal/target", commands + "examine",
			commands + "process", commands + "scope", "reports", "reports/console", "reports/format", "reports/site", "reports/verification",
		},
	},
	"cmd/capconform/internal/cli": {ours: []string{"cmd/capconform/internal/...", "reference/...", "reports/...", "schemas", "spec", "suites/..."}},
	"cmd/hostile":                 {ours: []string{"reference/hostile"}},
	"cmd/chp2host":                {ours: []string{"reference/chp2host"}},
	"cmd/mcphost":                 {ours: []string{"reference/mcphost"}},
	"interop/corpus":              {ours: []string{"schemas", "suites/instance"}},
	"release":                     {}, // a separate module
}

// kept are modules that only one part of the tree may import.
var kept = map[string]string{
	"github.com/cucumber/godog": "suites",
	"github.com/spf13/cobra":    "cmd/...",
	"cel.dev/cel-go/cel":        "suites/rule",
}

// source is one Go file.
type source struct {
	path, folder string
	test         bool
	lines        int
	files        *token.FileSet
	ast          *ast.File
}

// tree parses every Go file of the module. Asking the go command instead would
// let the cache of go test keep an old answer.
func tree(t *testing.T) []source {
	t.Helper()
	var all []source
	err := filepath.WalkDir(".", func(name string, entry fs.DirEntry, err error) error {
		switch base := entry.Name(); {
		case err != nil:
			return err
		case entry.IsDir() && name != "." && (base == "testdata" || base == "node_modules" || strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_")):
			return filepath.SkipDir
		case entry.IsDir(), path.Ext(base) != ".go", base == "deps_tmp.go":
			return nil
		}
		s, err := parse(name, nil)
		all = append(all, s)
		return err
	})
	require.NoError(t, err)
	return all
}

func parse(name string, text any) (source, error) {
	s := source{path: filepath.ToSlash(name), test: strings.HasSuffix(name, "_test.go"), files: token.NewFileSet()}
	s.folder = path.Dir(s.path)
	var err error
	if s.ast, err = parser.ParseFile(s.files, name, text, parser.SkipObjectResolution); err != nil {
		return s, fmt.Errorf("arch: %w", err)
	}
	s.lines = s.files.File(s.ast.Pos()).LineCount()
	return s, nil
}

// matches treats a trailing /... as the go command does.
func matches(pattern, folder string) bool {
	root, all := strings.CutSuffix(pattern, "/...")
	return folder == root || all && strings.HasPrefix(folder, root+"/")
}

func matchesAny(patterns []string, folder string) bool {
	return slices.ContainsFunc(patterns, func(pattern string) bool { return matches(pattern, folder) })
}

// breaches returns the violations of the rules in a file.
func breaches(s source) []string {
	return slices.Concat(importBreaches(s), purityBreaches(s), wordBreaches(s), sizeBreaches(s))
}

func importBreaches(s source) []string {
	var all []string
	if s.folder == "internal/tree" {
		return nil // these tests
	}
	rule, known := layers[s.folder]
	if !known {
		return []string{s.path + ": the package " + s.folder + " has no row in arch_test.go"}
	}
	for _, spec := range s.ast.Imports {
		imported, _ := strconv.Unquote(spec.Path.Value)
		for third, where := range kept {
			if (imported == third || strings.HasPrefix(imported, third+"/")) && !matches(where, s.folder) {
				all = append(all, s.path+": only "+where+" may import "+third)
			}
		}
		folder, ours := strings.CutPrefix(imported, module+"/")
		allowed := matchesAny(rule.ours, folder) || s.test && (folder == s.folder || matchesAny(rule.tests, folder))
		if ours && !allowed {
			all = append(all, s.path+": must not import "+folder)
		}
	}
	return all
}

// pure are the packages that read a record, or the statuses of a trial, and judge it: the same record must give the
// same verdicts. They must not import or name anything by which they could act.
var pure = []string{
	"suites/acd/history", "suites/acd/judge", "suites/acp/history", "suites/acp/judge", "suites/cap/history", "suites/cap/judge",
	"suites/chp/history", "suites/chp/judge", "suites/rule", proofs + "judgement",
}

// acting are the standard packages by which a judgement could act, or that would let it depend on anything but the
// record.
var acting = []string{"context", "time", "os", "net", "math/rand", "sync/atomic"}

// actors are the types that a judgement must not hold, and verdicts those that a stimulus must not return.
var (
	actors   = []string{"suites.Scenario", "suites.Laboratory", "live.Gate", "suites.Subject"}
	verdicts = []string{"verdict.Verdict", "verdict.Breach", "verdict.Violation"}
)

// purityBreaches finds judgements that could act and stimuli that judge.
func purityBreaches(s source) []string {
	var all []string
	judges := matchesAny(pure, s.folder) && !s.test
	acts := path.Base(s.folder) == "act" || strings.Contains(s.folder, "/act/")
	for _, spec := range s.ast.Imports {
		imported, _ := strconv.Unquote(spec.Path.Value)
		acts := slices.Contains(acting, imported) ||
			slices.Contains(acting, strings.SplitN(imported, "/", 2)[0]) && imported != "net/url"
		if judges && acts {
			all = append(all, s.path+": a judgement must not import "+imported)
		}
	}
	ast.Inspect(s.ast, func(n ast.Node) bool {
		selector, is := n.(*ast.SelectorExpr)
		if !is {
			return true
		}
		of, plain := selector.X.(*ast.Ident)
		if name := ""; plain {
			name = of.Name + "." + selector.Sel.Name
			switch {
			case judges && slices.Contains(actors, name):
				all = append(all, s.at(n)+": a judgement must not hold "+name)
			case acts && slices.Contains(verdicts, name):
				all = append(all, s.at(n)+": a stimulus must not judge by "+name)
			}
		}
		return true
	})
	return all
}

// banned are names of the standard library that nothing here may use, with the reason.
var banned = map[string]string{
	"time.Sleep":         "waits without a condition",
	"http.DefaultClient": "has no deadline",
	"http.Get":           "has no deadline",
	"http.Post":          "has no deadline",
	"http.Head":          "has no deadline",
	"http.PostForm":      "has no deadline",
}

func wordBreaches(s source) []string {
	var all []string
	ast.Inspect(s.ast, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			if n.Name.Name == "init" && n.Recv == nil {
				all = append(all, s.at(n)+": init functions are not permitted")
			}
		case *ast.SelectorExpr:
			of, plain := n.X.(*ast.Ident)
			if !plain {
				return true
			}
			name := of.Name + "." + n.Sel.Name
			if why := banned[name]; why != "" {
				all = append(all, s.at(n)+": "+name+" "+why)
			}
			if name == "os.Exit" && !s.test && s.ast.Name.Name != "main" {
				all = append(all, s.at(n)+": only main may call os.Exit")
			}
		}
		return true
	})
	return all
}

func sizeBreaches(s source) []string {
	if s.test {
		return nil
	}
	var all []string
	if s.lines > longestFile {
		all = append(all, fmt.Sprintf("%s: %d lines, at most %d", s.path, s.lines, longestFile))
	}
	for _, declaration := range s.ast.Decls {
		f, is := declaration.(*ast.FuncDecl)
		if !is {
			continue
		}
		if lines := s.files.Position(f.End()).Line - s.files.Position(f.Pos()).Line + 1; lines > longestFunction {
			all = append(
				all,
				fmt.Sprintf("%s: %s has %d lines, at most %d", s.at(f), f.Name.Name, lines, longestFunction),
			)
		}
	}
	return all
}

func (s source) at(n ast.Node) string {
	return fmt.Sprintf("%s:%d", s.path, s.files.Position(n.Pos()).Line)
}

func TestTreeFollowsRules(t *testing.T) {
	for _, s := range tree(t) {
		for _, breach := range breaches(s) {
			t.Error(breach)
		}
	}
}

// A row or permission for a removed package would apply to the next package of that name.
func TestRulesAreCurrent(t *testing.T) {
	packages, imports, third := map[string]bool{}, map[string][]string{}, map[string]bool{}
	for _, s := range tree(t) {
		packages[s.folder] = true
		for _, spec := range s.ast.Imports {
			imported, _ := strconv.Unquote(spec.Path.Value)
			third[imported] = true
			if folder, ours := strings.CutPrefix(imported, module+"/"); ours {
				imports[s.folder] = append(imports[s.folder], folder)
			}
		}
	}
	for folder := range layers {
		if !packages[folder] {
			t.Errorf("the row for %s is stale: there is no such package", folder)
		}
	}
	for module := range kept {
		if !third[module] {
			t.Errorf("the rule for %s is stale: no package imports it", module)
		}
	}
	for _, rule := range layers {
		for _, pattern := range slices.Concat(rule.ours, rule.tests) {
			if !slices.ContainsFunc(
				slices.Collect(keys(packages)),
				func(folder string) bool { return matches(pattern, folder) },
			) {
				t.Errorf("the permission for %s is stale: there is no such package", pattern)
			}
		}
	}
}

func keys(set map[string]bool) func(func(string) bool) {
	return func(yield func(string) bool) {
		for key := range set {
			if !yield(key) {
				return
			}
		}
	}
}

func TestEachRuleDetectsBreach(t *testing.T) {
	long := strings.Repeat("\n", longestFunction)
	for _, c := range []struct{ name, file, text, want string }{
		{"leaf", "spec/x.go", "package spec\nimport _ \"" + module + "/reports\"", "must not import reports"},
		{"oracle", "reference/x.go", "package reference\nimport _ \"" + module + "/suites/driver\"", "must not import suites/driver"},
		{"oracle below", "reference/mutant/x.go", "package mutant\nimport _ \"" + module + "/schemas\"", "must not import schemas"},
		{"oracle in a test", "reference/x_test.go", "package reference\nimport _ \"" + module + "/suites\"", "must not import suites"},
		{"suite of the oracle", "suites/cap/x.go", "package capsuite\nimport _ \"" + module + "/reference\"", "must not import reference"},
		{
			"plan that names its results",
			proofs + "plan/x.go",
			"package plan\nimport _ \"" + module + "/" + proofs + "trial\"", "must not import " + proofs + "trial",
		},
		{
			"trial that judges",
			proofs + "trial/x.go", "package trial\nimport _ \"" + module + "/" + proofs + "judgement\"",
			"must not import " + proofs + "judgement",
		},
		{
			"judgement with a clock", proofs + "judgement/x.go", "package judgement\nimport _ \"time\"", "must not import time",
		},
		{
			"judgement that runs hosts",
			proofs + "judgement/x.go", "package judgement\nimport _ \"" + module + "/reference\"", "must not import reference",
		},
		{"godog", "suites/cap/x.go", "package capsuite\nimport _ \"github.com/cucumber/godog\"", "only suites may import"},
		{"cobra", "reports/x.go", "package reports\nimport _ \"github.com/spf13/cobra\"", "only cmd/... may import"},
		{"unknown package", "helpers/x.go", "package helpers", "no row"},
		{"init", "spec/x.go", "package spec\nfunc init() {}", "init functions are not permitted"},
		{"exit", "spec/x.go", "package spec\nfunc f() { os.Exit(1) }", "only main may call"},
		{"judgement with a context", "suites/chp/judge/x.go", "package judge\nimport _ \"context\"", "must not import context"},
		{"judgement with the net", "suites/chp/judge/x.go", "package judge\nimport _ \"net/http\"", "must not import net/http"},
		{"judgement with a driver", "suites/chp/judge/x.go", "package judge\nimport _ \"" + module + "/suites/driver\"", "must not import suites/driver"},
		{"judgement with the engine", "suites/chp/judge/x.go", "package judge\nimport _ \"" + module + "/suites\"", "must not import suites"},
		{"judgement that acts", "suites/chp/judge/x.go", "package judge\nfunc f(l *suites.Laboratory) {}", "must not hold suites.Laboratory"},
		{"stimulus that judges", "suites/chp/act/x.go", "package act\nvar e = verdict.Violation{}", "must not judge by verdict.Violation"},
		{"sleep", "spec/x_test.go", "package spec\nfunc f() { time.Sleep(1) }", "waits without a condition"},
		{"client", "spec/x.go", "package spec\nvar c = http.DefaultClient", "no deadline"},
		{"long function", "spec/x.go", "package spec\nfunc f() {" + long + "}\n", "f has 61 lines"},
		{"long file", "spec/x.go", "package spec\n" + strings.Repeat("\n", longestFile), "401 lines"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, err := parse(c.file, c.text)
			require.NoError(t, err)
			if got := breaches(s); len(got) != 1 || !strings.Contains(got[0], c.want) {
				t.Errorf("want one breach with %q, got %q", c.want, got)
			}
		})
	}
}

func TestValidFilesBreakNoRule(t *testing.T) {
	for _, c := range []struct{ file, text string }{
		{"cmd/capconform/x.go", "package main\nfunc main() { os.Exit(1) }"},
		{"spec/x_test.go", "package spec\nfunc TestMain() { os.Exit(1) }"},
		{"suites/x.go", "package suites\nimport _ \"github.com/cucumber/godog\""},
		{"spec/x.go", "package spec\nfunc f() {" + strings.Repeat("\n", longestFunction-1) + "}\n"},
		{"spec/x.go", "package spec\n" + strings.Repeat("\n", longestFile-1)},
	} {
		s, err := parse(c.file, c.text)
		require.NoError(t, err)
		for _, breach := range breaches(s) {
			t.Errorf("unexpected breach: %s", breach)
		}
	}
}
