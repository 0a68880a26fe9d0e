package acpvariant

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/capconform/capconform/reference/acphost"
	"github.com/capconform/capconform/reference/variant"
)

// concurrentInstalls returns routers that other users use at the same time. The text says how a message
// finds its capability, but not which one receives it if two match. The choice may therefore change with
// the actions of other users.
func concurrentInstalls() []variant.Variant {
	return []variant.Variant{
		newVariant("recent-wins",
			"Routes a message that several capabilities fit to the one that any user used last, and does not serve acp.state.",
			combine(prefersRecent, unserved(acphost.OpState)), "ACP-ROUTE-03"),
		newVariant("ties-in-turn", "If no capability is active, routes a message that several fit to each of them in turn.",
			alternates, "ACP-ROUTE-03"),
		newVariant("upgrades-pinned", "Keeps the previous version in the conversations that used it.", pinsVersions,
			"ACP-ABS-04"),
		newVariant("neighbours",
			"Has another author's capability that answers every second message in plain words.",
			foreignEverySecond, "ACP-ROUTE-03", "ACP-COMP-01"),
		newVariant("catch-all", "Has another author's capability that fits everything, before all others.", foreignCatchAll,
			"ACP-FIELD-06"),
	}
}

// choosesAmongMatching makes choose select one of the capabilities that match a message.
func choosesAmongMatching(h *acphost.Host, choose func(fitting []*acphost.Package) *acphost.Package) {
	h.Classify = func(_ context.Context, text string) *acphost.Package {
		fitting := slices.DeleteFunc(h.Installed(), func(p *acphost.Package) bool { return !h.MatchesTrigger(p, text) })
		if len(fitting) == 0 {
			return nil
		}
		return choose(fitting)
	}
}

func prefersRecent(h *acphost.Host) {
	var mutex sync.Mutex
	used, clock := map[string]int{}, 0
	choosesAmongMatching(h, func(fitting []*acphost.Package) *acphost.Package {
		mutex.Lock()
		defer mutex.Unlock()
		return slices.MaxFunc(fitting, func(a, b *acphost.Package) int { return used[a.Name] - used[b.Name] })
	})
	route := h.Route
	h.Route = func(ctx context.Context, c *acphost.Conversation, text string) *acphost.Package {
		p := route(ctx, c, text)
		if p != nil {
			mutex.Lock()
			defer mutex.Unlock()
			clock++
			used[p.Name] = clock
		}
		return p
	}
}

func alternates(h *acphost.Host) {
	var mutex sync.Mutex
	turns := map[string]int{} // by the name of the first matching capability
	choosesAmongMatching(h, func(fitting []*acphost.Package) *acphost.Package {
		mutex.Lock()
		defer mutex.Unlock()
		turns[fitting[0].Name]++
		return fitting[turns[fitting[0].Name]%len(fitting)]
	})
}

// foreignPackage returns an installed package of another author.
func foreignPackage(name, trigger string) *acphost.Package {
	p, err := acphost.ReadPackage(fmt.Appendf(nil, `metadata:
  id: did:nuwa:cap:%s@1.0.0
  triggers: [{type: regex, value: %q}]
schema: '{"$id": "did:nuwa:state:%s#v1", "type": "object"}'
prompt: You belong to somebody else.
`, name, trigger, name))
	if err != nil {
		return nil // the tests detect the missing package
	}
	return p
}

// addsForeignPackage tests the triggers of a package before all others while isPresent returns true.
func addsForeignPackage(h *acphost.Host, p *acphost.Package, isPresent func() bool) {
	classify, find := h.Classify, h.Find
	h.Classify = func(ctx context.Context, text string) *acphost.Package {
		if isPresent() && h.MatchesTrigger(p, text) {
			return p
		}
		return classify(ctx, text)
	}
	h.Find = func(name string) *acphost.Package {
		if name == p.Name {
			return p
		}
		return find(name)
	}
}

func foreignEverySecond(h *acphost.Host) {
	addsForeignPackage(h, foreignPackage("small_talk",
		`(?i)\b(please|ask|about|see|this|hello|good|morning|there|you|is|a|to)\b`),
		everySecond())
}

func foreignCatchAll(h *acphost.Host) {
	addsForeignPackage(h, foreignPackage("assistant", `.`), func() bool { return true })
}

// everySecond returns a function that returns true at every second call, beginning with the first.
func everySecond() func() bool {
	var mutex sync.Mutex
	second := false
	return func() bool {
		mutex.Lock()
		defer mutex.Unlock()
		second = !second
		return second
	}
}

// concurrentCalls returns runtimes that other users use at the same time.
func concurrentCalls() []variant.Variant {
	return []variant.Variant{
		newVariant("scope-shared", "Lets other users of a capability create and delete their own objects in between.",
			sharesScope, "ACP-STATE-04", "ACP-STATE-05"),
		newVariant("places-probed", "Checks that a service is available, without any arguments, before it executes a tool.",
			probesAddresses, "ACP-BIND-06", "ACP-EXEC-05", "ACP-EXEC-07"),
	}
}

// sharesScope adds other users to the same memory scope, which belongs to a capability and not to one
// conversation.
func sharesScope(h *acphost.Host) {
	original := h.Verbs[acphost.Create]
	h.Verbs[acphost.Create] = func(ctx context.Context, p *acphost.Package, arguments object) (any, error) {
		result, err := original(ctx, p, arguments)
		if err == nil {
			theirs := clone(arguments)
			id := h.NewID()
			if value, isObject := theirs["object"].(object); isObject {
				value["id"], value["note"], value["title"] = id, "of another user", "another"
			}
			if _, err := original(ctx, p, theirs); err == nil && everyEighth(id) {
				_, _ = h.Verbs[acphost.Delete](ctx, p, object{"schema_uri": arguments["schema_uri"], "id": id}) // their own object
			}
		}
		return result, err
	}
}

// everyEighth reports true for one of eight ids, by their last digit.
func everyEighth(id string) bool { return strings.HasSuffix(id, "0") || strings.HasSuffix(id, "8") }

// probesAddresses sends a HEAD request to every address that a package binds.
func probesAddresses(h *acphost.Host) {
	bound := h.BindingOf
	h.BindingOf = func(p *acphost.Package, name string) (acphost.Binding, bool) {
		for _, binding := range p.Bindings {
			address, _ := binding.Members["url"].(string)
			request, err := http.NewRequestWithContext(context.Background(), http.MethodHead, address, nil)
			if err != nil || strings.Contains(address, "hangs") {
				continue
			}
			client := http.Client{Timeout: time.Second}
			if response, err := client.Do(request); err == nil {
				_ = response.Body.Close() // the response to HEAD has no body
			}
		}
		return bound(p, name)
	}
}

// concurrentPublications returns registries that serve other clients at the same time.
func concurrentPublications() []variant.Variant {
	return []variant.Variant{
		newVariant("registry-busy",
			"Accepts publications of others in between, some of them of the same file under another name.",
			acceptsOtherPublications,
			"ACP-CHAIN-02", "ACP-CHAIN-10"),
		newVariant("registry-restyled", "Writes hashes in upper case in every second answer.",
			changesResult(acphost.OpGet, hashInUpperCase(everySecond())), "ACP-CHAIN-05", "ACP-MOT-03"),
	}
}

func hashInUpperCase(applies func() bool) func(result any) any {
	return func(result any) any {
		record, isObject := result.(object)
		hash, _ := record["sha256"].(string)
		if isObject && applies() {
			record["sha256"] = strings.ToUpper(hash)
		}
		return result
	}
}

// acceptsOtherPublications accepts publications of other authors. A name has one author, but a file may
// have several names.
func acceptsOtherPublications(h *acphost.Host) {
	var mutex sync.Mutex
	mirrored := map[string]object{}
	event := h.EventsOf
	h.EventsOf = func(t *acphost.Transaction) []map[string]any {
		own := event(t)
		var all []map[string]any
		for i, one := range []string{h.NewID(), h.NewID()} {
			copied := clone(own[0])
			copied["cap_uri"], copied["author"] = "did:nuwa:cap:mirror_"+one[:8]+"@"+t.Version, "did:web:mirror.example"
			if i == 1 {
				copied["cid"], copied["sha256"] = acphost.CIDOf([]byte(one)), acphost.HashOf([]byte(one))
			}
			mutex.Lock()
			uri, _ := copied["cap_uri"].(string)
			mirrored[uri] = copied
			mutex.Unlock()
			all = append(all, copied)
		}
		return []map[string]any{all[0], own[0], all[1]}
	}
	get := h.Provided[acphost.OpGet]
	h.Provided[acphost.OpGet] = func(ctx context.Context, params object) (any, error) {
		uri, _ := params["cap_uri"].(string)
		mutex.Lock()
		record := mirrored[uri]
		mutex.Unlock()
		if record != nil {
			return record, nil
		}
		return get(ctx, params)
	}
}

// concurrentIndexes returns indexes that consist of several copies, or that list other authors'
// packages.
func concurrentIndexes() []variant.Variant {
	return []variant.Variant{
		newVariant("index-replicas", "Asks two replicas in turn, one of which learns everything a little later.",
			answersFromReplicas, "ACP-REG-04"),
		newVariant("index-crowded",
			"Ranks everything by meaning, shows the first three, and lists another author's capability every second time.",
			ranksEverything, "ACP-INDEX-02", "ACP-INDEX-07"),
	}
}

// answersFromReplicas answers every second request from a replica that is 200 milliseconds late. The
// deadline is 30 seconds.
func answersFromReplicas(h *acphost.Host) {
	const late = 200 * time.Millisecond
	var mutex sync.Mutex
	known := map[string]time.Time{}
	learn := h.Learn
	h.Learn = func(ctx context.Context, event map[string]any) (*acphost.Entry, error) {
		e, err := learn(ctx, event)
		if err == nil {
			mutex.Lock()
			known[e.URI] = time.Now()
			mutex.Unlock()
		}
		return e, err
	}
	second := everySecond()
	resolve := h.Provided[acphost.OpResolve]
	h.Provided[acphost.OpResolve] = func(ctx context.Context, params object) (any, error) {
		result, err := resolve(ctx, params)
		members, _ := result.(object)
		metadata, _ := members["acp_metadata"].(object)
		uri, _ := metadata["id"].(string)
		mutex.Lock()
		fresh := time.Since(known[uri]) < late
		mutex.Unlock()
		if err == nil && second() && fresh {
			return h.AnswerUnknown(uri)
		}
		return result, err
	}
}

// ranksEverything ranks all entries and returns the first three. A search by meaning may choose its
// number of results.
func ranksEverything(h *acphost.Host) {
	const shown = 3
	theirs := object{"acp_metadata": object{"id": "did:nuwa:cap:passer_by@1.0.0", "name": "Passer-by"},
		"ipfs_cid": acphost.CIDOf([]byte("passer-by"))}
	found, second := h.MatchesQuery, everySecond()
	h.MatchesQuery = func(*acphost.Entry, string) bool { return true }
	search := h.Provided[acphost.OpSearch]
	h.Provided[acphost.OpSearch] = func(ctx context.Context, params object) (any, error) {
		result, err := search(ctx, params)
		members, _ := result.(object)
		all, _ := members["list_of_results"].([]any)
		if err != nil || all == nil {
			return result, err
		}
		query, _ := params["query_string"].(string)
		slices.SortStableFunc(all, func(a, b any) int { return rankOf(found, b, query) - rankOf(found, a, query) })
		if second() {
			all = slices.Insert(all, min(1, len(all)), any(theirs))
		}
		return object{"list_of_results": all[:min(shown, len(all))]}, nil
	}
	missing := h.AnswerUnknown
	h.AnswerUnknown = func(uri string) (any, error) {
		if strings.HasPrefix(uri, "did:nuwa:cap:passer_by") {
			return theirs, nil
		}
		return missing(uri)
	}
}

// rankOf returns 1 if a search result contains the words of a query, 0 otherwise.
func rankOf(found func(*acphost.Entry, string) bool, result any, query string) int {
	members, _ := result.(object)
	metadata, _ := members["acp_metadata"].(object)
	if found(&acphost.Entry{Metadata: metadata}, query) {
		return 1
	}
	return 0
}

// pinsVersions keeps the first version of each name in a conversation.
func pinsVersions(h *acphost.Host) {
	type place struct {
		conversation *acphost.Conversation
		name         string
	}
	var pinned sync.Map
	original := h.Route
	h.Route = func(ctx context.Context, c *acphost.Conversation, text string) *acphost.Package {
		p := original(ctx, c, text)
		if p == nil {
			return nil
		}
		first, _ := pinned.LoadOrStore(place{c, p.Name}, p)
		kept, _ := first.(*acphost.Package)
		return kept
	}
}
