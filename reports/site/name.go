package site

import (
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"slices"
	"strings"

	"github.com/capconform/capconform/spec"
)

// maxNameLength bounds the part of a file name that is derived from a text.
const maxNameLength = 48

// ordinaryID matches an id in the form of the catalogues, which is used as a file name unchanged.
var ordinaryID = regexp.MustCompile(`^[A-Z]{3}(-[A-Z0-9]{1,16}){1,4}$`)

// requirementFile returns the file name for the id of a requirement of a suite.
func requirementFile(suite, id string) string {
	if ordinaryID.MatchString(id) && slices.Contains(spec.Names(), suite) {
		return id
	}
	return fileName(id, suite)
}

// fileName returns a file name, without extension, for texts of any origin: lower-case letters,
// digits and hyphens, with a digest of the texts. Two texts never share a file, even on a system
// that ignores case.
func fileName(text, beside string) string {
	var name strings.Builder
	for _, r := range strings.ToLower(text) {
		switch {
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
			name.WriteRune(r)
		case name.Len() > 0 && !strings.HasSuffix(name.String(), "-"):
			name.WriteByte('-')
		}
		if name.Len() >= maxNameLength {
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
