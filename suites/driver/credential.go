package driver

import (
	"regexp"
	"strings"
)

// secretWords are the parts of a name that say that its value is a credential.
var secretWords = []string{
	"token", "secret", "password", "passwd", "passphrase", "passcode", "pwd", "auth", "key", "credential", "cookie",
	"bearer", "jwt", "private", "signature",
}

// secretParts are such words where they stand by themselves between other signs: inside
// another word, such as compass or design, they mean nothing.
var secretParts = regexp.MustCompile(`(^|[^a-z])(pass|sig|sid|otp|pin|pat|dsn|sessionid|assertion)($|[^a-z])`)

// innocent are names, and parts of names, that hold one of the words and no credential.
var innocent = strings.NewReplacer("oldpwd", "", "keyboard", "", "keymap", "", "monkey", "", "keyword", "", "authoris",
	"auth", "authoriz", "auth", "author", "")

// SecretName tells whether the name of a variable, header, flag, member or query parameter
// says that the value is a credential. Case is ignored.
func SecretName(name string) bool {
	name = innocent.Replace(strings.ToLower(name))
	if name == "pwd" { // of a variable: the folder
		return false
	}
	for _, word := range secretWords {
		if strings.Contains(name, word) {
			return true
		}
	}
	return secretParts.MatchString(name)
}

// secretForms are the texts that are credentials by their form, whatever their name is.
var secretForms = regexp.MustCompile(strings.Join([]string{
	`-----BEGIN `, // PEM
	`[A-Za-z][A-Za-z0-9+.-]*://[^/?#\s@]*[^/?#\s@:][^/?#\s@]*@`,               // user information in a URL
	`^[^/?#\s@:]+:[^/?#\s@]+@([\w.-]+:\d+|([\w-]+\.)+[A-Za-z]{2,}(:\d+)?)/?$`, // and in one without its scheme
	`\b[Bb]earer\s+\S{4,}`, `^[Bb]asic\s+[A-Za-z0-9+/]{4,}=*$`, // credentials of HTTP
	`\beyJ[A-Za-z0-9_-]{5,}\.[A-Za-z0-9_-]{5,}\.`,                                        // JSON Web Token
	`\b(gh[opsur]|github_pat|npm|hf|dckr_pat|whsec|lin_api|gsk|shp(at|ca|pa|ss))_\w{4,}`, // keys of well-known services
	`\b(sk|pk|rk)_(live|test)_\w{4,}`, `\b(glpat|pypi|figd|tskey|pplx|xai|sk)-[\w-]{8,}`, //
	`\b(xox[a-z]|xapp)-[\w-]{4,}`, `\b(glsa_|r8_|dop_v1_|ya29\.|hvs\.)[\w-]{8,}`, //
	`\bA[KSBC][IC]A[A-Z0-9]{8,}`, `\bAIza[\w-]{10,}`, `\bSG\.[\w-]{8,}`, `AGE-SECRET-KEY-1`, //
	`(?i)\b[\w.-]*(password|passwd|pwd|secret|token|api[-_]?key|access[-_]?key|signature|[?&]sig|_auth)\s*=\s*["']?[^\s"'$]`,
	`(?i)--?[\w-]*(password|passwd|secret|token|api[-_]?key|access[-_]?key)\s+["']?[^\s"'$-]`, // in a command
}, "|"))

// SecretValue tells whether a text is or holds a credential by its form: user information
// in a URL, PEM, the prefix of a well-known kind of token, a JSON Web Token, Bearer.
func SecretValue(value string) bool { return secretForms.MatchString(value) }

// Secretive tells whether a name or its value says that the value is a credential.
func Secretive(name, value string) bool {
	return value != "" && (SecretName(name) || SecretValue(value))
}

// flagOf matches a flag or an assignment that has its value in the same word.
var flagOf = regexp.MustCompile(`^(--?[A-Za-z][\w.-]*|[A-Za-z_]\w*)=(.+)$`)

// MaskWords gives the words of a command as a report may show them, and the secrets that
// they hold: the values of flags, assignments and headers whose names are those of
// credentials, credentials by their form, and what Address hides in URLs.
func MaskWords(words []string) (shown, secrets []string) {
	shown = make([]string, len(words))
	for i, word := range words {
		before := ""
		if i > 0 {
			before = words[i-1]
		}
		lead, value := partsOfWord(before, word)
		visible, hidden := maskValue(value)
		if SecretName(lead) && !strings.HasPrefix(value, "$") {
			visible, hidden = Masked, []string{value}
		}
		shown[i] = word[:len(word)-len(value)] + visible
		secrets = append(secrets, hidden...)
	}
	return shown, secrets
}

// partsOfWord gives the name that a word, or the flag before it, has for its value.
func partsOfWord(before, word string) (name, value string) {
	if parts := flagOf.FindStringSubmatch(word); parts != nil {
		return parts[1], parts[2]
	}
	if name, value, ok := strings.Cut(word, ": "); ok && !strings.ContainsAny(name, " \n") {
		return name, value
	}
	if strings.HasPrefix(before, "-") && !strings.Contains(before, "=") && !strings.HasPrefix(word, "-") {
		return before, word
	}
	return "", word
}

// maskValue gives a value without the credentials that show by their form.
func maskValue(value string) (shown string, secrets []string) {
	if shown, secrets, ok := maskAddress(value); ok {
		return shown, secrets
	}
	if SecretValue(value) {
		return Masked, []string{value}
	}
	return value, nil
}
