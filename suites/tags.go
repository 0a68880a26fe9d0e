package suites

import (
	"fmt"
	"strings"
	"unicode"
)

// tagExpression is a parsed Cucumber tag expression: tags, and, or, not, parentheses, and backslash
// escapes. The filter of godog uses another syntax and silently selects nothing for such an
// expression, and there is no official parser for Go.
type tagExpression func(tags map[string]bool) bool

type tagParser struct {
	text   string
	tokens []tagToken
	next   int
}

type tagToken struct {
	text   string
	column int
}

// parseTags parses a tag expression. known reports whether a tag exists: an unknown tag is an
// error, because it would select nothing.
func parseTags(text string, known func(tag string) bool) (tagExpression, error) {
	p := &tagParser{text: text, tokens: tagTokens(text)}
	if len(p.tokens) == 0 {
		return nil, usage("--tags: the expression is empty")
	}
	expr, err := p.disjunction(known)
	if err != nil {
		return nil, err
	}
	if t, ok := p.peek(); ok {
		return nil, p.wrong(t, "an operator or the end")
	}
	return expr, nil
}

func tagTokens(text string) []tagToken {
	var tokens []tagToken
	var word strings.Builder
	start := 0
	flush := func() {
		if word.Len() > 0 {
			tokens = append(tokens, tagToken{word.String(), start + 1})
			word.Reset()
		}
	}
	escaped := false
	for i, r := range text {
		switch {
		case escaped:
			word.WriteRune(r)
			escaped = false
		case r == '\\':
			escaped = true
		case r == '(' || r == ')':
			flush()
			tokens = append(tokens, tagToken{string(r), i + 1})
		case unicode.IsSpace(r):
			flush()
		default:
			if word.Len() == 0 {
				start = i
			}
			word.WriteRune(r)
		}
	}
	flush()
	return tokens
}

func (p *tagParser) peek() (tagToken, bool) {
	if p.next < len(p.tokens) {
		return p.tokens[p.next], true
	}
	return tagToken{"", len(p.text) + 1}, false
}

func (p *tagParser) take(word string) bool {
	t, ok := p.peek()
	if ok && t.text == word {
		p.next++
		return true
	}
	return false
}

func (p *tagParser) wrong(t tagToken, want string) error {
	got := fmt.Sprintf("%q", t.text)
	if t.text == "" {
		got = "the end"
	}
	return usage("--tags: column %d: want %s, got %s in %q", t.column, want, got, p.text)
}

func (p *tagParser) disjunction(known func(string) bool) (tagExpression, error) {
	return p.chain("or", known, (*tagParser).conjunction, func(a, b bool) bool { return a || b })
}

func (p *tagParser) conjunction(known func(string) bool) (tagExpression, error) {
	return p.chain("and", known, (*tagParser).factor, func(a, b bool) bool { return a && b })
}

type tagRule func(*tagParser, func(string) bool) (tagExpression, error)

func (p *tagParser) chain(
	word string, known func(string) bool, part tagRule, join func(a, b bool) bool,
) (tagExpression, error) {
	left, err := part(p, known)
	for err == nil && p.take(word) {
		var right tagExpression
		right, err = part(p, known)
		l := left
		left = func(tags map[string]bool) bool { return join(l(tags), right(tags)) }
	}
	return left, err
}

func (p *tagParser) factor(known func(string) bool) (tagExpression, error) {
	if p.take("not") {
		inner, err := p.factor(known)
		return func(tags map[string]bool) bool { return !inner(tags) }, err
	}
	if p.take("(") {
		inner, err := p.disjunction(known)
		if err == nil && !p.take(")") {
			t, _ := p.peek()
			err = p.wrong(t, "a closing parenthesis")
		}
		return inner, err
	}
	t, ok := p.peek()
	if !ok || !strings.HasPrefix(t.text, "@") {
		return nil, p.wrong(t, "a tag that begins with @")
	}
	if !known(t.text) {
		return nil, usage("--tags: column %d: no scenario has the tag %s (capconform list scenarios shows them)",
			t.column, t.text)
	}
	p.next++
	return func(tags map[string]bool) bool { return tags[t.text] }, nil
}
