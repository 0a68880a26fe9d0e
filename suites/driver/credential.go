package driver

import (
	"regexp"
	"strings"
)

// Masked replaces a secret.
const Masked = "[masked]"

// secretWords are the parts of a name which show that its value is a credential.
var secretWords = []string{
	"token", "secret", "password", "passwd", "passphrase", "passcode", "pwd", "auth", "key", "credential", "cookie",
	"bearer", "jwt", "private", "signature",
}

// secretParts are such words where they are separated by other characters. Inside another word,
// such as compass or design, they mean nothing.
var secretParts = regexp.MustCompile(`(^|[^a-z])(pass|sig|sid|otp|pin|pat|dsn|sessionid|assertion)($|[^a-z])`)

// withoutSecretWords are names, and parts of names, that contain one of the words although they name no
// credential.
var withoutSecretWords = strings.NewReplacer("oldpwd", "", "keyboard", "", "keymap", "", "monkey", "", "keyword", "",
	"authoris",
	"auth", "authoriz", "auth", "author", "")

// IsSecretName reports whether the name of a variable, header, flag, member or query parameter shows
// that its value is a credential. Case is ignored.
func IsSecretName(name string) bool {
	name = withoutSecretWords.Replace(strings.ToLower(name))
	if name == "pwd" { // the variable that contains the working directory
		return false
	}
	for _, word := range secretWords {
		if strings.Contains(name, word) {
			return true
		}
	}
	return secretParts.MatchString(name)
}

// secretForms match texts whose form shows that they are credentials, whatever their name.
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
	`(?i)\b[\w.-]*(password|passwd|pwd|secret|token|api[-_]?key|access[-_]?key|signature|[?&]sig|_auth)` +
		`\s*=\s*["']?[^\s"'$]`,
	`(?i)--?[\w-]*(password|passwd|secret|token|api[-_]?key|access[-_]?key)\s+["']?[^\s"'$-]`, // in a command
}, "|"))

// IsSecretValue reports whether the form of a text shows that it is or contains a credential: user
// information in a URL, PEM, the prefix of a well-known kind of token, a JSON Web Token, Bearer.
func IsSecretValue(value string) bool { return secretForms.MatchString(value) }

// IsCredential reports whether a name or its value shows that the value is a credential.
func IsCredential(name, value string) bool {
	return value != "" && (IsSecretName(name) || IsSecretValue(value))
}

// flagOf matches a flag or an assignment whose value is in the same word.
var flagOf = regexp.MustCompile(`^(--?[A-Za-z][\w.-]*|[A-Za-z_]\w*)=(.+)$`)

// MaskWords returns the words of a command as a report may show them, and the secrets that they
// contain: values of flags, assignments and headers with the name of a credential, texts with the
// form of a credential, and what Address hides in URLs.
func MaskWords(words []string) (shown, secrets []string) {
	shown = make([]string, len(words))
	for i, word := range words {
		before := ""
		if i > 0 {
			before = words[i-1]
		}
		lead, value := partsOfWord(before, word)
		visible, hidden := maskValue(value)
		if IsSecretName(lead) && !strings.HasPrefix(value, "$") {
			visible, hidden = Masked, []string{value}
		}
		shown[i] = word[:len(word)-len(value)] + visible
		secrets = append(secrets, hidden...)
	}
	return shown, secrets
}

// partsOfWord splits a word into its value and the name of the value, which stands in the word or is the
// flag before it.
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

// maskValue returns a value without the texts that have the form of a credential.
func maskValue(value string) (shown string, secrets []string) {
	if shown, secrets, ok := maskAddress(value); ok {
		return shown, secrets
	}
	if IsSecretValue(value) {
		return Masked, []string{value}
	}
	return value, nil
}
