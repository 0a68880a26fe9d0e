package driver

import (
	"encoding/base64"
	"encoding/json"
	"net/url"
	"strings"
)

// maxParts bounds the parts of one value that are masked separately.
const maxParts = 64

// credentialParts returns a value and the credentials in it, which a target may show separately:
// the text after a scheme (Bearer), user and password of Basic and of a URL, the path and query of
// a URL as Address reads them, the lines of a key, the pairs of a cookie or a connection string,
// and the texts of a JSON object.
func credentialParts(value string) []string {
	trimmed := strings.TrimSpace(value)
	parts := []string{value, trimmed}
	if scheme, credential, ok := strings.Cut(trimmed, " "); ok && !strings.Contains(trimmed, "\n") {
		credential = strings.TrimSpace(credential)
		parts = append(parts, credential)
		if strings.EqualFold(scheme, "Basic") {
			parts = append(parts, basicParts(credential)...)
		}
	}
	if _, hidden, ok := maskAddress(trimmed); ok {
		parts = append(parts, hidden...)
		if u, err := url.Parse(trimmed); err == nil && u.User != nil {
			parts = append(parts, u.User.String())
		}
	}
	parts = append(parts, pairParts(trimmed)...)
	parts = append(parts, jsonParts(trimmed)...)
	return parts[:min(len(parts), maxParts)]
}

func basicParts(credential string) []string {
	decoded, err := base64.StdEncoding.DecodeString(credential)
	if err != nil {
		return nil
	}
	user, password, _ := strings.Cut(string(decoded), ":")
	return []string{string(decoded), user, password}
}

// pairParts returns the lines of a text, or the values of pairs such as a=b; c=d.
func pairParts(text string) []string {
	if strings.Contains(text, "\n") {
		return strings.Split(text, "\n")
	}
	var values []string
	for _, pair := range strings.FieldsFunc(text, func(r rune) bool { return r == ';' || r == ',' || r == '&' }) {
		if name, value, ok := strings.Cut(strings.TrimSpace(pair), "="); ok && (IsSecretName(name) || !OrdinaryText(value)) {
			values = append(values, strings.Trim(value, `"' `))
		}
	}
	return values
}

// jsonParts returns the texts of a JSON object that are credentials by name or form, or are not
// ordinary words.
func jsonParts(text string) []string {
	var object map[string]any
	if !strings.HasPrefix(text, "{") || json.Unmarshal([]byte(text), &object) != nil {
		return nil
	}
	var values []string
	var visit func(name string, value any)
	visit = func(name string, value any) {
		switch v := value.(type) {
		case string:
			if IsSecretName(name) || !OrdinaryText(v) {
				values = append(values, v)
			}
		case map[string]any:
			for inner, member := range v {
				visit(inner, member)
			}
		case []any:
			for _, item := range v {
				visit(name, item)
			}
		}
	}
	visit("", object)
	return values
}
