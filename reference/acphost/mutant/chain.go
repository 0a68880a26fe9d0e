package acpmutant

import (
	"context"
	"strings"
	"sync"

	"github.com/capconform/capconform/reference/acphost"
	"github.com/capconform/capconform/reference/mutant"
	"github.com/capconform/capconform/reference/rpc"
)

// values lists the four values of a publication, with their requirements and a wrong value.
var values = []struct {
	member        string
	stored, event string // the requirements on the stored record and on the event
	wrong         string // a wrong value
}{
	{"cap_uri", "ACP-CHAIN-01", "ACP-CHAIN-06", "did:nuwa:cap:another@1.0.0"},
	{"semver", "ACP-CHAIN-03", "ACP-CHAIN-07", "0.0.1"},
	{"cid", "ACP-CHAIN-04", "ACP-CHAIN-08", "bafkreihdwdcefgh4dqkjv67uzcmw7ojee6xedzdetojuzjevtenxquvyku"},
	{"sha256", "ACP-CHAIN-05", "ACP-CHAIN-09", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
}

// chains returns registries that store something else or accept publications from any author.
func chains() []mutant.Mutant {
	broken := []mutant.Mutant{
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
	}
	for _, v := range values {
		broken = append(broken,
			newMutant("record-without-"+mutant.Dashed(v.member), v.stored, "Does not store "+v.member+".",
				changesRecord(mutant.Without(v.member))),
			newMutant("record-other-"+mutant.Dashed(v.member), v.stored, "Stores another "+v.member+".",
				changesRecord(mutant.With(v.member, v.wrong))),
		)
	}
	return broken
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

// changesRecord changes the stored record.
func changesRecord(change func(object) any) defect {
	return func(h *acphost.Host) {
		original := h.RecordOf
		h.RecordOf = func(t *acphost.Transaction) map[string]any {
			record, _ := change(original(t)).(object)
			return record
		}
	}
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

// eventDefects returns registries with wrong events.
func eventDefects() []mutant.Mutant {
	broken := []mutant.Mutant{
		newMutant("event-missing", "ACP-CHAIN-02", "Emits no events.", func(h *acphost.Host) {
			h.EventsOf = func(*acphost.Transaction) []map[string]any { return nil }
		}),
		newMutant("event-twice", "ACP-CHAIN-02", "Emits every event twice.", func(h *acphost.Host) {
			original := h.EventsOf
			h.EventsOf = func(t *acphost.Transaction) []map[string]any { return append(original(t), original(t)...) }
		}),
		newMutant("event-of-refused", "ACP-CHAIN-10", "Emits an event for a refused publication.",
			func(h *acphost.Host) { h.RefusalEvents = h.EventsOf }),
	}
	for _, v := range values {
		broken = append(broken,
			newMutant("event-without-"+mutant.Dashed(v.member), v.event, "Omits "+v.member+" from events.",
				changesEvents(mutant.Without(v.member))),
			newMutant("event-other-"+mutant.Dashed(v.member), v.event, "Puts another "+v.member+" into events.",
				changesEvents(mutant.With(v.member, v.wrong))),
		)
	}
	return broken
}

// changesEvents changes the events.
func changesEvents(change func(object) any) defect {
	return func(h *acphost.Host) {
		original := h.EventsOf
		h.EventsOf = func(t *acphost.Transaction) []map[string]any {
			result := original(t)
			for i := range result {
				result[i], _ = change(result[i]).(object)
			}
			return result
		}
	}
}

// laterVersions returns registries that fail after the first version.
func laterVersions() []mutant.Mutant {
	later := func(t *acphost.Transaction) bool { return !strings.HasSuffix(t.URI, "@1.0.0") }
	return []mutant.Mutant{
		newMutant("event-of-first-alone", "ACP-CHAIN-02", "Emits an event only for the first version of a name.",
			func(h *acphost.Host) {
				original := h.EventsOf
				h.EventsOf = func(t *acphost.Transaction) []map[string]any {
					if later(t) {
						return nil
					}
					return original(t)
				}
			}),
		newMutant("event-first-version", "ACP-CHAIN-07", "Puts the first version into every event of a name.",
			func(h *acphost.Host) {
				original := h.EventsOf
				h.EventsOf = func(t *acphost.Transaction) []map[string]any {
					result := original(t)
					for i := range result {
						result[i]["semver"] = "1.0.0"
					}
					return result
				}
			}),
	}
}
