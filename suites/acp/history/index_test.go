package history

import "testing"

// TestIDs checks which members of the metadata of a result form its id.
func TestIDs(t *testing.T) {
	const uri = "did:nuwa:cap:note@1.0.0"
	for name, test := range map[string]struct {
		metadata Object
		want     string
	}{
		"section":          {Object{"id": uri}, uri},
		"whole file":       {Object{"metadata": Object{"id": uri}, "prompt": "Be brief."}, uri},
		"separate version": {Object{"id": "did:nuwa:cap:note", "version": "1.0.0"}, uri},
		"other version":    {Object{"id": uri, "version": "2.0.0"}, uri},
		"no version":       {Object{"id": "did:nuwa:cap:note"}, "did:nuwa:cap:note"},
		"no id":            {Object{"version": "1.0.0"}, ""},
		"nothing":          {nil, ""},
	} {
		if got := idOf(test.metadata); got != test.want {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}

// TestCIDs checks in which forms a CID is recognized.
func TestCIDs(t *testing.T) {
	const cid, other = "bafkreif3i4di4vb3chstsvjijbpwyti3nmlnqfolfrlv67pdkoex2ergh4",
		"bafkreihdwdcefgh4dqkjv67uzcmw7ojee6xedzdetojuzjevtenxquvyku"
	r := NewRelease("did:nuwa:cap:note@1.0.0", cid)
	for text, want := range map[string]bool{
		cid: true, "ipfs://" + cid: true, "ipfs://ipfs/" + cid + "/": true, "/ipfs/" + cid: true,
		"https://gateway.example/ipfs/" + cid + "?download=1": true, other: false, "ipfs://" + other: false,
		"https://gateway.example/" + cid: false, "": false, "/ipfs/": false, "/ipfs/" + other + "/" + cid: false,
	} {
		if got := r.IsCID(text); got != want {
			t.Errorf("%q is the CID: %t, want %t", text, got, want)
		}
	}
}
