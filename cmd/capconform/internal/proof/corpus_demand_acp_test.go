package proof

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/capconform/capconform/schemas"
	"github.com/capconform/capconform/suites/record"
)

// runOfACP is what the demands on the answers of one recorded run of ACP need to know: what was served, what was
// published, and in which call the subject made a request.
type runOfACP struct {
	packages     []map[string]any // as served
	publications []record.Entry   // that the subject accepted
	calls        []record.Entry   // to the subject
	flawed       map[any]bool     // by mark
	questions    []record.Tick    // to the model
}

// readACP reads a recorded run.
func readACP(entries []record.Entry) *runOfACP {
	r := &runOfACP{flawed: map[any]bool{}}
	for _, e := range entries {
		switch {
		case e.Operation == "serve":
			p := sentBy(e)
			r.packages = append(r.packages, p)
			r.flawed[p["mark"]] = r.flawed[p["mark"]] || p["flaw"] != nil
		case e.Party == record.Model && e.From == record.Target:
			r.questions = append(r.questions, e.Begun)
		case e.From != record.Target && e.Party == record.Target && e.Operation != "":
			r.calls = append(r.calls, e)
			if e.Operation == "acp.publish" && e.Outcome == record.Returned && e.About["breaks"] == "" {
				r.publications = append(r.publications, e)
			}
		}
	}
	return r
}

func sentBy(e record.Entry) map[string]any {
	if text, err := e.Sent.Text(); err == nil {
		return schemas.ReadObject(text)
	}
	return nil
}

// answerOfACP is an answer of a subject, or a request of the subject to a test double.
type answerOfACP struct {
	entry record.Entry
	sent  map[string]any
	body  any // the JSON value that is edited
	run   *runOfACP
	under record.Entry // the call of the subject during which it made the request
}

func (r *runOfACP) place(e record.Entry) answerOfACP {
	p := answerOfACP{entry: e, sent: sentBy(e), run: r, under: e}
	if text, err := e.Received.Text(); err == nil {
		p.body = schemas.ReadValue(text)
	}
	if e.From == record.Target {
		if p.body, p.sent = any(p.sent), nil; e.Party == record.Model {
			p.body = unwired(p.body)
		}
		for _, c := range r.calls {
			if c.Begun < e.Begun && e.Done < c.Done {
				p.under = c
			}
		}
	}
	return p
}

func (p answerOfACP) at() record.Entry { return p.entry }

func (p answerOfACP) value() any { return p.body }

// edited returns the entry with another body.
func (p answerOfACP) edited(text []byte) record.Entry {
	e := p.entry
	switch {
	case e.Party == record.Model:
		e.Sent = record.NewBody(wired(text))
	case e.From == record.Target:
		e.Sent = record.NewBody(text)
	default:
		e.Received = record.NewBody(text)
	}
	return e
}

// ends reports whether a member holds parameters of tools or contents of other parties' messages: ACP defines no
// members in them.
func (p answerOfACP) ends(member string) bool {
	return slices.Contains([]string{"parameters", "_meta", "triggers", "permissions", "author"}, member)
}

// thread groups the answers about one capability URI, and the requests that the subject made during one call.
func (p answerOfACP) thread() string {
	switch p.entry.Operation {
	case "acp.get":
		return fmt.Sprint(p.sent["cap_uri"])
	case "search_capabilities":
		return fmt.Sprint(p.sent["query_string"])
	}
	return fmt.Sprint(p.under.Begun)
}

// shows are the entries that identify a breach as the effect of an edit.
func (p answerOfACP) shows() []record.Tick { return []record.Tick{p.entry.Begun, p.under.Begun} }

func (p answerOfACP) anywhere() bool { return false }

// kind names the place of an edit, which may occur several times in a run.
func (p answerOfACP) kind(path []string) string {
	return strings.Join([]string{p.member(path), p.under.Stimulus, p.under.About["case"]}, " ")
}

// member names a member of the messages in one situation, such as the content of each user message.
func (p answerOfACP) member(path []string) string {
	operation, _, _ := strings.Cut(p.entry.Operation, "?")
	at := numbers.ReplaceAllString("/"+strings.Join(path, "/"), "/*")
	if len(path) > 2 && path[0] == "messages" {
		at = p.role(path[1]) + at
	}
	return ownOfRun.ReplaceAllString(operation, "*") + " " + at
}

var numbers = regexp.MustCompile(`/\d+`)

// role describes a message of a request to the model: its role, and whether it follows the last message of the user.
func (p answerOfACP) role(index string) string {
	messages, _ := p.body.(map[string]any)["messages"].([]any)
	last := 0
	for i, m := range messages {
		if objectAt(m, nil)["role"] == "user" {
			last = i
		}
	}
	var at int
	_, _ = fmt.Sscan(index, &at) // walk wrote the index
	role, _ := objectAt(messages[at], nil)["role"].(string)
	if at < last && role != "system" {
		return "earlier " + role
	}
	return role
}

// demandOn returns the demand on the judgement after an edit.
func (p answerOfACP) demandOn(path []string, how string) demand {
	before, after := objectAt(p.body, nil), objectAt(editedValue(p.body, path, how), nil)
	switch p.entry.Operation {
	case "acp.get":
		return p.kept(path[0], after)
	case "acp.events":
		return p.told(path, after)
	case "resolve_capability":
		return p.resolved(path, before, after)
	case "search_capabilities":
		return p.found(before, after)
	case "POST /rpc":
		return p.submitted(path, before, after)
	case "POST /v1/chat/completions":
		return p.asked(path, how)
	}
	if p.entry.Party == record.Service {
		return p.used(path, before, after)
	}
	return demand{}
}

// chainValues are the requirements on the four values in the record and in the event.
var chainValues = map[string][2]string{
	"cap_uri": {"ACP-CHAIN-01", "ACP-CHAIN-06"}, "semver": {"ACP-CHAIN-03", "ACP-CHAIN-07"},
	"cid": {"ACP-CHAIN-04", "ACP-CHAIN-08"}, "sha256": {"ACP-CHAIN-05", "ACP-CHAIN-09"},
}

// kept returns the demand for an answer of acp.get: it must return what was published, unchanged.
func (p answerOfACP) kept(member string, after map[string]any) demand {
	published := p.publication(p.sent["cap_uri"])
	if of := chainValues[member]; published != nil && of[0] != "" && after[member] != published[member] {
		return demand{must: []string{of[0], "ACP-MOT-03"}}
	}
	return demand{}
}

// publication returns the last publication under a capability URI before the answer, or nil if there is none.
func (p answerOfACP) publication(uri any) map[string]any {
	var last map[string]any
	for _, e := range p.run.publications {
		if sent := sentBy(e); e.Done < p.entry.Begun && sent["cap_uri"] == uri {
			last = sent
		}
	}
	return last
}

// told returns the demand for an answer of acp.events.
func (p answerOfACP) told(path []string, after map[string]any) demand {
	if path[0] != "events" {
		return demand{}
	}
	before := slices.ContainsFunc(p.run.publications, func(e record.Entry) bool { return e.Done < p.entry.Begun })
	if len(path) == 1 && before {
		return demand{must: []string{"ACP-CHAIN-02"}}
	}
	if len(path) < 3 {
		return demand{}
	}
	if of := chainValues[path[2]]; of[1] != "" {
		was := objectAt(p.body, path[:2])[path[2]]
		if now := objectAt(after, path[:2])[path[2]]; was != now {
			return demand{must: []string{of[1]}}
		}
	}
	return demand{}
}

// resolved returns the demand for an answer to resolve_capability.
func (p answerOfACP) resolved(path []string, before, after map[string]any) demand {
	if p.entry.About["wait"] != "" { // the index may not know the capability yet
		return demand{}
	}
	uri, _ := p.sent["cap_uri"].(string)
	versioned := strings.Contains(uri, "@") && !strings.HasSuffix(uri, "@latest")
	id := func(of map[string]any) any { return objectAt(of, []string{"acp_metadata"})["id"] }
	switch sameID, sameCID := id(before) == id(after), before["ipfs_cid"] == after["ipfs_cid"]; {
	case !versioned && !sameID && !sameCID:
		return demand{must: []string{"ACP-INDEX-05"}}
	case versioned && !sameID:
		return demand{must: []string{"ACP-INDEX-01"}}
	case versioned && !sameCID:
		return demand{must: []string{"ACP-INDEX-09"}}
	}
	return demand{}
}

// found returns the demand for an answer to search_capabilities: a capability is identified by its id or by its file.
func (p answerOfACP) found(before, after map[string]any) demand {
	clues := func(of map[string]any) (all []string) {
		list, _ := of["list_of_results"].([]any)
		for _, hit := range list {
			id, _ := objectAt(hit, []string{"acp_metadata"})["id"].(string)
			cid, _ := objectAt(hit, nil)["ipfs_cid"].(string)
			if strings.HasPrefix(id, "did:nuwa:cap:") || strings.HasPrefix(cid, "bafk") {
				all = append(all, id+cid)
			}
		}
		return all
	}
	switch {
	case p.entry.Suite == "", p.entry.Stimulus == "discovery", p.entry.About["unknown"] != "", len(clues(before)) == len(clues(after)):
		return demand{}
	case p.sent["filters"] != nil: // it is only advice that filters restrict a search
		return demand{may: []string{"ACP-INDEX-02"}}
	}
	return demand{must: []string{"ACP-INDEX-02"}}
}

// submitted returns the demand for a publication on the chain.
func (p answerOfACP) submitted(path []string, before, after map[string]any) demand {
	if before["method"] != "acp.publish" {
		return demand{}
	}
	values := map[string]string{"cap_uri": "ACP-PUB-05", "semver": "ACP-PUB-06", "cid": "ACP-PUB-07", "sha256": "ACP-PUB-08"}
	switch {
	case path[0] == "method", path[0] == "params" && len(path) == 1:
		return demand{must: []string{"ACP-PUB-05"}, may: []string{"ACP-PUB-06", "ACP-PUB-07", "ACP-PUB-08"}}
	case len(path) == 2 && values[path[1]] != "":
		return demand{must: []string{values[path[1]]}}
	}
	return demand{}
}

// used returns the demand for a call of a service.
func (p answerOfACP) used(path []string, before, after map[string]any) demand {
	switch {
	case strings.HasPrefix(p.entry.Operation, "POST /mcp/") && before["method"] == "tools/call":
		switch {
		case path[0] == "method", path[0] == "params" && len(path) == 1, path[0] == "params" && path[1] == "name":
			return demand{must: []string{"ACP-BIND-09", "ACP-EXEC-06"}}
		case path[0] == "params" && path[1] == "arguments":
			return demand{must: []string{"ACP-EXEC-06", "ACP-BIND-09"}}
		}
	case strings.HasPrefix(p.entry.Operation, "POST /agent/") && path[0] == "method":
		return demand{must: []string{"ACP-BIND-08"}}
	case strings.HasPrefix(p.entry.Operation, "POST /agent/") && path[0] == "params":
		return demand{must: []string{"ACP-EXEC-06", "ACP-BIND-08"}}
	}
	return demand{} // BIND-18 and BIND-19 are advice
}
