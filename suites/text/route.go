package text

import (
	"bytes"
	"net/http"
	"regexp"
	"strings"

	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/live"
)

// routeUse returns what a request to a path does: what the operation with this route does. A path that unknown made is
// that of nobody.
func (t *Text) routeUse(r driver.Request) live.Use {
	op, body := t.routed(r.Method, r.Path), r.Message()
	switch {
	case op == nil && r.Method == http.MethodGet && unknownMethod.MatchString(strings.TrimPrefix(r.Path, "/")):
		return live.Use{}
	case op == nil:
		return live.Use{Invokes: true, ID: r.Method + " " + r.Path}
	case op.Reads:
		return live.Use{}
	case op.ID != "" && !bytes.ContainsRune(body, '"'): // it names nothing that a target could run
		return live.Use{}
	case op.ID != "" && namesOnce(body, op.ID):
		return op.use(driver.Operation{Params: body})
	}
	return live.Use{Invokes: true, ID: op.Name}
}

var inBraces = regexp.MustCompile(`\\\{[^}]*\\\}`)

// routed returns the operation with a route, nil if there is none.
func (p *protocol) routed(method, path string) *operation {
	for i, op := range p.Operations {
		form := inBraces.ReplaceAllString(regexp.QuoteMeta(op.Path), "[^/]+")
		if op.Method == method && regexp.MustCompile("^"+form+"$").MatchString(path) {
			return &p.Operations[i]
		}
	}
	return nil
}
