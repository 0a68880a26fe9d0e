package spec

import "testing"

func TestFingerprintCoversLettersAndDigitsOnly(t *testing.T) {
	const plain = "The weight field MUST be at most 30 kg"
	same := []string{
		"The `weight` field MUST be at most 30 kg.",
		"Theweightfield**MUST**be at most 30kg",
		"The weight\nfield MUST\tbe at most 30 kg",
		`The \weight field MUST be at most 30\_kg`,
		"The [weight](https://example.org/w) field MUST be at most 30&nbsp;kg",
	}
	for _, text := range same {
		if Fingerprint(text) != Fingerprint(plain) {
			t.Errorf("the fingerprint of %q differs from that of the plain sentence: %q", text, fingerprintText(text))
		}
	}
	other := []string{
		"The weight field SHOULD be at most 30 kg",
		"The weight field MUST be at most 31 kg",
		"the weight field MUST be at most 30 kg",
		"field The weight MUST be at most 30 kg",
		"The weight field MUST be at most 30 kg, größer never",
	}
	for _, text := range other {
		if Fingerprint(text) == Fingerprint(plain) {
			t.Errorf("%q has the fingerprint of another sentence", text)
		}
	}
}

func TestFingerprintIsHexadecimalSHA256(t *testing.T) {
	// printf abc1 | sha256sum
	const want = "dbfcfd0d87220f629339bd3adcf452d083fde3246625fb3a93e314f833e20d37"
	if got := Fingerprint("a-b c: (1)"); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
