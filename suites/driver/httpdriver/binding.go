package httpdriver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"github.com/itchyny/gojq"

	"github.com/capconform/capconform/suites/driver"
)

// Binding is the route of one operation, as it stands in the target file (DESIGN
// section 8). Query, Body, Response and Error are jq: the first two over {params}, the others over
// {params, status, headers, body}, where headers have lower-case names and body is the parsed JSON, null if
// it is empty.
type Binding struct {
	Method   string `json:"method" yaml:"method"`     // GET where it is empty
	Path     string `json:"path" yaml:"path"`         // below the URL's path; {name} stands for a member of params, {a.b} for one of a member
	Query    string `json:"query" yaml:"query"`       // yields an object of scalars; null values are left out
	Body     string `json:"body" yaml:"body"`         // yields what is sent as JSON; empty: params, but nothing with GET, HEAD and DELETE
	Response string `json:"response" yaml:"response"` // yields the result; empty means .body
	Error    string `json:"error" yaml:"error"`       // yields null, the code of a protocol error, or {code, message}
}

// Bindings are routes by the operations' names, compiled. The zero value has none.
type Bindings struct{ routes map[string]*route }

// route is a compiled Binding.
type route struct {
	name    string
	method  string
	path    string
	query   *gojq.Code
	body    *gojq.Code
	mapped  *gojq.Code // nil where the response is a part of the body as it is
	part    []string   // the names that lead to this part
	refused *gojq.Code
	native  bool     // of a protocol's own binding: see WithRoutes
	queried []string // of such a one: the params that travel in the query
}

// CompileBindings checks routes. Its error joins one for each fault, naming operation
// and field, and wraps driver.ErrConfiguration.
func CompileBindings(bindings map[string]Binding) (Bindings, error) {
	compiled := Bindings{routes: map[string]*route{}}
	var faults []error
	for _, name := range slices.Sorted(maps.Keys(bindings)) {
		r, err := compileRoute(name, bindings[name])
		faults = append(faults, err)
		compiled.routes[name] = r
	}
	if err := errors.Join(faults...); err != nil {
		return Bindings{}, err
	}
	return compiled, nil
}

// Names gives the operations that have a route, sorted.
func (b Bindings) Names() []string { return slices.Sorted(maps.Keys(b.routes)) }

var (
	methods     = []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}
	placeholder = regexp.MustCompile(`\{([^{}]*)\}`)
	named       = regexp.MustCompile(`^[A-Za-z_][\w-]*(\.[A-Za-z_][\w-]*)*$`)
	purePath    = regexp.MustCompile(`^\.body((?:\.[A-Za-z_]\w*|\["[^"\\]+"\])*)$`)
	pathName    = regexp.MustCompile(`\.([A-Za-z_]\w*)|\["([^"\\]+)"\]`)
)

func compileRoute(name string, b Binding) (*route, error) {
	r := &route{name: name, method: b.Method, path: b.Path}
	fault := func(field string, why any) error {
		return fmt.Errorf("%w: httpdriver: bindings: %s: %s: %v", driver.ErrConfiguration, name, field, why)
	}
	if r.method == "" {
		r.method = http.MethodGet
	}
	var faults []error
	if !slices.Contains(methods, r.method) {
		faults = append(faults, fault("method", "must be one of "+strings.Join(methods, ", ")))
	}
	if why := pathFault(b.Path); why != "" {
		faults = append(faults, fault("path", why))
	}
	if b.Response == "" {
		b.Response = ".body"
	}
	if found := purePath.FindStringSubmatch(strings.TrimSpace(b.Response)); found != nil {
		for _, step := range pathName.FindAllStringSubmatch(found[1], -1) {
			r.part = append(r.part, step[1]+step[2])
		}
		b.Response = ""
	}
	for _, field := range []struct {
		name, text string
		code       **gojq.Code
	}{{"query", b.Query, &r.query}, {"body", b.Body, &r.body}, {"response", b.Response, &r.mapped}, {"error", b.Error, &r.refused}} {
		code, err := compileJQ(field.text)
		if err != nil {
			faults = append(faults, fault(field.name, err))
		}
		*field.code = code
	}
	return r, errors.Join(faults...)
}

func pathFault(path string) string {
	if !strings.HasPrefix(path, "/") {
		return "must begin with /"
	}
	for _, found := range placeholder.FindAllStringSubmatch(path, -1) {
		if !named.MatchString(found[1]) {
			return fmt.Sprintf("{%s} is no name of a parameter", found[1])
		}
	}
	if strings.ContainsAny(placeholder.ReplaceAllString(path, ""), "{}?# ") {
		return "must not hold a lone brace, a space, a query or a fragment"
	}
	return ""
}

func compileJQ(text string) (*gojq.Code, error) {
	if text == "" {
		return nil, nil
	}
	query, err := gojq.Parse(text)
	if err != nil {
		return nil, err
	}
	return gojq.Compile(query, gojq.WithEnvironLoader(func() []string { return nil }))
}

// yield runs jq for its first value. No value at all gives nil.
func yield(ctx context.Context, code *gojq.Code, input map[string]any) (any, error) {
	value, ok := code.RunWithContext(ctx, input).Next()
	if !ok {
		return nil, nil
	}
	if err, failed := value.(error); failed {
		return nil, err
	}
	return value, nil
}

// decode reads JSON for jq, numbers unchanged.
func decode(raw []byte) (value any, err error) {
	d := json.NewDecoder(strings.NewReader(string(raw)))
	d.UseNumber()
	if err := d.Decode(&value); err != nil {
		return nil, err
	}
	if d.More() {
		return nil, errors.New("there is more behind its end")
	}
	return value, nil
}
