package driver

import (
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// plainParameters are the query parameters whose values a report may show.
var plainParameters = []string{
	"api-version", "api_version", "debug", "format", "lang", "limit", "locale", "mode", "page", "protocol", "transport",
	"v", "verbose", "version",
}

// Address returns a URL as a report may show it, and the secrets that it contains. User information
// and the fragment are omitted. A segment of the path is masked if it is not made of ordinary words
// (OrdinaryText) or follows a word such as token. The value of a parameter is masked if its name is
// not known to be harmless; so is a name that is not an ordinary word.
func Address(u *url.URL) (shown string, secrets []string) {
	visible := *u
	visible.User, visible.Fragment, visible.RawFragment = nil, "", ""
	if u.User != nil {
		password, _ := u.User.Password()
		secrets = append(secrets, u.User.Username(), password)
	}
	path, hidden := maskPath(u.EscapedPath())
	query, more := maskQuery(u.RawQuery)
	visible.Path, visible.RawPath, visible.RawQuery, visible.ForceQuery = "", "", "", false
	shown = visible.String() + path
	if query != "" {
		shown += "?" + query
	}
	return shown, slices.Concat(secrets, hidden, more)
}

func maskPath(escaped string) (shown string, secrets []string) {
	segments := strings.Split(escaped, "/")
	before := ""
	for i, segment := range segments {
		text, err := url.PathUnescape(segment)
		if err != nil || !OrdinaryText(text) || precedesCredential(before) && text != "" {
			secrets = append(secrets, text)
			segments[i] = Masked
		}
		before = text
	}
	return strings.Join(segments, "/"), secrets
}

// precedesCredential reports whether a segment indicates that a credential follows.
func precedesCredential(segment string) bool {
	return slices.Contains([]string{"token", "key", "apikey", "api-key", "api_key", "secret", "password"},
		strings.ToLower(segment))
}

func maskQuery(raw string) (shown string, secrets []string) {
	if raw == "" {
		return "", nil
	}
	pairs := strings.Split(raw, "&")
	for i, pair := range pairs {
		name, value, assigned := strings.Cut(pair, "=")
		text, err := url.QueryUnescape(value)
		if err != nil {
			text = value
		}
		plain := slices.Contains(plainParameters, strings.ToLower(name)) && OrdinaryText(text)
		if assigned && text != "" && !plain {
			if IsSecretName(name) || !OrdinaryText(text) {
				secrets = append(secrets, text)
			}
			value = Masked
		}
		if !OrdinaryText(name) {
			secrets = append(secrets, name)
			name = Masked
		}
		pairs[i] = name
		if assigned {
			pairs[i] += "=" + value
		}
	}
	return strings.Join(pairs, "&"), secrets
}

const (
	maxTextLength = 48 // of a segment that is made of words
	maxWordLength = 18
	maxWords      = 7
	maxConsonants = 5 // in a row
)

var (
	betweenWords = regexp.MustCompile(`[-_.~+ ]`)
	plainWord    = regexp.MustCompile(`^([A-Za-z]?[a-z]*|[A-Z]{1,6})[0-9]{0,2}$`)
	plainNumber  = regexp.MustCompile(`^v?[0-9]{1,4}$`)
	consonants   = regexp.MustCompile(`(?i)[bcdfghjklmnpqrstvwxz]+`)
)

// OrdinaryText reports whether a text consists of words, short numbers and versions, such as mcp,
// v1.2, list-tools, getTools and 2025-06-18, and so is not random: a word has at most 18 letters,
// can be pronounced, and has at most two digits at its end.
func OrdinaryText(text string) bool {
	words := betweenWords.Split(text, -1)
	if len(text) > maxTextLength || len(words) > maxWords || IsSecretValue(text) {
		return false
	}
	return !slices.ContainsFunc(words, func(word string) bool { return !ordinaryWord(word) })
}

func ordinaryWord(word string) bool {
	if plainNumber.MatchString(word) {
		return true
	}
	parts := camelParts(word)
	if len(parts) > 1 && len(word) < 3*len(parts) {
		return false
	}
	for _, part := range parts {
		if !plainWord.MatchString(part) || len(part) > maxWordLength {
			return false
		}
		for _, run := range consonants.FindAllString(part, -1) {
			if len(run) > maxConsonants {
				return false
			}
		}
	}
	return true
}

// camelParts splits a word before each capital letter that follows a lower-case one.
func camelParts(word string) []string {
	var parts []string
	start := 0
	for i := 1; i < len(word); i++ {
		if unicode.IsUpper(rune(word[i])) && unicode.IsLower(rune(word[i-1])) {
			parts, start = append(parts, word[start:i]), i
		}
	}
	return append(parts, word[start:])
}

// maskAddress returns what Address shows of a text that is a URL. For a scheme other than those of
// the web, such as that of a database, it shows the path unmasked.
func maskAddress(text string) (shown string, secrets []string, ok bool) {
	scheme, _, found := strings.Cut(text, "://")
	if !found || strings.ContainsAny(scheme, " \t\n/=") {
		return "", nil, false
	}
	u, err := url.Parse(text)
	if err != nil || u.Host == "" && u.User == nil {
		return "", nil, false
	}
	path := ""
	if !slices.Contains([]string{"http", "https", "ws", "wss", "mcp+http", "mcp+https"}, strings.ToLower(u.Scheme)) {
		path = u.EscapedPath()
		u.Path, u.RawPath = "", ""
	}
	shown, secrets = Address(u)
	head, query, asks := strings.Cut(shown, "?")
	if shown = head + path; asks {
		shown += "?" + query
	}
	return shown, secrets, true
}

// address matches what looks like a URL in a text.
var address = regexp.MustCompile(`[A-Za-z][A-Za-z0-9+.-]*://[^\s"'<>]*[^\s"'<>,.;:)]`)

// userOf matches user information in a text that cannot be parsed as a URL.
var userOf = regexp.MustCompile(`(//)[^/?#"']*@|(^|[\s"'])[^/?#\s@"']*:[^/?#\s"']*@`)

// MaskAddresses returns a text with each URL in it as Address shows it. It is for messages that
// repeat what a person wrote.
func MaskAddresses(text string) string {
	text = address.ReplaceAllStringFunc(text, func(found string) string {
		if shown, _, ok := maskAddress(found); ok {
			return shown
		}
		return found
	})
	return userOf.ReplaceAllString(text, "${1}${2}"+Masked+"@")
}
