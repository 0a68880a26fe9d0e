package content_test

import (
	"strings"
	"testing"

	"github.com/capconform/capconform/suites/acp/content"
)

func TestSameDigest(t *testing.T) {
	digest := content.SHA256(nil)
	for text, want := range map[string]bool{
		digest: true, strings.ToUpper(digest): true, "0x" + digest: true, "1220" + digest: true,
		"47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=": true, "47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU": true,
		digest[1:]: false, "": false, content.SHA256([]byte("x")): false,
	} {
		if content.SameDigest(text, digest) != want {
			t.Errorf("%q: want %v", text, want)
		}
	}
}
