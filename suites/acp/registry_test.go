package acpsuite

import (
	"context"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/ipfs/go-cid"
	"github.com/mr-tron/base58"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/acp/act"
	"github.com/capconform/capconform/suites/acp/environment"
	"github.com/capconform/capconform/suites/acp/history"
	"github.com/capconform/capconform/suites/driver/inproc"
)

// ledger is a small registry. Its fields change its behaviour.
type ledger struct {
	mu      sync.Mutex
	records map[string]object
	owners  map[string]string
	events  []any

	authors bool
	written func(record object) object // how a record is returned
	refuses func(record object) bool
	silent  bool // serves no events
	twice   bool
	leaks   bool // whether refused publications have an event
}

func (l *ledger) publish(params object) bool {
	by, _ := params["author"].(object)
	did, _ := by["did"].(string)
	delete(params, "author")
	uri, _ := params[history.MemberURI].(string)
	name, _, _ := strings.Cut(uri, "@")
	known := !l.authors || proves(by) && (l.owners[name] == "" || l.owners[name] == did)
	if !known || l.refuses != nil && l.refuses(params) {
		if l.leaks {
			l.events = append(l.events, params)
		}
		return false
	}
	l.owners[name], l.records[uri] = did, params
	l.events = append(l.events, params)
	if l.twice {
		l.events = append(l.events, params)
	}
	return true
}

// proves reports whether a private key belongs to the did:key with which it is sent.
func proves(by object) bool {
	did, _ := by["did"].(string)
	key, _ := by["private_key"].(string)
	seed, err := base58.Decode(strings.TrimPrefix(key, "z"))
	if err != nil || len(seed) != ed25519.SeedSize {
		return false
	}
	return did == "did:key:"+environment.Author{Key: ed25519.NewKeyFromSeed(seed)}.PublicKey()
}

func (l *ledger) shown(record object) object {
	if l.written == nil {
		return record
	}
	copied := object{}
	for name, value := range record {
		copied[name] = value
	}
	return l.written(copied)
}

// handle answers JSON-RPC.
func (l *ledger) handle(_ context.Context, request []byte) []byte {
	l.mu.Lock()
	defer l.mu.Unlock()
	var asked struct {
		ID     json.RawMessage
		Method string
		Params object
	}
	if json.Unmarshal(request, &asked) != nil {
		return nil
	}
	reply := object{"jsonrpc": "2.0", "id": asked.ID}
	refused := object{"code": -32000, "message": "refused"}
	switch {
	case asked.Method == opConfigure && l.authors:
		reply["result"] = object{"supports": []any{act.SupportsAuthors}}
	case asked.Method == opConfigure:
		reply["result"] = object{}
	case asked.Method == opPublish && l.publish(asked.Params):
		reply["result"] = object{}
	case asked.Method == opPublish:
		reply["error"] = refused
	case asked.Method == opGet:
		uri, _ := asked.Params[history.MemberURI].(string)
		if reply["error"] = refused; l.records[uri] != nil {
			delete(reply, "error")
			reply["result"] = l.shown(l.records[uri])
		}
	case asked.Method == opEvents && !l.silent:
		all := []any{object{"kind": "genesis"}}
		for _, e := range l.events {
			all = append(all, l.shown(e.(object)))
		}
		reply["result"] = object{"events": all}
	default:
		reply["error"] = object{"code": -32601, "message": "no such method"}
	}
	raw, _ := json.Marshal(reply)
	return raw
}

// otherNotation writes the same values in other notations.
func otherNotation(record object) object {
	if parsed, err := cid.Decode(record[history.MemberCID].(string)); err == nil {
		record[history.MemberCID], _ = parsed.StringOfBase('f') // base 16
	}
	if raw, err := hex.DecodeString(record[history.MemberDigest].(string)); err == nil {
		record[history.MemberDigest] = base64.StdEncoding.EncodeToString(raw)
	}
	record["block"] = 7
	return record
}

// newLedger initialises an empty registry.
func newLedger(l *ledger) *ledger {
	l.records, l.owners = map[string]object{}, map[string]string{}
	return l
}

// examineLedger runs the suite on a registry. It returns the status of each requirement on a registry that is not
// passed, and of each other requirement that failed.
func examineLedger(t *testing.T, l *ledger, actors ...string) map[string]reports.Status {
	t.Helper()
	s, err := suites.New(Definition())
	require.NoError(t, err)
	subject := &suites.Subject{Driver: inproc.New("ledger", newLedger(l).handle), Actors: actors}
	report, err := suites.Run(t.Context(), []*suites.Suite{s}, subject, suites.Options{Explicit: true, Concurrency: 2})
	require.NoError(t, err)
	got := map[string]reports.Status{}
	for _, q := range report.Suites[0].Requirements {
		r, _ := s.Catalogue.Lookup(q.ID)
		if q.Status == reports.Failed || r.Actor == actorRegistry && q.Status != reports.Passed {
			got[q.ID] = q.Status
		}
	}
	return got
}

// TestRegistryIsRecognised: a target that serves acp.get or acp.events is examined as a registry, even if the target
// file does not name the actor. Requirements that only acp.events shows are inconclusive.
func TestRegistryIsRecognised(t *testing.T) {
	for name, l := range map[string]*ledger{"by its events": {authors: true}, "by its records": {authors: true, silent: true}} {
		t.Run(name, func(t *testing.T) {
			named := examineLedger(t, &ledger{authors: l.authors, silent: l.silent}, actorRegistry)
			if diff := cmp.Diff(named, examineLedger(t, l)); diff != "" {
				t.Errorf("not passed (-named as a registry +recognised)\n%s", diff)
			}
		})
	}
}

func TestRegistry(t *testing.T) {
	mismatched := func(record object) bool {
		return !strings.HasSuffix(record[history.MemberURI].(string), "@"+record[history.MemberVersion].(string))
	}
	open := map[string]reports.Status{"ACP-TERM-03": reports.Inconclusive, "ACP-PUB-02": reports.Inconclusive}
	but := func(more map[string]reports.Status) map[string]reports.Status {
		for id, status := range open {
			if _, result := more[id]; !result {
				more[id] = status
			}
		}
		return more
	}
	events := func(status reports.Status) map[string]reports.Status {
		return map[string]reports.Status{
			"ACP-CHAIN-06": status, "ACP-CHAIN-07": status, "ACP-CHAIN-08": status, "ACP-CHAIN-09": status, "ACP-CHAIN-10": status,
			"ACP-CHAIN-02": status, "ACP-REG-03": status, "ACP-PUB-03": status,
		}
	}
	for name, test := range map[string]struct {
		ledger *ledger
		want   map[string]reports.Status // the requirements that are not passed
	}{
		"valid":          {&ledger{authors: true}, map[string]reports.Status{}},
		"other notation": {&ledger{authors: true, written: otherNotation}, map[string]reports.Status{}},
		"does not know authors": {&ledger{refuses: mismatched}, but(map[string]reports.Status{
			"ACP-FIELD-02": reports.Inconclusive,
		})},
		"accepts everything": {&ledger{}, but(map[string]reports.Status{"ACP-FIELD-02": reports.Inconclusive, "ACP-CHAIN-10": reports.Inconclusive})},
		"serves no events":   {&ledger{authors: true, silent: true}, events(reports.Inconclusive)},
		"two events":         {&ledger{authors: true, twice: true}, map[string]reports.Status{"ACP-CHAIN-02": reports.Failed, "ACP-REG-03": reports.Failed}},
		"events of refused publications": {&ledger{authors: true, leaks: true, refuses: mismatched}, map[string]reports.Status{
			"ACP-CHAIN-10": reports.Failed,
		}},
	} {
		t.Run(name, func(t *testing.T) {
			got := examineLedger(t, test.ledger, actorRegistry)
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("not passed (-want +got)\n%s", diff)
			}
		})
	}
}
