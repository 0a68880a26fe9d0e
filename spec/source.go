package spec

import (
	"net/url"
	"slices"
	"strings"
	"unicode"
)

// isAddress reports whether a text is an address that a report may link to: https, without credentials, and of
// characters that can be seen.
func isAddress(text string) bool {
	u, err := url.Parse(text)
	unseen := func(r rune) bool { return unicode.IsSpace(r) || !unicode.IsPrint(r) }
	return err == nil && u.Scheme == "https" && u.Host != "" && u.User == nil && !strings.ContainsFunc(text, unseen)
}

// addresses checks the addresses of the published text.
func (v *validation) addresses(at lines) {
	for page, address := range v.c.Published {
		isPage := func(r Requirement) bool { name, _, _ := strings.Cut(r.Section, ": "); return name == page }
		if !slices.ContainsFunc(v.c.Requirements, isPage) {
			v.reject(1, "published: no section is of the page %q", page)
		}
		if !isAddress(address) {
			v.reject(1, "published: the address of %s is %q, want https without credentials", page, address)
		}
	}
	for i, r := range v.c.Requirements {
		if r.Source != "" && !isAddress(r.Source) {
			v.reject(at.requirements[i], "%s: source is %q, want an address with https and without credentials", r.ID, r.Source)
		}
	}
}

// addSources gives each requirement without a source the address of its section, if its page is published.
func (c *Catalogue) addSources() {
	for i := range c.Requirements {
		r := &c.Requirements[i]
		page, heading, _ := strings.Cut(r.Section, ": ")
		address := c.Published[page]
		if r.Source != "" || address == "" {
			continue
		}
		if r.Source = address; heading != "" {
			r.Source += "#" + anchor(heading)
		}
	}
}

// anchor returns the name of a heading in an address: small letters, digits and hyphens.
func anchor(heading string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ' || r == '-':
			return '-'
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			return unicode.ToLower(r)
		}
		return -1
	}, heading)
}

// Dispute says what to do about a reading that seems wrong.
func (r Requirement) Dispute() string {
	return "Tell those who keep the catalogue. Name " + r.ID + " and the sentence, and attach the report and the record of " +
		"the run (capconform run --report report.json --record record.jsonl)."
}
