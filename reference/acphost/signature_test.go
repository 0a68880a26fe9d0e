package acphost_test

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/reference/acphost"
)

func TestSignMatchesTestVector(t *testing.T) {
	text, err := os.ReadFile("testdata/note.acp.yaml")
	require.NoError(t, err)
	key := ed25519.NewKeyFromSeed([]byte(strings.Repeat("\x07", 32)))
	signed, err := acphost.Sign(acphost.BlankToken, text, key)
	require.NoError(t, err)
	p, err := acphost.ReadPackage(signed)
	require.NoError(t, err)
	sum := sha256.Sum256(signed)
	want := []string{
		"did:key:z6MkvDqGT54cXesYGvABpF1UapVNwjCqRcafi4Px6Thv5T3Z",
		"zNNDSxLFZnR7ZiMGqz1vUrHRSzujXYfZchFdTdWsX5ngcVrgs1nbKPLpCAJiSNVAex22yiXPvHwMRycWem7iXhNd",
		"bb47068e543b11e5395528485f6c4d1b6b16d815cb2c575f7de353897d12263f",
		"bafkreif3i4di4vb3chstsvjijbpwyti3nmlnqfolfrlv67pdkoex2ergh4",
	}
	got := []string{acphost.DIDOf(key.Public().(ed25519.PublicKey)), p.Signature, hex.EncodeToString(sum[:]),
		acphost.CIDOf(signed)}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// A signature verifies under its profile at any position in the file, and not after a change of the file.
func TestSignaturesVerifyUnderEveryProfile(t *testing.T) {
	note, err := os.ReadFile("testdata/note.acp.yaml")
	require.NoError(t, err)
	unsigned, err := os.ReadFile("testdata/weatherreporter.acp.yaml")
	require.NoError(t, err)
	flow := []byte("{metadata: {id: \"did:nuwa:cap:x@1.0.0\"}, prompt: ok}\n")
	key := ed25519.NewKeyFromSeed([]byte(strings.Repeat("\x07", 32)))
	keys := []acphost.Key{{Public: key.Public().(ed25519.PublicKey)}}
	host := acphost.New(acphost.NewStore(""))
	for _, profile := range []string{acphost.BlankToken, acphost.RemoveLine, acphost.Canonical} {
		host.Profile = profile
		for name, text := range map[string][]byte{"placeholder": note, "unsigned": unsigned, "flow": flow} {
			if profile == acphost.RemoveLine && name == "flow" {
				continue // the line has more than the signature
			}
			signed, err := acphost.Sign(profile, text, key)
			require.NoError(t, err)
			if err := host.Verify(read(t, signed), keys); err != nil {
				t.Errorf("%s, %s: %v\n%s", profile, name, err, signed)
			}
			if err := host.Verify(read(t, signed), nil); err == nil {
				t.Errorf("%s, %s: verified without a key", profile, name)
			}
			changed := []byte(strings.Replace(string(signed), "prompt", "Prompt", 1))
			if err := host.Verify(read(t, changed), keys); err == nil {
				t.Errorf("%s, %s: verified for a changed file", profile, name)
			}
		}
	}
}

func read(t *testing.T, text []byte) *acphost.Package {
	t.Helper()
	p, err := acphost.ReadPackage(text)
	require.NoError(t, err)
	return p
}

func hash(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}
