package httpdriver

import (
	"errors"
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/driver/mapping"
)

// Binding is the route of one operation in the target file (DESIGN section 8). Query, Body,
// Response and Error are jq: the first two over {params}, the others over {status, headers, body},
// where headers have lower-case names and body is the parsed JSON, or null if it is empty.
type Binding struct {
	Method string `json:"method" yaml:"method"` // GET where it is empty
	// below the path of the URL; {name} stands for a member of params, {a.b} for a member of a
	// member
	Path  string `json:"path" yaml:"path"`
	Query string `json:"query" yaml:"query"` // yields an object of scalars; null values are omitted
	// yields what is sent as JSON; empty: params, or nothing with GET, HEAD and DELETE
	Body     string `json:"body" yaml:"body"`
	Response string `json:"response" yaml:"response"` // yields the result; empty means .body
	Error    string `json:"error" yaml:"error"`       // yields null, the code of a protocol error, or {code, message}
}

// Bindings contains compiled routes by the names of operations. The zero value contains none.
type Bindings struct{ routes map[string]*route }

// route is a compiled Binding.
type route struct {
	name    string
	method  string
	path    string
	query   mapping.Expression
	body    mapping.Expression
	result  mapping.Response
	refused mapping.Expression
	native  bool     // part of the HTTP binding of a protocol: see WithRoutes
	queried []string // if native: the params that are sent in the query
}

// CompileBindings checks and compiles routes. Its error joins one error per fault, each with
// operation and field, and wraps driver.ErrConfiguration.
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

var (
	methods     = []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}
	placeholder = regexp.MustCompile(`\{([^{}]*)\}`)
	named       = regexp.MustCompile(`^[A-Za-z_][\w-]*(\.[A-Za-z_][\w-]*)*$`)
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
	for _, field := range []struct {
		name, text string
		into       *mapping.Expression
	}{{"query", b.Query, &r.query}, {"body", b.Body, &r.body}, {"error", b.Error, &r.refused}} {
		var err error
		if *field.into, err = mapping.Compile(field.text); err != nil {
			faults = append(faults, fault(field.name, err))
		}
	}
	var err error
	if r.result, err = mapping.CompileResponse(b.Response); err != nil {
		faults = append(faults, fault("response", err))
	}
	return r, errors.Join(faults...)
}

func pathFault(path string) string {
	if !strings.HasPrefix(path, "/") {
		return "must begin with /"
	}
	for _, found := range placeholder.FindAllStringSubmatch(path, -1) {
		if !named.MatchString(found[1]) {
			return fmt.Sprintf("{%s} is not the name of a parameter", found[1])
		}
	}
	if strings.ContainsAny(placeholder.ReplaceAllString(path, ""), "{}?# ") {
		return "must not contain a single brace, a space, a query or a fragment"
	}
	return ""
}
