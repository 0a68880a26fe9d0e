package signature_test

import (
	"bytes"
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base32"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"math/big"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/decred/dcrd/dcrec/secp256k1/v4"
	"github.com/mr-tron/base58"
	"github.com/stretchr/testify/require"

	"github.com/google/go-cmp/cmp"

	"github.com/capconform/capconform/suites/acp/did"
	"github.com/capconform/capconform/suites/acp/signature"
)

var now = time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC)

func sevens() ed25519.PrivateKey {
	return ed25519.NewKeyFromSeed(bytes.Repeat([]byte{7}, ed25519.SeedSize))
}

const authorOfSevens = "did:key:z6MkvDqGT54cXesYGvABpF1UapVNwjCqRcafi4Px6Thv5T3Z"

func example(t *testing.T, name string) []byte {
	t.Helper()
	text, err := os.ReadFile("../document/testdata/" + name + ".acp.yaml")
	require.NoError(t, err)
	return text
}

func author(t *testing.T, text string) did.Document {
	t.Helper()
	document, err := did.FromKey(text)
	require.NoError(t, err)
	return document
}

// The test vector of the default profile, value by value.
func TestVector(t *testing.T) {
	note := example(t, "note")
	message, err := signature.Message(signature.BlankToken, note)
	require.NoError(t, err)
	digest, err := signature.Digest(signature.BlankToken, note)
	require.NoError(t, err)
	signed, value, err := signature.Sign(signature.BlankToken, note, sevens())
	require.NoError(t, err)
	sum := sha256.Sum256(signed)
	cid := "b" + strings.ToLower(
		base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(append([]byte{1, 0x55, 0x12, 32}, sum[:]...)),
	)
	got := map[string]any{
		"input": fmt.Sprintf("%d %x", len(note), sha256.Sum256(note)), "signed bytes": len(message), "digest": hex.EncodeToString(digest[:]),
		"signature": value, "signed": len(signed), "file": hex.EncodeToString(sum[:]), "cid": cid,
	}
	want := map[string]any{
		"input":        "4142 e69e0a7278288015f285d37fe30c8cec016fcb89edd4dfc993315a0e52aa468f",
		"signed bytes": 4130,
		"digest":       "3bcf97438baf9e3bfa91457e60ea99e2bc6b8a96188b4695a98ace508a56377e",
		"signature":    "zNNDSxLFZnR7ZiMGqz1vUrHRSzujXYfZchFdTdWsX5ngcVrgs1nbKPLpCAJiSNVAex22yiXPvHwMRycWem7iXhNd",
		"signed":       4216,
		"file":         "bb47068e543b11e5395528485f6c4d1b6b16d815cb2c575f7de353897d12263f",
		"cid":          "bafkreif3i4di4vb3chstsvjijbpwyti3nmlnqfolfrlv67pdkoex2ergh4",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	method, err := signature.Verify(signature.BlankToken, signed, value, author(t, authorOfSevens), now)
	require.NoError(t, err)
	require.Equal(t, did.Ed25519, method.Key.Algorithm)
	for _, quote := range []string{`"`, "'"} {
		quoted := bytes.Replace(signed, []byte(value), []byte(quote+value+quote), 1)
		_, err := signature.Verify(signature.BlankToken, quoted, value, author(t, authorOfSevens), now)
		require.NoError(t, err, quote)
	}
}

// A change of any byte of a signed file invalidates the signature.
func TestEachByteCounts(t *testing.T) {
	for _, name := range []string{"note", "weatherreporter"} {
		signed, _, err := signature.Sign(signature.BlankToken, example(t, name), sevens())
		require.NoError(t, err)
		for i := range signed {
			if testing.Short() && i%8 != 0 {
				continue // .ci/run tries these
			}
			changed := bytes.Clone(signed)
			changed[i] ^= 1
			value, err := signature.Value(changed)
			if err != nil {
				continue
			}
			if _, err := signature.Verify(signature.BlankToken, changed, value, author(t, authorOfSevens), now); err == nil {
				t.Errorf("%s: byte %d: %q in place of %q is not detected", name, i, changed[i], signed[i])
			}
		}
		value, err := signature.Value(signed)
		require.NoError(t, err)
		_, err = signature.Verify(
			signature.BlankToken,
			bytes.ReplaceAll(signed, []byte("\n"), []byte("\r\n")),
			value,
			author(t, authorOfSevens),
			now,
		)
		require.ErrorIs(t, err, signature.ErrMismatch)
	}
}

// keys returns one key of each algorithm, with its DID.
func keys(t *testing.T) map[did.Algorithm]struct {
	key crypto.PrivateKey
	did string
} {
	t.Helper()
	p256, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	k256, err := secp256k1.GeneratePrivateKey()
	require.NoError(t, err)
	multibase := func(prefix string, key []byte) string {
		return "did:key:z" + base58.Encode(append([]byte(prefix), key...))
	}
	return map[did.Algorithm]struct {
		key crypto.PrivateKey
		did string
	}{
		did.Ed25519:   {sevens(), authorOfSevens},
		did.P256:      {p256, multibase("\x80\x24", elliptic.MarshalCompressed(elliptic.P256(), p256.X, p256.Y))},
		did.Secp256k1: {k256, multibase("\xe7\x01", k256.PubKey().SerializeCompressed())},
	}
}

func TestProfiles(t *testing.T) {
	forms := map[string]string{
		"plain":     "metadata:\n  id: a\n  signature: x # here\nschema: '{}'\n",
		"double":    "metadata:\n  id: a\n  signature: \"\"\nschema: '{}'\n",
		"single":    "metadata:\n  signature: ''\n  id: a\nschema: '{}'",
		"absent":    "# é\nmetadata:\n    # 記\n    id: a\n    name: 记\n",
		"windows":   "metadata:\r\n  id: a\r\n  name: b\r\n",
		"mark":      "\ufeffmetadata:\n  id: a\n",
		"json":      "{\"metadata\": {\n\"id\": \"a\", \"signature\": \"\"\n}, \"schema\": \"\\ud83d\\ude00\"}",
		"bare json": `{"metadata": {"id": "a"}}`,
		"flow":      "metadata: {id: a, signature: x}\n",
		"separator": "metadata:\n  name: \"a\u2028b\"\n  signature: 'x'\n",
	}
	for algorithm, k := range keys(t) {
		for name, text := range forms {
			for _, profile := range signature.Profiles() {
				signed, value, err := signature.Sign(profile, []byte(text), k.key)
				if profile == signature.RemoveLine && strings.Contains("json bare json flow", name) {
					require.Error(t, err, "%s %s", profile, name)
					continue
				}
				require.NoError(t, err, "%s %s %s", algorithm, profile, name)
				if profile == signature.Detached {
					require.Equal(t, text, string(signed))
				} else {
					inside, err := signature.Value(signed)
					require.NoError(t, err)
					require.Equal(t, value, inside)
				}
				_, err = signature.Verify(profile, signed, value, author(t, k.did), now)
				require.NoError(t, err, "%s %s %s", algorithm, profile, name)
				_, err = signature.Verify(
					profile,
					append(bytes.TrimRight(signed, "}\r\n"), "\nx: 1\n"...),
					value,
					author(t, k.did),
					now,
				)
				require.Error(t, err, "%s %s %s", algorithm, profile, name)
			}
		}
	}
}

// The text does not define how a signature is encoded.
func TestVerifyAcceptsOtherEncodings(t *testing.T) {
	signed, value, err := signature.Sign(signature.BlankToken, []byte("metadata:\n  signature: ''\n"), sevens())
	require.NoError(t, err)
	raw, err := signature.Decode(value)
	require.NoError(t, err)
	require.True(t, signature.HasProfileEncoding(value))
	for _, text := range []string{
		hex.EncodeToString(raw), "0x" + hex.EncodeToString(raw), "f" + hex.EncodeToString(raw), base58.Encode(raw),
		base64.StdEncoding.EncodeToString(raw), base64.RawURLEncoding.EncodeToString(raw),
		"u" + base64.RawURLEncoding.EncodeToString(raw), "m" + base64.RawStdEncoding.EncodeToString(raw),
		"eyJhbGciOiJFZERTQSJ9.." + base64.RawURLEncoding.EncodeToString(raw),
	} {
		require.False(t, signature.HasProfileEncoding(text), text)
		file := bytes.Replace(signed, []byte(value), []byte(text), 1)
		_, err := signature.Verify(signature.BlankToken, file, text, author(t, authorOfSevens), now)
		require.NoError(t, err, text)
		_, err = signature.Verify(signature.BlankToken, append(file, '\n'), text, author(t, authorOfSevens), now)
		require.ErrorIs(t, err, signature.ErrMismatch, text)
	}
	inside, err := signature.Value([]byte("metadata:\n  signature: >-\n    " + value + "\n"))
	require.NoError(t, err)
	require.Equal(t, value, inside)
}

// What the canonical form omits may change; its content must not.
func TestCanonicalForm(t *testing.T) {
	signed, value, err := signature.Sign(
		signature.JCS,
		[]byte("metadata:\n  id: a # one\n  signature: \"\"\n"),
		sevens(),
	)
	require.NoError(t, err)
	_, err = signature.Verify(
		signature.JCS,
		bytes.Replace(signed, []byte("# one"), []byte("# two"), 1),
		value,
		author(t, authorOfSevens),
		now,
	)
	require.NoError(t, err)
	_, err = signature.Verify(
		signature.JCS,
		bytes.Replace(signed, []byte("id: a"), []byte("id: b"), 1),
		value,
		author(t, authorOfSevens),
		now,
	)
	require.ErrorIs(t, err, signature.ErrMismatch)
}

func TestVerifyErrors(t *testing.T) {
	valid, value, err := signature.Sign(signature.BlankToken, []byte("metadata:\n  signature: ''\n"), sevens())
	require.NoError(t, err)
	for _, c := range []struct {
		name, file, value string
		want              error
	}{
		{"unsigned", "metadata:\n  id: a\n", value, signature.ErrUnsigned},
		{"placeholder", string(valid), "zDIDSig1xyz…", signature.ErrEncoding},
		{"empty", string(valid), "", signature.ErrEncoding},
		{"base64", string(valid), base64.StdEncoding.EncodeToString(make([]byte, 64)), signature.ErrMismatch},
		{"hash in hexadecimal", string(valid), strings.Repeat("9f86d081", 8), signature.ErrEncoding},
		{"damaged", string(valid), value[:20] + "0" + value[21:], signature.ErrEncoding},
		{"long", string(valid), "z" + strings.Repeat("1", 80), signature.ErrEncoding},
		{"other", string(valid), "z" + base58.Encode(make([]byte, 64)), signature.ErrMismatch},
		{"one byte more", string(valid), "z1" + value[1:], signature.ErrMismatch},
	} {
		_, err := signature.Verify(signature.BlankToken, []byte(c.file), c.value, author(t, authorOfSevens), now)
		require.ErrorIs(t, err, c.want, c.name)
	}
	for _, file := range []string{
		"", "a: 1\n", "metadata: 1\n", "metadata: {}\n---\nmetadata: {}\n", "metadata:\n  signature: 12\n", "metadata:\n  signature: |\n    z\n",
		"metadata:\n  signature: >-\n    z\n", "metadata:\n  id: &a x\n  signature: *a\n", "metadata:\n  signature: !!str z\n",
		"metadata:\n  signature: \"a\n    b\"\n", "metadata:\n  signature: \"\\x41\"\n", "metadata:\n  signature: [z]\n",
	} {
		_, err := signature.Message(signature.BlankToken, []byte(file))
		require.Error(t, err, file)
		_, _, err = signature.Sign(signature.BlankToken, []byte(file), sevens())
		if !strings.Contains(file, "{}") || strings.Contains(file, "---") {
			require.Error(t, err, file)
		}
	}
	_, err = signature.Message("nonsense", valid)
	require.ErrorContains(t, err, "no profile")
	_, _, err = signature.Sign(signature.BlankToken, valid, "key")
	require.ErrorContains(t, err, "is not a signing key")
}

func TestKeysOfDocuments(t *testing.T) {
	all := keys(t)
	encode := base64.RawURLEncoding.EncodeToString
	p256, _ := all[did.P256].key.(*ecdsa.PrivateKey)
	k256, _ := all[did.Secp256k1].key.(*secp256k1.PrivateKey)
	point := func(n *big.Int) string { return encode(n.FillBytes(make([]byte, 32))) }
	bare := "z" + base58.Encode(sevens().Public().(ed25519.PublicKey)) // without the prefix of the key type
	for _, c := range []struct {
		name, method string
		algorithm    did.Algorithm
		want         error
	}{
		{"multicodec", fmt.Sprintf(`"publicKeyMultibase": %q`, strings.TrimPrefix(authorOfSevens, "did:key:")), did.Ed25519, nil},
		{"bare", fmt.Sprintf(`"type": "Ed25519VerificationKey2020", "publicKeyMultibase": %q`, bare), did.Ed25519, nil},
		{"bare without a type", fmt.Sprintf(`"publicKeyMultibase": %q`, bare), did.Ed25519, signature.ErrNoKey},
		{"bare P-256", fmt.Sprintf(`"type": "EcdsaSecp256r1VerificationKey2019", "publicKeyMultibase": %q`,
			"z"+base58.Encode(elliptic.MarshalCompressed(elliptic.P256(), p256.X, p256.Y))), did.P256, nil},
		{"twisted P-256", fmt.Sprintf(`"publicKeyMultibase": %q`,
			"z"+base58.Encode(append([]byte{0x12, 0}, elliptic.MarshalCompressed(elliptic.P256(), p256.X, p256.Y)...))), did.P256, nil},
		{"bare secp256k1", fmt.Sprintf(`"type": "EcdsaSecp256k1VerificationKey2019", "publicKeyMultibase": %q`,
			"z"+base58.Encode(k256.PubKey().SerializeCompressed())), did.Secp256k1, nil},
		{"jwk", fmt.Sprintf(`"publicKeyJwk": {"kty": "OKP", "crv": "Ed25519", "x": %q}`, encode(sevens().Public().(ed25519.PublicKey))), did.Ed25519, nil}, // as above
		{"jwk P-256", fmt.Sprintf(`"publicKeyJwk": {"kty": "EC", "crv": "P-256", "x": %q, "y": %q}`, point(p256.X), point(p256.Y)), did.P256, nil},
		{"jwk secp256k1", fmt.Sprintf(`"publicKeyJwk": {"kty": "EC", "crv": "secp256k1", "x": %q, "y": %q}`, point(k256.PubKey().X()), point(k256.PubKey().Y())), did.Secp256k1, nil},
		{"jwk of an unknown curve", `"publicKeyJwk": {"kty": "EC", "crv": "P-521", "x": "AA", "y": "AA"}`, did.P256, signature.ErrNoKey},
		{"expired", fmt.Sprintf(`"expires": "2026-01-01T00:00:00Z", "publicKeyMultibase": %q`, strings.TrimPrefix(authorOfSevens, "did:key:")), did.Ed25519, signature.ErrExpired},
		{"will expire", fmt.Sprintf(`"expires": "2027-01-01T00:00:00Z", "publicKeyMultibase": %q`, strings.TrimPrefix(authorOfSevens, "did:key:")), did.Ed25519, nil},
		{"foreign", fmt.Sprintf(`"publicKeyMultibase": %q`, strings.TrimPrefix(all[did.P256].did, "did:key:")), did.Ed25519, signature.ErrMismatch},
	} {
		signed, value, err := signature.Sign(signature.BlankToken, []byte("metadata:\n  id: a\n"), all[c.algorithm].key)
		require.NoError(t, err)
		for _, text := range []string{
			fmt.Sprintf(`{"id": "did:example:a", "verificationMethod": [{"id": "#k", %s}], "assertionMethod": ["#k"]}`, c.method),
			fmt.Sprintf(`{"didDocument": {"id": "did:example:a", "assertionMethod": [{"id": "did:example:a#k", %s}]}}`, c.method),
		} {
			document, err := did.ParseDocument([]byte(text))
			require.NoError(t, err, c.name)
			method, err := signature.Verify(signature.BlankToken, signed, value, document, now)
			if c.want != nil {
				require.ErrorIs(t, err, c.want, c.name)
				continue
			}
			require.NoError(t, err, "%s: %v", c.name, document.Skipped)
			require.Equal(t, []any{"did:example:a#k", c.algorithm, []string{"assertionMethod"}}, []any{method.ID, method.Key.Algorithm, method.Relations}, c.name)
		}
	}
}
