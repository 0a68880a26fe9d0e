package acpmutant

import (
	"context"
	"encoding/base64"
	"strings"
	"sync"

	"github.com/capconform/capconform/reference/acphost"
	"github.com/capconform/capconform/reference/mutant"
	"github.com/capconform/capconform/reference/rpc"
)

// registryOccasions returns registries whose defect shows on few occasions.
func registryOccasions() []mutant.Mutant {
	return []mutant.Mutant{
		newMutant("owner-of-pre-release", "ACP-TERM-03", "Accepts another author for a pre-release of a name.",
			passesGate("name", func(t *acphost.Transaction) bool { return strings.Contains(t.Version, "-") })),
		newMutant("record-of-third-version", "ACP-CHAIN-04", "Stores no cid for the third version of a name.",
			fromThird),
		newMutant("stores-file-in-base64", "ACP-PUB-03", "Stores the file itself in base64.", func(h *acphost.Host) {
			whole := withFile(h, h.RecordOf)
			h.RecordOf = func(t *acphost.Transaction) map[string]any {
				record := whole(t)
				file, _ := record["file"].(string)
				record["file"] = base64.StdEncoding.EncodeToString([]byte(file))
				return record
			}
		}),
	}
}

// inLowerCase returns a change that writes a member in lower case.
func inLowerCase(member string) func(object) any {
	return func(members object) any {
		lower := clone(members)
		text, _ := lower[member].(string)
		lower[member] = strings.ToLower(text)
		return lower
	}
}

// fromThird removes the cid from the records of a name, from the third version on.
func fromThird(h *acphost.Host) {
	var mutex sync.Mutex
	versions := map[string]int{}
	original := h.RecordOf
	h.RecordOf = func(t *acphost.Transaction) map[string]any {
		mutex.Lock()
		defer mutex.Unlock()
		record := original(t)
		name, _, _ := strings.Cut(t.URI, "@")
		if versions[name]++; versions[name] > 2 {
			delete(record, "cid")
		}
		return record
	}
}

// indexOccasions returns indexes whose defect shows on few occasions.
func indexOccasions() []mutant.Mutant {
	return []mutant.Mutant{
		newMutant("unknown-version-near", "ACP-INDEX-06",
			"Resolves an unpublished version to one that differs only in the last number.", resolvesNear),
	}
}

// resolvesNear resolves an unknown version to one with another last number.
func resolvesNear(h *acphost.Host) {
	onCall(acphost.OpResolve, func(original rpc.Operation, ctx context.Context, params object) (any, error) {
		result, err := original(ctx, params)
		uri, _ := params["cap_uri"].(string)
		if err == nil || !strings.Contains(uri, "@") {
			return result, err
		}
		stem := uri[:strings.LastIndex(uri, ".")+1]
		for _, last := range []string{"0", "9", "10"} {
			if near, failed := original(ctx, object{"cap_uri": stem + last}); failed == nil {
				return near, nil
			}
		}
		return result, err
	})(h)
}

// publisherOccasions returns publishers whose defect shows on few occasions.
func publisherOccasions() []mutant.Mutant {
	return []mutant.Mutant{
		newMutant("submits-lower-case", "ACP-PUB-06", "Submits a version in lower case.", func(h *acphost.Host) {
			original := h.Submission
			h.Submission = func(p *acphost.Package, content []byte, cid string, by acphost.Author) map[string]any {
				lower, _ := inLowerCase("semver")(original(p, content, cid, by)).(object)
				return lower
			}
		}),
	}
}
