package did_test

import (
	"encoding/hex"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/mr-tron/base58"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/suites/acp/did"
)

// The DIDs are examples of the specification of did:key.
func TestFromKey(t *testing.T) {
	for text, want := range map[string]did.Algorithm{
		"did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK":                                                    did.Ed25519,
		"did:key:zDnaerDaTF5BXEavCrfRZEk316dpbLsfPDZ3WJ5hRTPFU2169":                                                   did.P256,
		"did:key:zQ3shokFTS3brHcDQrn82RUDfCZESWL1ZdCEJwekUDPQiYBme":                                                   did.Secp256k1,
		"did:key:zDnaerDaTF5BXEavCrfRZEk316dpbLsfPDZ3WJ5hRTPFU2169#zDnaerDaTF5BXEavCrfRZEk316dpbLsfPDZ3WJ5hRTPFU2169": did.P256,
	} {
		document, err := did.FromKey(text)
		require.NoError(t, err, text)
		bare, _, _ := strings.Cut(text, "#")
		require.Len(t, document.Methods, 1)
		m := document.Methods[0]
		require.Equal(
			t,
			[]any{bare, want, bare + "#" + strings.TrimPrefix(bare, "did:key:"), ""},
			[]any{document.DID, m.Key.Algorithm, m.ID, m.Key.Unsupported},
		)
	}
	for text, want := range map[string]string{
		"did:web:example.org":                  "only DIDs of the method key",
		"z6Mkh":                                "a DID begins with",
		"":                                     "a DID begins with",
		"did:key:":                             "not in base58btc multibase",
		"did:key:f00":                          "begins with z",
		"did:key:z0OIl":                        "not in base58btc multibase",
		"did:key:z6Mkh":                        "",
		"did:key:z" + strings.Repeat("1", 300): "begins with z",
		"did:key:z6LSbysY2xFMRpGMhb7tFTLMpeuPRaqaWM1yECx2AtzE3KCc": "of no key that is known here", // X25519
	} {
		_, err := did.FromKey(text)
		require.ErrorContains(t, err, want, text)
	}
}

func TestParseDocument(t *testing.T) {
	const key = `"publicKeyMultibase": "z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK"`
	document, err := did.ParseDocument([]byte(`{"id": "did:web:a", "verificationMethod": [
		{"id": "#login", ` + key + `}, {"id": "did:web:a#sign", ` + key + `, "expires": "2027-01-01T00:00:00Z"}, {"id": "#odd", "publicKeyMultibase": "x"},
		{"id": "#none"}, {"id": "#when", ` + key + `, "expires": "soon"}],
		"authentication": ["did:web:a#login", {"id": "#own", ` + key + `}], "assertionMethod": ["#sign"], "keyAgreement": ["#x"]}`))
	require.NoError(t, err)
	got := []string{}
	for _, m := range document.Methods {
		got = append(got, m.ID+" "+strings.Join(m.Relations, ","))
	}
	if diff := cmp.Diff([]string{"did:web:a#sign assertionMethod", "did:web:a#login authentication", "did:web:a#own authentication"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	require.Len(t, document.Skipped, 3)
	sign := document.Methods[0]
	require.False(t, sign.Expired(time.Date(2026, 12, 31, 0, 0, 0, 0, time.UTC)))
	require.True(t, sign.Expired(time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC)))
	for text, want := range map[string]string{
		"":                           "not JSON",
		"{":                          "not JSON",
		"[]":                         "no id that is a DID",
		`{"id": "me"}`:               "no id that is a DID",
		strings.Repeat("[", 100):     "not JSON",
		`{"id": "did:a", "id": "b"}`: "two members",
	} {
		_, err := did.ParseDocument([]byte(text))
		require.ErrorContains(t, err, want, text)
	}
}

// FuzzDocument: every document is read or refused.
func FuzzDocument(f *testing.F) {
	for _, seed := range []string{
		`{"id": "did:a", "verificationMethod": [{"id": "#k", "type": "Ed25519VerificationKey2020", "publicKeyMultibase": "z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK"}]}`,
		`{"id": "did:a", "assertionMethod": [{"publicKeyJwk": {"crv": "P-256", "x": "AA", "y": "AA"}}]}`,
	} {
		f.Add(seed, []byte("0123456789012345678901234567890123456789012345678901234567890123"))
	}
	f.Fuzz(func(t *testing.T, text string, signature []byte) {
		document, err := did.ParseDocument([]byte(text))
		if err != nil {
			return
		}
		for _, m := range document.Methods {
			require.NotEmpty(t, m.Key.Algorithm)
			m.Key.Verify([32]byte{}, signature)
		}
	})
}

// Documents from before multibase contain the bare key.
func TestParseDocumentWithOlderKeyForms(t *testing.T) {
	want, err := did.ParseMultibase("z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK")
	require.NoError(t, err)
	raw, err := base58.Decode("6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK")
	require.NoError(t, err)
	for member, text := range map[string]string{"publicKeyBase58": base58.Encode(raw[2:]), "publicKeyHex": hex.EncodeToString(raw[2:])} {
		d, err := did.ParseDocument([]byte(`{"id": "did:web:a", "verificationMethod": [{"id": "#a", "type": "Ed25519VerificationKey2018", "` + member + `": "` + text + `"}]}`))
		require.NoError(t, err)
		require.Len(t, d.Methods, 1, member)
		want.Unsupported = d.Methods[0].Key.Unsupported
		require.Equal(t, want, d.Methods[0].Key, member)
		require.NotEmpty(t, want.Unsupported)
	}
	d, err := did.ParseDocument([]byte(`{"id": "did:web:a", "verificationMethod": [{"id": "#a", "type": "Ed25519VerificationKey2018", "publicKeyHex": "xy"}]}`))
	require.NoError(t, err)
	require.Empty(t, d.Methods)
}

// A key is valid until it expires or is revoked.
func TestKeyEndsAtExpiryOrRevocation(t *testing.T) {
	const key = `"publicKeyMultibase": "z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK"`
	for ends, want := range map[string]string{
		``: "0001", `, "expires": "2027-01-01T00:00:00Z"`: "2027", `, "revoked": "2025-01-01T00:00:00Z"`: "2025",
		`, "expires": "2027-01-01T00:00:00Z", "revoked": "2025-01-01T00:00:00Z"`: "2025",
		`, "expires": "2024-01-01T00:00:00Z", "revoked": "2025-01-01T00:00:00Z"`: "2024",
	} {
		d, err := did.ParseDocument([]byte(`{"id": "did:web:a", "verificationMethod": [{"id": "#a", ` + key + ends + `}]}`))
		require.NoError(t, err)
		require.Equal(t, want, d.Methods[0].Expires.Format("2006"), ends)
	}
}
