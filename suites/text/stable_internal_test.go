package text

import (
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"

	"github.com/gowebpki/jcs"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/suites/part"
	"github.com/capconform/capconform/suites/rule"
)

// evaluator returns the values of an expression, given a list of texts as its variable.
func evaluator(t *testing.T, expression string) func(texts ...any) (any, error) {
	t.Helper()
	v := (&protocol{Kinds: []kind{{Name: "seen"}}}).vocabulary(append(ofHashes(), (&Text{}).ofValues()...))
	scope := v.Scope()
	file := &part.File{Name: "test"}
	compiled := scope.With("texts").Compile(file, part.Text{Value: expression})
	require.NoError(t, file.Err())
	h := newHistory()
	view := rule.NewView(v, h, &h.Reading, nil)
	return func(texts ...any) (any, error) { return compiled.Eval(view, map[string]any{"texts": texts}) }
}

// The library of the reference gives the same canonical forms, except for numbers that it rounds.
func TestForms(t *testing.T) {
	var rows []struct {
		Text, Why         string
		Canonical, Stable *string
	}
	data, err := os.ReadFile("testdata/forms.json")
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(data, &rows))
	require.NotEmpty(t, rows)
	canonical, stable := evaluator(t, "canonical(parsed(texts[0]))"), evaluator(t, "stable(parsed(texts[0]))")
	for _, row := range rows {
		for _, form := range []struct {
			of   func(...any) (any, error)
			open string
			want *string
		}{{canonical, `{"a":`, row.Canonical}, {stable, `{"a": `, row.Stable}} {
			got, err := form.of(`{"a":` + row.Text + "}") // alone, 1.0 is the whole number 1
			if form.want == nil {
				assert.Error(t, err, "%s has the form %v", row.Text, got)
			} else if assert.NoError(t, err, row.Text) {
				assert.Equal(t, form.open+*form.want+"}", got, row.Text)
			}
		}
		if row.Canonical != nil {
			other, err := jcs.Transform([]byte("[" + row.Text + "]"))
			require.NoError(t, err, row.Text)
			assert.Equal(t, "["+*row.Canonical+"]", string(other))
		}
	}

	_, err = canonical("9007199254740993")
	require.Error(t, err)

	random := rand.New(rand.NewPCG(8785, 1))
	for range 2000 {
		double := math.Float64frombits(random.Uint64())
		if math.IsNaN(double) || math.IsInf(double, 0) {
			continue
		}
		text := strconv.FormatFloat(double, 'e', -1, 64)
		other, err := jcs.NumberToJSON(double)
		require.NoError(t, err)
		got, err := canonical(`{"a":` + text + "}")
		require.NoError(t, err)
		require.Equal(t, `{"a":`+other+"}", got)
	}
}

func TestSignaturesAreChecked(t *testing.T) {
	private := ed25519.NewKeyFromSeed([]byte("0123456789abcdef0123456789abcdef"))
	key := base64.StdEncoding.EncodeToString(private.Public().(ed25519.PublicKey))
	signed := ed25519.Sign(private, []byte("message"))
	signature := base64.StdEncoding.EncodeToString(signed)
	signedBy := evaluator(t, "signed_by(texts[0], texts[1], texts[2])")
	check := func(want bool, key, signature, text string) {
		t.Helper()
		got, err := signedBy(key, signature, text)
		require.NoError(t, err)
		assert.Equal(t, want, got)
	}
	check(true, key, signature, "message")
	check(true, key, base64.RawStdEncoding.EncodeToString(signed), "message")
	check(false, key, signature, "messagE")
	for _, other := range []string{"", "no base64", key[4:], signature, key[:42] + "f=", base64.URLEncoding.EncodeToString(signed)} {
		check(false, other, signature, "message")
		if other != signature {
			check(false, key, other, "message")
		}
	}
	for i := range signed {
		signed[i] ^= 1
		check(false, key, base64.StdEncoding.EncodeToString(signed), "message")
		signed[i] ^= 1
	}

	picked := evaluator(t, `stable(picked(["a.b", "c?", "d", "e?"], parsed(texts[0])))`)
	got, err := picked(`{"a": {"b": 1}, "e": null}`)
	require.NoError(t, err)
	assert.Equal(t, `{"b": 1, "d": null, "e": null}`, got)
}
