package environment_test

import (
	"bytes"
	"encoding/json"
	"io"
	"mime/multipart"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/capconform/capconform/suites/acp/content"
	"github.com/capconform/capconform/suites/acp/environment"
)

// After a request that was too large, net/http keeps the connection open for half a second, so that the client can
// read the reply.
func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m, goleak.IgnoreAnyFunction("net/http.(*conn).closeWriteAndWait"))
}

// open returns a run and a client, which are closed when the test ends.
func open(t *testing.T) (*environment.Run, *http.Client) {
	t.Helper()
	run, err := new(environment.Environment).Open()
	require.NoError(t, err)
	client := &http.Client{Transport: &http.Transport{}, Timeout: 10 * time.Second}
	t.Cleanup(func() {
		client.CloseIdleConnections()
		require.NoError(t, run.Close())
	})
	return run, client
}

// got is the status and the body of an answer.
type got struct {
	Status int
	Body   string
}

func ask(t *testing.T, client *http.Client, method, url, kind, body string) (got, error) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	require.NoError(t, err)
	request.Header.Set("Content-Type", kind)
	response, err := client.Do(request)
	if err != nil {
		return got{}, err
	}
	defer response.Body.Close()
	raw, err := io.ReadAll(response.Body)
	return got{response.StatusCode, string(raw)}, err
}

func get(t *testing.T, client *http.Client, url string) got {
	t.Helper()
	answer, err := ask(t, client, http.MethodGet, url, "", "")
	require.NoError(t, err)
	return answer
}

func post(t *testing.T, client *http.Client, url string, body any) got {
	t.Helper()
	raw, err := json.Marshal(body)
	require.NoError(t, err)
	answer, err := ask(t, client, http.MethodPost, url, "application/json", string(raw))
	require.NoError(t, err)
	return answer
}

// parsed decodes a body that is an object.
func parsed(t *testing.T, answer got) map[string]any {
	t.Helper()
	var members map[string]any
	require.NoError(t, json.Unmarshal([]byte(answer.Body), &members), answer.Body)
	return members
}

func TestGatewayServesContent(t *testing.T) {
	run, client := open(t)
	at := run.Configuration().Gateway + "/ipfs/"
	id := run.Gateway.Serve([]byte("content"))
	spoilt := content.CID([]byte("other"))
	run.Gateway.ServeAs(spoilt, []byte("spoilt"))
	unknown := content.CID([]byte("nobody's"))

	for name, want := range map[string]got{
		id: {200, "content"}, spoilt: {200, "spoilt"}, unknown: {404, "no content of that CID\n"},
		"f01551220" + content.SHA256([]byte("content")): {200, "content"}, // the same CID in base16
	} {
		if diff := cmp.Diff(want, get(t, client, at+name)); diff != "" {
			t.Errorf("%s (-want +got)\n%s", name, diff)
		}
	}
	run.Gateway.Drop(id)
	if answer, err := ask(t, client, http.MethodGet, at+id, "", ""); err == nil {
		t.Errorf("a gateway that was stopped answered %v", answer)
	}
	for name, want := range map[string]bool{
		unknown: true, "f01551220" + content.SHA256([]byte("content")): true, content.CID([]byte("never")): false,
	} {
		if run.Gateway.Fetched(name) != want {
			t.Errorf("%s was fetched: %v, want %v", name, !want, want)
		}
	}
}

func TestGatewayStores(t *testing.T) {
	run, client := open(t)
	var form bytes.Buffer
	writer := multipart.NewWriter(&form)
	file, err := writer.CreateFormFile("file", "note.acp.yaml")
	require.NoError(t, err)
	_, _ = file.Write([]byte("stored"))
	require.NoError(t, writer.Close())

	answer, err := ask(
		t,
		client,
		http.MethodPost,
		run.Configuration().Gateway+"/api/v0/add?cid-version=1",
		writer.FormDataContentType(),
		form.String(),
	)
	require.NoError(t, err)
	id := content.CID([]byte("stored"))
	want := map[string]any{"Name": "note.acp.yaml", "Hash": id, "Size": "6"}
	if diff := cmp.Diff(want, parsed(t, answer)); diff != "" {
		t.Errorf("answer (-want +got)\n%s", diff)
	}
	if diff := cmp.Diff("stored", string(run.Gateway.Stored(id))); diff != "" {
		t.Errorf("stored (-want +got)\n%s", diff)
	}
}

// TestCID compares with the well-known CID of zero bytes.
func TestCID(t *testing.T) {
	if diff := cmp.Diff("bafkreihdwdcefgh4dqkjv67uzcmw7ojee6xedzdetojuzjevtenxquvyku", content.CID(nil)); diff != "" {
		t.Errorf("CID of no bytes (-want +got)\n%s", diff)
	}
}

func TestFits(t *testing.T) {
	hello := []byte("hello world\n")
	const block = "QmT78zSuBmuS4z925WZfrqQ1qHaJ56DQaTfyMUF7F8ff5o" // the CID that IPFS returns for this file
	for _, test := range []struct {
		name, cid   string
		fits, known bool
	}{
		{"raw", content.CID(hello), true, true}, {"raw of other bytes", content.CID(nil), false, true},
		{"a block", block, true, true}, {"a block of other bytes", "QmbFMke1KXqnYyBBWxB74N4c5SBnJMVAiMNRcGu6x1AwQH", false, true},
		{"no CID", "hello", false, true},
		{"BLAKE3", "bafkr4ihgpdlssq2xjlpfcsl5nkmqjpqddlqq5tqjc2pjiwmmfi25ll2ppi", false, false},
	} {
		fits, known := content.Matches(test.cid, hello)
		if fits != test.fits || known != test.known {
			t.Errorf("%s: fits %v, known %v", test.name, fits, known)
		}
	}
	run, client := open(t)
	run.Gateway.Serve(hello)
	if diff := cmp.Diff(got{200, string(hello)}, get(t, client, run.Configuration().Gateway+"/ipfs/"+block)); diff != "" {
		t.Errorf("by its block (-want +got)\n%s", diff)
	}
}

func TestResolver(t *testing.T) {
	run, client := open(t)
	author, err := environment.NewAuthor()
	require.NoError(t, err)
	at := run.Configuration().Resolver + "/1.0/identifiers/"
	run.Resolver.SetDocument(author.DID, author.Document(map[string]any{"expires": "2020-01-01T00:00:00Z"}))

	answer := get(t, client, at+author.DID)
	method := parsed(t, answer)["didDocument"].(map[string]any)["verificationMethod"].([]any)[0].(map[string]any)
	want := map[string]any{
		"id": author.KeyID, "type": "Ed25519VerificationKey2020", "controller": author.DID,
		"publicKeyMultibase": strings.TrimPrefix(author.DID, "did:key:"), "expires": "2020-01-01T00:00:00Z",
	}
	if diff := cmp.Diff(want, method); diff != "" || answer.Status != http.StatusOK {
		t.Errorf("status %d, method (-want +got)\n%s", answer.Status, diff)
	}
	escaped := strings.ReplaceAll(author.DID, ":", "%3A")
	for did, want := range map[string]int{escaped: http.StatusOK, escaped + "x": http.StatusNotFound} {
		if answer := get(t, client, at+did); answer.Status != want {
			t.Errorf("%s: want status %d, got %v", did, want, answer)
		}
	}
}

func TestChain(t *testing.T) {
	run, client := open(t)
	rpc := run.Configuration().Registry + "/rpc"
	ask := func(method string, params map[string]any) map[string]any {
		return parsed(t, post(t, client, rpc, map[string]any{"jsonrpc": "2.0", "id": 7, "method": method, "params": params}))
	}
	run.Chain.Publish(
		environment.Registration{
			CapURI: "did:nuwa:cap:a@1.0.0",
			Semver: "1.0.0",
			CID:    "ca",
			SHA256: "da",
			Author: "did:key:zA",
		},
	)
	b := map[string]any{"cap_uri": "did:nuwa:cap:b@2.0.0", "semver": "2.0.0", "cid": "cb", "sha256": "db"}
	sent := map[string]any{"author": map[string]any{"did": "did:key:zB", "private_key": "z1"}, "more": 1}
	for name, value := range b {
		sent[name] = value
	}
	for _, test := range []struct {
		name, method string
		params       map[string]any
		want         map[string]any
	}{
		{"publish", "acp.publish", sent, map[string]any{"result": map[string]any{}}},
		{"publish nothing", "acp.publish", map[string]any{}, map[string]any{"error": map[string]any{"code": -32602.0, "message": "cap_uri or cid is missing"}}},
		{"get", "acp.get", map[string]any{"cap_uri": b["cap_uri"]}, map[string]any{"result": map[string]any{
			"cap_uri": b["cap_uri"], "semver": "2.0.0", "cid": "cb", "sha256": "db", "author": "did:key:zB",
		}}},
		{"get unknown", "acp.get", map[string]any{"cap_uri": "did:nuwa:cap:c@1.0.0"}, map[string]any{"error": map[string]any{
			"code": -32000.0, "message": "nothing is registered as did:nuwa:cap:c@1.0.0", "data": map[string]any{"code": "NOT_FOUND"},
		}}},
		{"events", "acp.events", map[string]any{"since": 1}, map[string]any{"result": map[string]any{"events": []any{map[string]any{
			"position": 2.0, "cap_uri": b["cap_uri"], "semver": "2.0.0", "cid": "cb", "sha256": "db", "author": "did:key:zB",
		}}}}},
		{"events after the last", "acp.events", map[string]any{"since": 9}, map[string]any{"result": map[string]any{"events": []any{}}}},
		{"unknown", "acp.vote", nil, map[string]any{"error": map[string]any{"code": -32601.0, "message": "no such method: acp.vote"}}},
	} {
		test.want["jsonrpc"], test.want["id"] = "2.0", 7.0
		if diff := cmp.Diff(test.want, ask(test.method, test.params)); diff != "" {
			t.Errorf("%s (-want +got)\n%s", test.name, diff)
		}
	}
}

func TestPublishMakesInstallable(t *testing.T) {
	run, client := open(t)
	author, err := environment.NewAuthor()
	require.NoError(t, err)
	id := run.Publish("did:nuwa:cap:note@1.10.0", []byte("a package"), author)
	if diff := cmp.Diff(got{200, "a package"}, get(t, client, run.Configuration().Gateway+"/ipfs/"+id)); diff != "" {
		t.Errorf("gateway (-want +got)\n%s", diff)
	}
	found := parsed(t, post(t, client, run.Configuration().Registry+"/rpc", map[string]any{
		"jsonrpc": "2.0", "id": 1, "method": "acp.get", "params": map[string]any{"cap_uri": "did:nuwa:cap:note@1.10.0"},
	}))["result"]
	want := map[string]any{
		"cap_uri": "did:nuwa:cap:note@1.10.0", "semver": "1.10.0", "cid": id, "author": author.DID,
		"sha256": content.SHA256([]byte("a package")),
	}
	if diff := cmp.Diff(want, found); diff != "" {
		t.Errorf("chain (-want +got)\n%s", diff)
	}
	if answer := get(t, client, run.Configuration().Resolver+"/1.0/identifiers/"+author.DID); answer.Status != http.StatusOK {
		t.Errorf("resolver: %v", answer)
	}
}

// TestRunsAreSeparate: runs of one server share nothing, and the server runs until the last of them is closed.
func TestRunsAreSeparate(t *testing.T) {
	var both environment.Environment
	client := &http.Client{Transport: &http.Transport{}, Timeout: 10 * time.Second}
	defer client.CloseIdleConnections()
	one, err := both.Open()
	require.NoError(t, err)
	other, err := both.Open()
	require.NoError(t, err)
	id := one.Gateway.Serve([]byte("of one"))
	for _, test := range []struct {
		run  *environment.Run
		want int
	}{{one, 200}, {other, 404}} {
		if answer := get(t, client, test.run.Configuration().Gateway+"/ipfs/"+id); answer.Status != test.want {
			t.Errorf("status %d, want %d", answer.Status, test.want)
		}
	}
	require.NoError(t, one.Close())
	require.NoError(t, one.Close())
	if answer := get(t, client, one.Configuration().Gateway+"/ipfs/"+id); answer.Status != http.StatusNotFound {
		t.Errorf("a closed run answered %v", answer)
	}
	if answer := get(t, client, other.Configuration().LLM+"/models"); answer.Status != http.StatusOK {
		t.Errorf("the other run answered %v", answer)
	}
	require.NoError(t, other.Close())
	if answer, err := ask(t, client, http.MethodGet, other.Configuration().LLM+"/models", "", ""); err == nil {
		t.Errorf("the server still runs: %v", answer)
	}
	again, err := both.Open()
	require.NoError(t, err)
	if answer := get(t, client, again.Configuration().LLM+"/models"); answer.Status != http.StatusOK {
		t.Errorf("a restarted server answered %v", answer)
	}
	require.NoError(t, again.Close())
}

func TestCloseReleasesHangingCalls(t *testing.T) {
	run, client := open(t)
	mark := environment.NewMark()
	run.Model.SetScript(environment.Script{Mark: mark, Hangs: true})
	var waiting sync.WaitGroup
	for _, send := range []func(){
		func() { _, _ = ask(t, client, http.MethodGet, run.Tools.URL(environment.Hangs, mark), "", "") },
		func() {
			_, _ = ask(t, client, http.MethodPost, run.Configuration().LLM+"/chat/completions", "", `{"messages":[{"role":"user","content":"`+mark+`"}]}`)
		},
	} {
		waiting.Go(send)
	}
	require.Eventually(t, func() bool {
		return len(run.Tools.Calls(mark)) == 1 && len(run.Model.RequestsWith(mark)) == 1
	}, time.Minute, time.Millisecond)
	require.NoError(t, run.Close())
	waiting.Wait()
}

func TestBodiesAreBounded(t *testing.T) {
	run, client := open(t)
	big := strings.Repeat("x", 9<<20)
	for _, url := range []string{
		run.Tools.URL(environment.Echo, "a"), run.Configuration().LLM + "/chat/completions", run.Configuration().Registry + "/rpc",
	} {
		answer, err := ask(t, client, http.MethodPost, url, "application/json", big)
		if err == nil && answer.Status != http.StatusRequestEntityTooLarge {
			t.Errorf("%s: %v", url, answer.Status)
		}
	}
	if n := len(run.Tools.Calls("x")); n != 0 {
		t.Errorf("%d calls with a body beyond the limit were stored", n)
	}
}

// TestUploadsAreBounded: a subject that stores endlessly does not fill the memory of the harness.
func TestUploadsAreBounded(t *testing.T) {
	run, client := open(t)
	piece := strings.Repeat("x", 7<<20)
	stored := 0
	for i := range 8 {
		answer, err := ask(t, client, http.MethodPost, run.Configuration().Gateway+"/api/v0/add", "application/octet-stream",
			string(rune('a'+i))+piece)
		require.NoError(t, err)
		if answer.Status == http.StatusOK {
			stored++
		} else {
			require.Equal(t, http.StatusInsufficientStorage, answer.Status)
		}
	}
	require.Equal(t, 4, stored)
	require.Equal(
		t,
		http.StatusNotFound,
		get(t, client, run.Configuration().Gateway+"/ipfs/"+strings.Repeat("b", 2000)).Status,
	)
	require.False(t, run.Gateway.Fetched(strings.Repeat("b", 2000)))
}
