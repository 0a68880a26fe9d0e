package instance

import (
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/schemas"
)

const worked = `{"type": "object", "required": ["a"], "properties": {"a": {"type": "string", "maxLength": 3}, "b": {"type": "integer"}}}`

// A Template returns the same values as the functions.
func TestTemplateAgreesWithFunctions(t *testing.T) {
	for name, cache := range map[string]*Cache{"cached": {}, "not cached": nil} {
		template, err := cache.Template(value(t, worked))
		require.NoError(t, err)
		schema, err := schemas.CompileValue(value(t, worked), schemas.Options{})
		require.NoError(t, err)
		for range 2 { // the second time from the cache
			made, err := template.Valid(t.Context(), 7)
			require.NoError(t, err)
			inputs, err := ValidObject(schema, 7)
			require.NoError(t, err)
			want, got := []string{}, []string{}
			for _, i := range inputs {
				want = append(want, textOf(i.Value)+i.Note+i.Doubt)
				for _, f := range Invalid(schema, i.Value, Options{Limit: 5}) {
					want = append(want, f.Keyword+f.Pointer+f.Note+textOf(f.Input))
				}
				for _, e := range Edges(schema, i.Value, 5) {
					want = append(want, e.Note+textOf(e.Value))
				}
			}
			for _, s := range made {
				got = append(got, string(s.Text)+s.Note+s.Doubt)
				for _, f := range template.Invalid(t.Context(), s.Text, Options{Limit: 5}) {
					got = append(got, f.Keyword+f.Pointer+f.Note+string(f.Text))
				}
				for _, e := range template.Edges(t.Context(), s.Text, 5) {
					got = append(got, e.Note+string(e.Text))
				}
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", name, diff)
			}
		}
	}
}

func TestCacheKeysSchemasByContent(t *testing.T) {
	cache := &Cache{}
	first, err := cache.Template(value(t, worked))
	require.NoError(t, err)
	again, err := cache.Template(value(t, worked))
	require.NoError(t, err)
	other, err := cache.Template(value(t, `{"type": "object"}`))
	require.NoError(t, err)
	if first != again || first == other {
		t.Errorf(
			"the same schema returns the same template: %t, another one another: %t",
			first == again,
			first != other,
		)
	}
	for range 2 {
		if _, err := cache.Template(value(t, `{"type": "nonsense"}`)); err == nil {
			t.Error("an invalid schema returns a template")
		}
	}
}

// Schemas of a target do not fill the memory.
func TestCacheIsBounded(t *testing.T) {
	cache := &Cache{}
	for i := range 400 {
		_, err := cache.Template(map[string]any{"const": strings.Repeat("x", 4000+i)})
		require.NoError(t, err)
	}
	if cache.reserved > cacheSize || len(cache.kept) == 0 || len(cache.kept) == 400 {
		t.Errorf("%d bytes and %d schemas are cached, want at most %d bytes, some schemas, and not all 400", cache.reserved,
			len(cache.kept), cacheSize)
	}
	full := len(cache.kept)
	template, err := cache.Template(value(t, worked))
	require.NoError(t, err)
	if _, err := template.Valid(t.Context(), 1); err != nil || len(cache.kept) < full {
		t.Errorf("a schema beyond the limit of the cache: %v", err)
	}
}

func TestCacheIsSafeForConcurrentUse(t *testing.T) {
	cache := &Cache{}
	var workers sync.WaitGroup
	texts := make([]string, 8)
	for i := range texts {
		workers.Go(func() {
			template, err := cache.Template(value(t, worked))
			if err != nil {
				return
			}
			valid, _ := template.Valid(t.Context(), 1)
			for _, s := range valid {
				texts[i] += string(s.Text)
			}
		})
	}
	workers.Wait()
	for _, text := range texts {
		if text == "" || text != texts[0] {
			t.Errorf("got %q and %q", text, texts[0])
		}
	}
}
