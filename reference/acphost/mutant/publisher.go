package acpmutant

import (
	"context"
	"strings"
	"sync"

	"github.com/capconform/capconform/reference/acphost"
	"github.com/capconform/capconform/reference/mutant"
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
