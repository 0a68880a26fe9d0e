package site

import (
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"strings"
)

// longestName bounds the part of a file name that comes from a text.
const longestName = 48

// usualID is an id as our catalogues have them; it is its own name.
var usualID = regexp.MustCompile(`^[A-Z]{3}(-[A-Z0-9]{1,16}){1,4}$`)

// requirementFile makes a name of a file from the id of a requirement.
func requirementFile(id string) string {
	if usualID.MatchString(id) {
		return id
	}
	return fileName(id, "requirement")
}

// fileName makes a name of a file, without extension, from texts that anybody may have
// written: small letters, digits and hyphens, with a digest of the texts, so that two
// texts never share a file, on a system without capital letters neither.
func fileName(text, beside string) string {
	var name strings.Builder
	for _, r := range strings.ToLower(text) {
		switch {
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
			name.WriteRune(r)
		case name.Len() > 0 && !strings.HasSuffix(name.String(), "-"):
			name.WriteByte('-')
		}
		if name.Len() >= longestName {
			break
		}
	}
	plain := strings.Trim(name.String(), "-")
	if beside == "" && plain == text && plain != "" {
		return plain
	}
	sum := sha256.Sum256([]byte(text + "\x00" + beside))
	return strings.TrimPrefix(plain+"-"+hex.EncodeToString(sum[:4]), "-")
}
