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

// publishers returns publishers that store or submit wrongly.
func publishers() []mutant.Mutant {
	submits := func(change func(object) any) defect {
		return func(h *acphost.Host) {
			original := h.Submission
			h.Submission = func(p *acphost.Package, content []byte, cid string, by acphost.Author) map[string]any {
				submission, _ := change(original(p, content, cid, by)).(object)
				return submission
			}
		}
	}
	return []mutant.Mutant{
		newMutant("file-not-stored", "ACP-PUB-01", "Submits a file without storing it.", func(h *acphost.Host) {
			h.Upload = func(_ context.Context, content []byte) (string, error) { return acphost.CIDOf(content), nil }
		}),
		newMutant("file-rewritten", "ACP-PUB-01", "Stores a file with another prompt.", func(h *acphost.Host) {
			original := h.Sign
			h.Sign = func(text []byte, by acphost.Author) ([]byte, error) { return original(addLineToPrompt(text), by) }
		}),
		newMutant("submits-other-uri", "ACP-PUB-05", "Submits the capability URI of another package.",
			submits(mutant.With("cap_uri", "did:nuwa:cap:another@1.0.0"))),
		newMutant("submits-other-version", "ACP-PUB-06", "Submits a version with a leading v.", func(h *acphost.Host) {
			original := h.Submission
			h.Submission = func(p *acphost.Package, content []byte, cid string, by acphost.Author) map[string]any {
				submission := original(p, content, cid, by)
				submission["semver"] = "1.0"
				return submission
			}
		}),
		newMutant("submits-unsigned-cid", "ACP-PUB-07", "Submits the CID of the file before it was signed.",
			unsignedValue("cid", acphost.CIDOf)),
		newMutant("submits-unsigned-hash", "ACP-PUB-08", "Submits the hash of the file before it was signed.",
			unsignedValue("sha256", acphost.HashOf)),
		newMutant("submits-without-hash", "ACP-PUB-08", "Submits no hash.", submits(mutant.Without("sha256"))),
		newMutant("publishes-unsigned", "ACP-PUB-09", "Publishes a package without a signature.", func(h *acphost.Host) {
			h.Sign = func(text []byte, _ acphost.Author) ([]byte, error) { return text, nil }
		}),
		newMutant("signs-by-another-key", "ACP-PUB-09", "Signs with a key that is not the author's.", func(h *acphost.Host) {
			original, other := h.Sign, acphost.NewAuthor()
			h.Sign = func(text []byte, _ acphost.Author) ([]byte, error) { return original(text, other) }
		}),
		newMutant("changed-after-signing", "ACP-PUB-09", "Adds a line to a file after signing.", func(h *acphost.Host) {
			original := h.Sign
			h.Sign = func(text []byte, by acphost.Author) ([]byte, error) {
				signed, err := original(text, by)
				return addLineToPrompt(signed), err
			}
		}).AlsoBreaks("ACP-PUB-01", "the stored file is not the given one"),
	}
}

// addLineToPrompt adds a line to a prompt.
func addLineToPrompt(text []byte) []byte {
	return []byte(strings.Replace(string(text), "prompt: |\n", "prompt: |\n  Be brief.\n", 1))
}

// unsignedValue submits a value that is computed from the file before signing.
func unsignedValue(member string, of func([]byte) string) defect {
	return func(h *acphost.Host) {
		original := h.Submission
		h.Submission = func(p *acphost.Package, content []byte, cid string, by acphost.Author) map[string]any {
			submission := original(p, content, cid, by)
			submission[member] = of(p.Text)
			return submission
		}
	}
}

// authorDefects returns publishers that handle only plain words and versions.
func authorDefects() []mutant.Mutant {
	return []mutant.Mutant{
		newMutant("submits-release", "ACP-PUB-06", "Submits a version without its pre-release and build.",
			func(h *acphost.Host) {
				original := h.Submission
				h.Submission = func(p *acphost.Package, content []byte, cid string, by acphost.Author) map[string]any {
					submission := original(p, content, cid, by)
					submission["semver"] = threeNumbers(p.Version.Original())
					return submission
				}
			}),
		newMutant("stores-ascii", "ACP-PUB-01", "Stores a package without its non-ASCII characters.", func(h *acphost.Host) {
			original := h.Sign
			h.Sign = func(text []byte, by acphost.Author) ([]byte, error) {
				return original([]byte(strings.Map(func(r rune) rune {
					if r > 0x7f {
						return '?'
					}
					return r
				}, string(text))), by)
			}
		}),
	}
}

// laterIssues returns publishers that fail for later authors and later versions of a name.
func laterIssues() []mutant.Mutant {
	remembered := func(member string) defect {
		return func(h *acphost.Host) {
			var mutex sync.Mutex
			first := map[string]any{}
			original := h.Submission
			h.Submission = func(p *acphost.Package, content []byte, cid string, by acphost.Author) map[string]any {
				mutex.Lock()
				defer mutex.Unlock()
				submission := original(p, content, cid, by)
				if first[p.Name] == nil {
					first[p.Name] = submission[member]
				}
				submission[member] = first[p.Name]
				return submission
			}
		}
	}
	return []mutant.Mutant{
		newMutant("submits-first-cid", "ACP-PUB-07", "Submits the CID of the first version of a name for every version.",
			remembered("cid")),
		newMutant("submits-first-hash", "ACP-PUB-08", "Submits the hash of the first version of a name for every version.",
			remembered("sha256")),
		newMutant("signs-by-first-author", "ACP-PUB-09", "Always signs with the key of the first author.",
			func(h *acphost.Host) {
				var mutex sync.Mutex
				first := acphost.Author{}
				original := h.Sign
				h.Sign = func(text []byte, by acphost.Author) ([]byte, error) {
					mutex.Lock()
					defer mutex.Unlock()
					if first.DID == "" {
						first = by
					}
					return original(text, first)
				}
			}),
	}
}

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
