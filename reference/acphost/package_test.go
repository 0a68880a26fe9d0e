package acphost

import "testing"

// TestSchemasWithSameDemands: schemas share a contract if they differ only in a URI that nothing refers to.
func TestSchemasWithSameDemands(t *testing.T) {
	const first, second = "did:nuwa:state:one", "did:nuwa:state:two"
	for _, c := range []struct {
		name, before, after string
		same                bool
	}{
		{"only the URI", `{"$id":"`, `","$schema":"x","type":"object"}`, true},
		{"a reference", `{"$id":"`, `","$schema":"x","properties":{"a":{"$ref":"#"}}}`, false},
		{"an escaped reference", `{"$id":"`, `","$schema":"x","properties":{"a":{"\u0024ref":"#"}}}`, false},
		{"no dialect", `{"$id":"`, `","type":"object"}`, false},
		{"a fragment", `{"$id":"`, `#part","$schema":"x"}`, true},
	} {
		one, two := contractKey(c.before+first+c.after, first), contractKey(c.before+second+c.after, second)
		if (one == two) != c.same {
			t.Errorf("%s: %s and %s are equal: %t, want %t", c.name, one, two, !c.same, c.same)
		}
	}
	if text := `{"$id":"` + first + `","$schema":"x","const":"` + first + `"}`; contractKey(text, first) != text {
		t.Error("a schema that contains its URI twice lost it")
	}
}

// TestExpressionsOfWords: words separated by | match as in the regular expression.
func TestExpressionsOfWords(t *testing.T) {
	for _, c := range []struct {
		value, text string
		want        bool
	}{
		{"please tell|tell", "now tell me", true}, {"please tell|tell", "Tell me", false}, {"a|", "x", true},
		{"a.c", "abc", true}, {"a.c|x", "a", false}, {"(", "(", false}, {"", "x", true},
	} {
		if got := compileExpression(c.value)(c.text); got != c.want {
			t.Errorf("%q matches %q: %t, want %t", c.value, c.text, got, c.want)
		}
	}
}
