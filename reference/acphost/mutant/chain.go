package acpmutant

import (
	"context"
	"strings"
	"sync"

	"github.com/capconform/capconform/reference/acphost"
	"github.com/capconform/capconform/reference/mutant"
	"github.com/capconform/capconform/reference/rpc"
)

// The four values of a publication, and what a defect makes of them.
var values = []struct {
	member        string
	stored, event string // the requirements
	wrong         string // another value
}{
	{"cap_uri", "ACP-CHAIN-01", "ACP-CHAIN-06", "did:nuwa:cap:another@1.0.0"},
	{"semver", "ACP-CHAIN-03", "ACP-CHAIN-07", "0.0.1"},
	{"cid", "ACP-CHAIN-04", "ACP-CHAIN-08", "bafkreihdwdcefgh4dqkjv67uzcmw7ojee6xedzdetojuzjevtenxquvyku"},
	{"sha256", "ACP-CHAIN-05", "ACP-CHAIN-09", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
}

// chains break what a registry keeps and whom it takes it from.
func chains() []mutant.Mutant {
	broken := []mutant.Mutant{
		newMutant("name-taken", "ACP-TERM-03", "Takes a version of a name from another author.", ungate("name")),
		newMutant("nobody-publishes", "ACP-PUB-02", "Takes what nobody published.", func(h *acphost.Host) {
			regate(h, "author", func(t *acphost.Transaction) bool { return t.Author.DID == "" })
		}),
		newMutant("any-key-publishes", "ACP-PUB-02", "Believes whoever names an author.", func(h *acphost.Host) {
			regate(h, "author", func(t *acphost.Transaction) bool { return t.Author.DID != "" })
		}),
		newMutant("latest-of-author", "ACP-MOT-03", "Keeps one publication of an author, the last.", lastOfAuthor),
		newMutant("stores-file", "ACP-PUB-03", "Keeps the file itself.", func(h *acphost.Host) {
			h.Record = withFile(h, h.Record)
		}),
		newMutant("tells-file", "ACP-PUB-03", "Tells the file itself in the event.", func(h *acphost.Host) {
			sound := h.Event
			h.Event = func(t *acphost.Transaction) []map[string]any {
				events := sound(t)
				for i, event := range events {
					events[i] = withFile(h, func(*acphost.Transaction) map[string]any { return event })(t)
				}
				return events
			}
		}),
	}
	for _, v := range values {
		broken = append(broken,
			newMutant("record-without-"+mutant.Dashed(v.member), v.stored, "Does not keep "+v.member+".",
				records(mutant.Without(v.member))),
			newMutant("record-other-"+mutant.Dashed(v.member), v.stored, "Keeps another "+v.member+".",
				records(mutant.With(v.member, v.wrong))),
		)
	}
	return broken
}

// regate lets some transactions pass a gate.
func regate(h *acphost.Host, name string, exempt func(t *acphost.Transaction) bool) {
	gates := append([]acphost.Gate{}, h.Gates...)
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
	h.Gates = gates
}

// records changes what is kept.
func records(turn func(object) any) defect {
	return func(h *acphost.Host) {
		sound := h.Record
		h.Record = func(t *acphost.Transaction) map[string]any {
			record, _ := turn(sound(t)).(object)
			return record
		}
	}
}

func withFile(h *acphost.Host,
	sound func(t *acphost.Transaction) map[string]any) func(t *acphost.Transaction) map[string]any {
	return func(t *acphost.Transaction) map[string]any {
		record := sound(t)
		content, err := h.Fetch(context.Background(), t.CID)
		if err == nil {
			record["file"] = string(content)
		}
		return record
	}
}

func lastOfAuthor(h *acphost.Host) {
	var mutex sync.Mutex
	last, authors := map[string]object{}, map[string]string{}
	sound := h.Record
	h.Record = func(t *acphost.Transaction) map[string]any {
		mutex.Lock()
		defer mutex.Unlock()
		record := sound(t)
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

// eventDefects break what a registry tells.
func eventDefects() []mutant.Mutant {
	broken := []mutant.Mutant{
		newMutant("event-missing", "ACP-CHAIN-02", "Tells of nothing that is published.", func(h *acphost.Host) {
			h.Event = func(*acphost.Transaction) []map[string]any { return nil }
		}),
		newMutant("event-twice", "ACP-CHAIN-02", "Tells of everything twice.", func(h *acphost.Host) {
			sound := h.Event
			h.Event = func(t *acphost.Transaction) []map[string]any { return append(sound(t), sound(t)...) }
		}),
		newMutant("event-of-refused", "ACP-CHAIN-10", "Tells of what it refused.",
			func(h *acphost.Host) { h.Refused = h.Event }),
	}
	for _, v := range values {
		broken = append(broken,
			newMutant("event-without-"+mutant.Dashed(v.member), v.event, "Leaves "+v.member+" out of events.",
				events(mutant.Without(v.member))),
			newMutant("event-other-"+mutant.Dashed(v.member), v.event, "Gives another "+v.member+" in events.",
				events(mutant.With(v.member, v.wrong))),
		)
	}
	return broken
}

// events changes what is told.
func events(turn func(object) any) defect {
	return func(h *acphost.Host) {
		sound := h.Event
		h.Event = func(t *acphost.Transaction) []map[string]any {
			told := sound(t)
			for i := range told {
				told[i], _ = turn(told[i]).(object)
			}
			return told
		}
	}
}

// sequels are registries that fail behind the first version.
func sequels() []mutant.Mutant {
	later := func(t *acphost.Transaction) bool { return !strings.HasSuffix(t.URI, "@1.0.0") }
	return []mutant.Mutant{
		newMutant("event-of-first-alone", "ACP-CHAIN-02", "Tells of the first version of a name alone.",
			func(h *acphost.Host) {
				sound := h.Event
				h.Event = func(t *acphost.Transaction) []map[string]any {
					if later(t) {
						return nil
					}
					return sound(t)
				}
			}),
		newMutant("event-first-version", "ACP-CHAIN-07", "Gives the first version in every event of a name.",
			func(h *acphost.Host) {
				sound := h.Event
				h.Event = func(t *acphost.Transaction) []map[string]any {
					told := sound(t)
					for i := range told {
						told[i]["semver"] = "1.0.0"
					}
					return told
				}
			}),
	}
}
