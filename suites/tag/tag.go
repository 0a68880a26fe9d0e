// Package tag parses the tag expressions of Cucumber: tags, and, or, not, parentheses, and backslash escapes. The
// filter of godog uses another syntax and silently selects nothing for such an expression, and there is no official
// parser for Go.
package tag

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
)

// Expression is a parsed tag expression. It reports whether a scenario with these tags is selected.
type Expression func(tags map[string]bool) bool

type parser struct {
	text   string
	tokens []token
	next   int
}

type token struct {
	text   string
	column int
}

// Parse parses a tag expression. The function known reports whether a tag exists: an unknown tag is an error, because
// it would select nothing. The error is one line and names the column, from 1.
func Parse(text string, known func(tag string) bool) (Expression, error) {
	p := &parser{text: text, tokens: split(text)}
	if len(p.tokens) == 0 {
		return nil, errors.New("the expression is empty")
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

func split(text string) []token {
	var tokens []token
	var word strings.Builder
	start := 0
	flush := func() {
		if word.Len() > 0 {
			tokens = append(tokens, token{word.String(), start + 1})
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
			tokens = append(tokens, token{string(r), i + 1})
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

func (p *parser) peek() (token, bool) {
	if p.next < len(p.tokens) {
		return p.tokens[p.next], true
	}
	return token{"", len(p.text) + 1}, false
}

func (p *parser) take(word string) bool {
	t, ok := p.peek()
	if ok && t.text == word {
		p.next++
		return true
	}
	return false
}

func (p *parser) wrong(t token, want string) error {
	got := fmt.Sprintf("%q", t.text)
	if t.text == "" {
		got = "the end"
	}
	return fmt.Errorf("column %d: want %s, got %s in %q", t.column, want, got, p.text)
}

func (p *parser) disjunction(known func(string) bool) (Expression, error) {
	return p.chain("or", known, (*parser).conjunction, func(a, b bool) bool { return a || b })
}

func (p *parser) conjunction(known func(string) bool) (Expression, error) {
	return p.chain("and", known, (*parser).factor, func(a, b bool) bool { return a && b })
}

type grammarRule func(*parser, func(string) bool) (Expression, error)

func (p *parser) chain(
	word string, known func(string) bool, part grammarRule, join func(a, b bool) bool,
) (Expression, error) {
	left, err := part(p, known)
	for err == nil && p.take(word) {
		var right Expression
		right, err = part(p, known)
		l := left
		left = func(tags map[string]bool) bool { return join(l(tags), right(tags)) }
	}
	return left, err
}

func (p *parser) factor(known func(string) bool) (Expression, error) {
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
		return nil, fmt.Errorf("column %d: no scenario has the tag %s (capconform list scenarios shows them)",
			t.column, t.text)
	}
	p.next++
	return func(tags map[string]bool) bool { return tags[t.text] }, nil
}
