package text

import (
	"io/fs"
	"net/http"
	"path"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/part"
)

// protocol is the file protocol.yaml: what the text defines, apart from its demands.
type protocol struct {
	Name       string // the word that is used for --suite in reports and records
	Actor      string // the party that the text obliges
	Probe      string // the operation that shows whether the target speaks the protocol
	Operations []operation
	Kinds      []kind
	Documents  []documentForm
	Methods    bool     // the operations are methods of the peer itself; over MCP, they are not tools
	Begin      []string // the operations that are called before anything is planned
	When       []condition
	Subject    naming
	Fixtures   []string // elements that may be run, since targets have them for examinations alone
}

// documentForm names the files that are answers of an operation: their rules are those of the operation's kinds.
type documentForm struct {
	Operation string
	Files     string // a pattern for the name of a file, such as *.zones.json
}

// operation is an operation with its bindings and shapes.
type operation struct {
	Name   string
	Method string // of the HTTP binding, "" for none
	Path   string
	Query  []string // the members of the params that travel in the query
	Params string   // the name of a schema, "" for none
	Result string
	Error  string
	Reads  bool // it changes nothing, so that it needs no permission
	// Message: it carries whole messages, which stimuli send. What a message calls decides whether it needs permission.
	Message bool
	Heard   bool // its result is what the target sent on its own; nothing is sent
	// Request: its params are a request of HTTP, and its result is the answer. What a message in it calls decides whether
	// it needs permission.
	Request bool
	Last    string // the event that ends a stream
	// Cursor and Param page the results: the path of the cursor in a result, and the member of the params that
	// requests the next page. Empty: an empty text is a cursor, too.
	Cursor, Param string
	Empty         bool
	// ID and Listed: a call runs what the member ID of its params names, an element of the kind Listed, in which the
	// member By names it. "" if the call runs the operation alone.
	ID, Listed, By string
}

// kind is a kind of objects that rules can be about: the calls of an operation, or the elements of a list in
// their results.
type kind struct {
	Name string
	Of   string
	Each string // the path of the list, "" for the calls
	// Chain says how the elements of each list form a chain of hashes, nil if they form none.
	Chain *chain
}

var (
	protocolKeys = []string{"suite", "actor", "probe", "methods", "begin", "when", "operations", "kinds", "pages",
		"documents", "fixtures", "subject"}
	operationKeys = []string{"http", "query", "params", "result", "error", "reads", "message", "heard", "request",
		"last", "invokes"}
	kindKeys  = []string{"of", "each", "chain"}
	chainKeys = []string{"hash", "before", "by"}
	pageKeys  = []string{"cursor", "param", "empty"}

	suiteName     = regexp.MustCompile(`^[a-z]{2,16}$`)
	operationName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_./-]{0,127}$`)
	kindName      = regexp.MustCompile(`^[a-z][a-z_]{0,63}$`)
	memberPath    = regexp.MustCompile(`^result(\.[A-Za-z_][A-Za-z0-9_]*)*(\[\](\.[A-Za-z_][A-Za-z0-9_]*)+)?$`)
	methods       = []string{
		http.MethodGet,
		http.MethodHead,
		http.MethodPost,
		http.MethodPut,
		http.MethodPatch,
		http.MethodDelete,
	}
	reservedKinds = []string{"call", "object", "run"}
)

// readProtocol reads protocol.yaml.
func readProtocol(name string, data []byte) (*protocol, error) {
	file, root, err := part.Read(name, data)
	if err != nil {
		return nil, err
	}
	p := &protocol{Actor: "host"}
	if root == nil {
		file.FailAt(1, 1, "expected the keys "+strings.Join(protocolKeys, ", "))
		return nil, file.Err()
	}
	r := protocolReader{file, p}
	members := file.Members(root, protocolKeys)
	r.name(root, members["suite"])
	if actor := file.Text(members["actor"]); actor.Value != "" {
		p.Actor = actor.Value
	}
	r.each(members["operations"], r.operation)
	r.each(members["kinds"], r.kind)
	r.each(members["pages"], r.page)
	r.each(members["documents"], r.document)
	r.each(members["when"], r.condition)
	p.Methods = file.Flag(members["methods"])
	r.begin(members["begin"])
	r.fixtures(members["fixtures"])
	r.naming(members["subject"])
	r.invocations(members["operations"])
	r.probe(root, members["probe"])
	return p, file.Err()
}

type protocolReader struct {
	*part.File
	*protocol
}

func (r protocolReader) name(root, n *yaml.Node) {
	if n == nil {
		r.Fail(root, "a suite needs a name: suite")
		return
	}
	if r.protocol.Name = r.Text(n).Value; !suiteName.MatchString(r.protocol.Name) {
		r.Fail(n, "the name of a suite has 2 to 16 lower-case letters")
	}
}

// each reads the members of a mapping in order.
func (r protocolReader) each(n *yaml.Node, read func(key, value *yaml.Node)) {
	if n == nil {
		return
	}
	if n.Kind != yaml.MappingNode {
		r.Fail(n, "expected a name for each entry: NAME: {...}")
		return
	}
	seen := map[string]bool{}
	for i := 0; i < len(n.Content); i += 2 {
		key := n.Content[i]
		if seen[key.Value] {
			r.Fail(key, "the key %s is there twice", key.Value)
			continue
		}
		seen[key.Value] = true
		read(key, n.Content[i+1])
	}
}

func (r protocolReader) operation(key, value *yaml.Node) {
	if !operationName.MatchString(key.Value) {
		r.Fail(key, "the name of an operation has letters, digits, and _ . / - only")
	}
	op := operation{Name: key.Value}
	if value.Tag != "!!null" {
		m := r.Members(value, operationKeys)
		op.Params, op.Result, op.Error = r.Text(m["params"]).Value, r.Text(m["result"]).Value, r.Text(m["error"]).Value
		op.Reads = r.Flag(m["reads"])
		r.message(m, &op)
		if op.Heard = r.Flag(m["heard"]); op.Heard {
			op.Reads = true
		}
		if m["http"] != nil {
			r.route(m["http"], &op)
		}
		if q := m["query"]; q != nil && q.Kind == yaml.SequenceNode {
			for _, one := range q.Content {
				op.Query = append(op.Query, r.Text(one).Value)
			}
		} else if q != nil {
			r.Fail(q, "query is a list of members of the params")
		}
	}
	r.Operations = append(r.Operations, op)
}

// message reads whether the operation carries whole messages, alone or in requests of HTTP.
func (r protocolReader) message(m map[string]*yaml.Node, op *operation) {
	op.Message, op.Request = r.Flag(m["message"]), r.Flag(m["request"])
	if m["last"] != nil {
		op.Last = r.Text(m["last"]).Value
		if !op.Request {
			r.Fail(m["last"], "only an operation with request has last")
		}
	}
	if !op.Message && !op.Request {
		return
	}
	op.Reads = true
	for _, key := range []string{"http", "query", "params", "error"} {
		if m[key] != nil {
			r.Fail(m[key], "an operation that carries messages has no %s", key)
		}
	}
	if op.Message && r.carrier() != "" {
		r.Fail(m["message"], "two operations carry messages: %s and %s", r.carrier(), op.Name)
	}
}

// route reads METHOD /path. A path is a path of the target, never a URL.
func (r protocolReader) route(n *yaml.Node, op *operation) {
	method, at, _ := strings.Cut(r.Text(n).Value, " ")
	if !slices.Contains(methods, method) || !strings.HasPrefix(at, "/") || strings.HasPrefix(at, "//") ||
		strings.ContainsAny(at, "?#\\ ") || strings.Contains(at, "..") {
		r.Fail(n, "a route is a method and a path, such as GET /now")
	}
	op.Method, op.Path = method, at
}

func (r protocolReader) kind(key, value *yaml.Node) {
	if !kindName.MatchString(key.Value) || slices.Contains(reservedKinds, key.Value) {
		r.Fail(key, "the name of a kind has lower-case letters and _, and is none of %s", strings.Join(reservedKinds, ", "))
	}
	m := r.Members(value, kindKeys)
	k := kind{Name: key.Value, Of: r.Text(m["of"]).Value, Each: r.Text(m["each"]).Value}
	r.known(value, m["of"])
	if k.Each != "" && !memberPath.MatchString(k.Each) {
		r.Fail(m["each"], "each is the path of a list, such as result.items")
	}
	if m["chain"] != nil {
		c := r.Members(m["chain"], chainKeys)
		k.Chain = &chain{r.Text(c["hash"]).Value, r.Text(c["before"]).Value, r.Text(c["by"]).Value}
		if k.Each == "" || k.Chain.Hash == "" || k.Chain.Before == "" {
			r.Fail(m["chain"], "the elements of a list form a chain by two members: hash, and before, the hash of the element before")
		}
	}
	r.Kinds = append(r.Kinds, k)
}

// known returns the operation that a node names.
func (r protocolReader) known(at, n *yaml.Node) *operation {
	name := r.Text(n).Value
	for i := range r.Operations {
		if r.Operations[i].Name == name {
			return &r.Operations[i]
		}
	}
	if n == nil {
		n = at
	}
	r.Fail(n, "there is no operation %s%s", name, part.Meant(name, r.operations()))
	return nil
}

func (r protocolReader) page(key, value *yaml.Node) {
	m := r.Members(value, pageKeys)
	cursor, param := r.Text(m["cursor"]).Value, r.Text(m["param"]).Value
	if !memberPath.MatchString(cursor) || param == "" {
		r.Fail(value, "pages need cursor, such as result.next, and param, the member of the params that requests a page")
	}
	if op := r.known(key, key); op != nil {
		op.Cursor, op.Param, op.Empty = cursor, param, r.Flag(m["empty"])
	}
}

func (r protocolReader) document(key, value *yaml.Node) {
	r.known(key, key)
	patterns := []*yaml.Node{value}
	if value.Kind == yaml.SequenceNode {
		patterns = value.Content
	}
	for _, one := range patterns {
		files := r.Text(one).Value
		if _, err := path.Match(files, ""); err != nil || files == "" || strings.Contains(files, "/") {
			r.Fail(one, "documents need a pattern for the names of files, such as *.zones.json")
		}
		r.Documents = append(r.Documents, documentForm{key.Value, files})
	}
}

// probe reads the operation that shows whether the target speaks the protocol: by default the first that reads.
func (r protocolReader) probe(root, n *yaml.Node) {
	if n != nil {
		if op := r.known(n, n); op != nil && !op.Reads {
			r.Fail(n, "the probe must be an operation that reads: add reads: true to it")
		}
		r.Probe = r.Text(n).Value
		return
	}
	for _, op := range r.Operations {
		if op.Reads && !op.Heard && !op.Request {
			r.Probe = op.Name
			return
		}
	}
	r.Fail(root, "no operation has reads: true, so nothing shows whether a target speaks the protocol")
}

// routes returns the HTTP binding. It is empty if no operation has a route: then HTTP carries JSON-RPC.
func (p *protocol) routes() []driver.Route {
	var all []driver.Route
	for _, op := range p.Operations {
		if op.Method != "" {
			all = append(all, driver.Route{Operation: op.Name, Method: op.Method, Path: op.Path, Query: op.Query})
		}
	}
	return all
}

// Routes returns the HTTP binding of a folder, of which it reads only the protocol.
func Routes(root fs.FS) ([]driver.Route, error) {
	data, err := fs.ReadFile(root, "protocol.yaml")
	if err != nil {
		return nil, err
	}
	p, err := readProtocol("protocol.yaml", data)
	if err != nil {
		return nil, err
	}
	return p.routes(), nil
}

// carrier returns the name of the operation that carries whole messages, "" if there is none.
func (p *protocol) carrier() string {
	for _, op := range p.Operations {
		if op.Message {
			return op.Name
		}
	}
	return ""
}

func (p *protocol) operation(name string) *operation {
	for i := range p.Operations {
		if p.Operations[i].Name == name {
			return &p.Operations[i]
		}
	}
	return nil
}

// operations returns the names of the operations.
func (p *protocol) operations() []string {
	var names []string
	for _, op := range p.Operations {
		names = append(names, op.Name)
	}
	return names
}

// called returns the names of the operations that are called by their names: all but the one that carries messages.
func (p *protocol) called() []string {
	return slices.DeleteFunc(p.operations(), func(name string) bool { return name == p.carrier() })
}

// tools returns the names of the operations that may be tools of an MCP server.
func (p *protocol) tools() []string {
	if p.Methods {
		return nil
	}
	return p.called()
}

// reading returns the names of the operations that read, without those that carry messages.
func (p *protocol) reading() []string {
	var names []string
	for _, op := range p.Operations {
		if op.Reads && !op.Message && !op.Request {
			names = append(names, op.Name)
		}
	}
	return names
}

// kinds returns the names of the kinds.
func (p *protocol) kinds() []string {
	var names []string
	for _, k := range p.Kinds {
		names = append(names, k.Name)
	}
	return names
}
