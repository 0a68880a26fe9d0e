package acphost_test

import (
	"crypto/ed25519"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/mr-tron/base58"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/reference/acphost"
)

// signer returns an author in the form of an operation's parameter.
func signer(seed string) map[string]any {
	key := ed25519.NewKeyFromSeed([]byte(strings.Repeat(seed, 32)))
	did := acphost.DIDOf(key.Public().(ed25519.PublicKey))
	return map[string]any{"did": did, "key_id": did + "#key", "private_key": "z" + base58.Encode(key.Seed())}
}

// version returns the values that are submitted for a version of a name.
func version(name, semver string, author map[string]any) map[string]any {
	file := []byte(name + semver)
	params := map[string]any{"cap_uri": "did:nuwa:cap:" + name + "@" + semver, "semver": semver,
		"cid": acphost.CIDOf(file), "sha256": hash(file)}
	if author != nil {
		params["author"] = author
	}
	return params
}

func TestRegistryAcceptsSignedPublications(t *testing.T) {
	w := newWorld(t)
	alice, bob := signer("a"), signer("b")
	mixed := map[string]any{"did": alice["did"], "key_id": alice["key_id"], "private_key": bob["private_key"]}
	with := func(params map[string]any, name string, value any) map[string]any {
		params[name] = value
		return params
	}
	for _, step := range []struct {
		name   string
		params map[string]any
		taken  bool
	}{
		{"first", version("note", "1.0.0", alice), true},
		{"again", version("note", "1.0.0", alice), false},
		{"another author", version("note", "1.0.1", bob), false},
		{"the key of another", version("note", "1.0.2", mixed), false},
		{"nobody", version("note", "1.0.3", nil), false},
		{"second", version("note", "1.1.0", alice), true},
		{"another name", version("bank", "1.0.0", bob), true},
		{"not a capability URI", with(version("x", "1.0.0", alice), "cap_uri", "did:nuwa:cap:x@1"), false},
		{"another version", with(version("x", "1.0.0", alice), "semver", "1.0.1"), false},
		{"no hash", with(version("x", "1.0.0", alice), "sha256", "abc"), false},
		{"another hash", with(version("x", "1.0.0", alice), "sha256", hash([]byte("another"))), false},
		{"no CID", with(version("x", "1.0.0", alice), "cid", ""), false},
	} {
		if _, err := w.ask("acp.publish", step.params); (err == nil) != step.taken {
			t.Errorf("%s: %v, want accepted %v", step.name, err, step.taken)
		}
	}
	events, err := w.ask("acp.events", map[string]any{"since": 1})
	require.NoError(t, err)
	var result []string
	for _, e := range events["events"].([]any) {
		event := e.(map[string]any)
		result = append(result, fmt.Sprintln(event["position"], event["cap_uri"], event["semver"], event["cid"] != nil,
			len(event["sha256"].(string))))
	}
	if diff := cmp.Diff([]string{"2 did:nuwa:cap:note@1.1.0 1.1.0 true 64\n", "3 did:nuwa:cap:bank@1.0.0 1.0.0 true 64\n"},
		result); diff != "" {
		t.Errorf("events (-want +got)\n%s", diff)
	}
	record, err := w.ask("acp.get", map[string]any{"cap_uri": "did:nuwa:cap:note@1.1.0"})
	require.NoError(t, err)
	want := version("note", "1.1.0", nil)
	want["author"] = alice["did"]
	if diff := cmp.Diff(want, record); diff != "" {
		t.Errorf("record (-want +got)\n%s", diff)
	}
	for _, uri := range []string{"did:nuwa:cap:note", "did:nuwa:cap:x@1.0.0", ""} {
		if _, err := w.ask("acp.get", map[string]any{"cap_uri": uri}); err == nil {
			t.Errorf("%q is in the registry", uri)
		}
	}
}

func TestPublisherSignsStoresAndSubmits(t *testing.T) {
	w := newWorld(t)
	result, err := w.ask("acp.author", map[string]any{"file": string(w.pack("note", "1.0.0", nil)),
		"author": signer("\x07")})
	require.NoError(t, err)
	stored := w.files[result["cid"].(string)]
	record := w.records["did:nuwa:cap:note@1.0.0"]
	want := map[string]any{"cap_uri": "did:nuwa:cap:note@1.0.0", "semver": "1.0.0", "cid": acphost.CIDOf(stored),
		"sha256": hash(stored), "author": record["author"]}
	if diff := cmp.Diff(want, record); diff != "" {
		t.Errorf("submitted (-want +got)\n%s", diff)
	}
	w.records["did:nuwa:cap:note@1.0.0"] = map[string]any{"author": w.did}
	if _, err := w.ask("acp.install", map[string]any{"cid": result["cid"]}); err != nil {
		t.Errorf("the published package was refused: %v", err)
	}
	if _, err := w.ask("acp.author", map[string]any{"file": string(w.pack("own", "1.0.0", nil))}); err != nil {
		t.Errorf("as itself: %v", err)
	}
	alice, bob := signer("a"), signer("b")
	alice["private_key"] = bob["private_key"]
	for name, params := range map[string]map[string]any{
		"no file": {}, "invalid": {"file": "metadata: {id: x}"},
		"the key of another author": {"file": string(w.pack("stolen", "1.0.0", nil)), "author": alice},
		"no key":                    {"file": string(w.pack("stolen", "1.0.0", nil)), "author": map[string]any{"did": bob["did"]}},
	} {
		if _, err := w.ask("acp.author", params); err == nil {
			t.Errorf("%s: the package was published", name)
		}
	}
}

func TestIndexFollowsRegistry(t *testing.T) {
	w := newWorld(t)
	publish := func(name, semver, file string) {
		cid := w.put([]byte(file))
		w.events = append(w.events, map[string]any{"cap_uri": "did:nuwa:cap:" + name + "@" + semver, "semver": semver, "cid": cid, "sha256": hash([]byte(file))})
	}
	ids := func(query map[string]any) []string {
		found, err := w.ask("search_capabilities", query)
		require.NoError(t, err)
		uris := []string{}
		for _, e := range found["list_of_results"].([]any) {
			uris = append(uris, e.(map[string]any)["acp_metadata"].(map[string]any)["id"].(string))
		}
		slices.Sort(uris)
		return uris
	}
	for _, semver := range []string{"1.10.0", "1.9.0"} {
		publish("note", semver, string(w.pack("note", semver, nil)))
	}
	publish("bank", "1.0.0", string(w.pack("bank", "1.0.0", nil)))
	publish("false", "1.0.0", string(w.pack("other", "1.0.0", nil)))
	late := string(w.pack("late", "1.0.0", nil))
	publish("late", "1.0.0", late)
	delete(w.files, acphost.CIDOf([]byte(late)))
	for uri, want := range map[string]string{
		"did:nuwa:cap:note": "did:nuwa:cap:note@1.10.0", "did:nuwa:cap:note@1.9.0": "did:nuwa:cap:note@1.9.0", "did:nuwa:cap:bank": "did:nuwa:cap:bank@1.0.0",
	} {
		resolved, err := w.ask("resolve_capability", map[string]any{"cap_uri": uri})
		require.NoError(t, err)
		if got := resolved["acp_metadata"].(map[string]any)["id"]; got != want || resolved["ipfs_cid"] == "" {
			t.Errorf("%s resolves to %v, want %s", uri, got, want)
		}
	}
	for _, uri := range []string{"did:nuwa:cap:nobody", "note", "did:nuwa:cap:note@2.0.0", "did:nuwa:cap:false@1.0.0", "did:nuwa:cap:late@1.0.0", ""} {
		if got, err := w.ask("resolve_capability", map[string]any{"cap_uri": uri}); err == nil {
			t.Errorf("%q resolves to %v", uri, got)
		}
	}
	w.put([]byte(late))
	if _, err := w.ask("resolve_capability", map[string]any{"cap_uri": "did:nuwa:cap:late@1.0.0"}); err != nil {
		t.Errorf("a late publication: %v", err)
	}
	for _, test := range []struct {
		query map[string]any
		want  []string
	}{
		{map[string]any{"query_string": "BANK"}, []string{"did:nuwa:cap:bank@1.0.0"}},
		{map[string]any{"query_string": "note", "filters": map[string]any{}}, []string{"did:nuwa:cap:note@1.10.0", "did:nuwa:cap:note@1.9.0"}},
		{map[string]any{"query_string": "note", "filters": map[string]any{"id": "did:nuwa:cap:note@1.9.0"}}, []string{"did:nuwa:cap:note@1.9.0"}},
		{map[string]any{"query_string": "elephant"}, []string{}},
	} {
		if diff := cmp.Diff(test.want, ids(test.query)); diff != "" {
			t.Errorf("%v (-want +got)\n%s", test.query, diff)
		}
	}
}
