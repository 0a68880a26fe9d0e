package acpmutant

import (
	"context"
	"sync"

	"github.com/capconform/capconform/reference/acphost"
	"github.com/capconform/capconform/reference/mutant"
	"github.com/capconform/capconform/reference/rpc"
)

// chains returns registries that store something else or accept publications from any author.
func chains() []mutant.Mutant {
	return []mutant.Mutant{
		newMutant("name-taken", "ACP-TERM-03", "Accepts a version of a name from another author.", removesCheck("name")),
		newMutant("nobody-publishes", "ACP-PUB-02", "Accepts a publication without an author.", func(h *acphost.Host) {
			exemptsFromCheck(h, "author", func(t *acphost.Transaction) bool { return t.Author.DID == "" })
		}),
		newMutant("any-key-publishes", "ACP-PUB-02", "Accepts a named author without proof.", func(h *acphost.Host) {
			exemptsFromCheck(h, "author", func(t *acphost.Transaction) bool { return t.Author.DID != "" })
		}),
		newMutant("latest-of-author", "ACP-MOT-03", "Keeps only the last publication of an author.", keepsLastOfAuthor),
		newMutant("stores-file", "ACP-PUB-03", "Stores the file itself.", func(h *acphost.Host) {
			h.RecordOf = withFile(h, h.RecordOf)
		}),
		newMutant("tells-file", "ACP-PUB-03", "Puts the file itself into the event.", func(h *acphost.Host) {
			original := h.EventsOf
			h.EventsOf = func(t *acphost.Transaction) []map[string]any {
				events := original(t)
				for i, event := range events {
					events[i] = withFile(h, func(*acphost.Transaction) map[string]any { return event })(t)
				}
				return events
			}
		}),
		newMutant("event-of-refused", "ACP-CHAIN-10", "Emits an event for a refused publication.",
			func(h *acphost.Host) { h.RefusalEvents = h.EventsOf }),
	}
}

// exemptsFromCheck makes a check of the registry accept some transactions.
func exemptsFromCheck(h *acphost.Host, name string, exempt func(t *acphost.Transaction) bool) {
	gates := append([]acphost.TransactionCheck{}, h.Checks...)
	for i, gate := range gates {
		if gate.Name != name {
			continue
		}
		gates[i].Check = func(ctx context.Context, t *acphost.Transaction) error {
			if exempt(t) {
				return nil
			}
			return gate.Check(ctx, t)
		}
	}
	h.Checks = gates
}

func withFile(h *acphost.Host,
	original func(t *acphost.Transaction) map[string]any) func(t *acphost.Transaction) map[string]any {
	return func(t *acphost.Transaction) map[string]any {
		record := original(t)
		content, err := h.Fetch(context.Background(), t.CID)
		if err == nil {
			record["file"] = string(content)
		}
		return record
	}
}

func keepsLastOfAuthor(h *acphost.Host) {
	var mutex sync.Mutex
	last, authors := map[string]object{}, map[string]string{}
	original := h.RecordOf
	h.RecordOf = func(t *acphost.Transaction) map[string]any {
		mutex.Lock()
		defer mutex.Unlock()
		record := original(t)
		last[t.Author.DID], authors[t.URI] = record, t.Author.DID
		return record
	}
	onCall(acphost.OpGet, func(get rpc.Operation, ctx context.Context, params object) (any, error) {
		result, err := get(ctx, params)
		mutex.Lock()
		defer mutex.Unlock()
		uri, _ := params["cap_uri"].(string)
		if latest := last[authors[uri]]; err == nil && latest != nil {
			return latest, nil
		}
		return result, err
	})(h)
}
