package acphost

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"
)

// router routes messages to packages.
type router struct{ *Host }

func (h router) conversation(name string) *Conversation {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	c := h.conversations[name]
	if c == nil {
		c = &Conversation{idle: make(chan struct{}, 1), history: map[string][]object{}}
		c.idle <- struct{}{}
		h.conversations[name] = c
	}
	return c
}

// message implements acp.message: it answers one message of a user when the turn is over.
func (h router) message(ctx context.Context, params object) (any, error) {
	name, isName := params["conversation"].(string)
	text, isText := params["text"].(string)
	if !isName || !isText {
		return nil, refuse("conversation and text must be strings")
	}
	c := h.conversation(name)
	select {
	case <-c.idle:
		defer func() { c.idle <- struct{}{} }()
	case <-ctx.Done():
		return nil, fmt.Errorf("acphost: %w", ctx.Err())
	}
	answer, err := h.answer(ctx, c, text)
	if err != nil {
		return nil, err
	}
	return object{"text": answer}, nil
}

func (h router) answer(ctx context.Context, c *Conversation, text string) (string, error) {
	order, argument, _ := strings.Cut(strings.TrimSpace(text), " ")
	if command := h.Commands[order]; command != nil {
		return command(c, strings.TrimSpace(argument)), nil
	}
	h.prune(c)
	p := h.Route(ctx, c, text)
	if p == nil {
		return h.Fallback(ctx, c, text)
	}
	return turns{prompter(h)}.run(ctx, c, p, text)
}

// prune removes packages that are no longer installed from the stack.
func (h router) prune(c *Conversation) {
	for _, name := range c.Stack() {
		if h.Find(name) == nil {
			c.Drop(name)
		}
	}
}

// state implements acp.state, which shows the stack and the installed packages.
func (h router) state(_ context.Context, params object) (any, error) {
	installed, stack := []any{}, []any{}
	for _, p := range h.Installed() {
		installed = append(installed, p.URI)
	}
	c := h.conversation(stringOf(params["conversation"]))
	h.prune(c)
	for _, name := range c.Stack() {
		if p := h.Find(name); p != nil {
			stack = append(stack, p.URI)
		}
	}
	return object{"stack": stack, "installed": installed}, nil
}

func (h router) routing() Routing {
	return Routing{
		Commands: map[string]func(*Conversation, string) string{"/back": h.goBack, "/switch": h.switchTo},
		Find:     h.findInstalled,
		Route:    h.route,
		Classify: h.classify,
		Triggers: map[string]func(value, text string) bool{"regex": h.matchRegex, "keyword": matchKeyword},
		ReplaceActive: func(c *Conversation, from, to *Package) {
			if from != nil {
				c.Drop(from.Name)
			}
			c.Push(to.Name)
		},
		Fallback:      prompter(h).fallback,
		Finished:      func(r Result) bool { return r.Done },
		Leave:         func(c *Conversation, p *Package) { c.Drop(p.Name) },
		AnswerTimeout: func() (longest time.Duration) { return h.currentConfiguration().AnswerTimeout },
		GiveUp: func(c *Conversation, p *Package) string {
			c.Drop(p.Name)
			return p.title() + " took too long and was ended."
		},
	}
}

func (h router) goBack(c *Conversation, _ string) string {
	if p := h.Find(c.Pop()); p != nil {
		return "Left " + p.title() + "."
	}
	return "There is no capability to leave."
}

// switchTo switches to a capability by its name or its URI.
func (h router) switchTo(c *Conversation, argument string) string {
	name, _, _ := strings.Cut(strings.TrimPrefix(argument, "did:nuwa:cap:"), "@")
	p := h.Find(name)
	if p == nil {
		return fmt.Sprintf("No capability %.80q is installed.", argument)
	}
	c.Push(p.Name)
	return "Switched to " + p.title() + "."
}

// route tests the triggers of the active capability first, then those of all others. A message that
// matches none stays with the active capability.
func (h router) route(ctx context.Context, c *Conversation, text string) *Package {
	top := h.Find(c.Top())
	if top != nil && h.MatchesTrigger(top, text) {
		return top
	}
	if p := h.Classify(ctx, text); p != nil {
		h.ReplaceActive(c, top, p)
		return p
	}
	return top
}

func (h router) classify(_ context.Context, text string) *Package {
	for _, p := range h.Installed() {
		if h.MatchesTrigger(p, text) {
			return p
		}
	}
	return nil
}

// matchRegex reports whether a regular expression matches a text. Each expression is compiled only once.
func (h router) matchRegex(value, text string) bool {
	known, is := h.expressions.Load(value)
	if !is {
		known, _ = h.expressions.LoadOrStore(value, compileExpression(value))
	}
	matches, is := known.(func(string) bool)
	return is && matches(text)
}

// compileExpression returns a function that reports whether a regular expression matches. An invalid
// expression matches nothing. Most expressions are words separated by |, and searching for words is
// faster.
func compileExpression(value string) func(text string) bool {
	compiled, err := regexp.Compile(value)
	if err != nil {
		return func(string) bool { return false }
	}
	words := strings.Split(value, "|")
	if slices.ContainsFunc(words, func(word string) bool { return word == "" || regexp.QuoteMeta(word) != word }) {
		return compiled.MatchString
	}
	return func(text string) bool {
		return slices.ContainsFunc(words, func(word string) bool { return strings.Contains(text, word) })
	}
}

func matchKeyword(value, text string) bool {
	return value != "" && strings.Contains(strings.ToLower(text), strings.ToLower(value))
}

// findInstalled returns the installed package with a name, the latest version if there are several.
func (h router) findInstalled(name string) *Package {
	var found *Package
	for _, p := range h.Installed() {
		if p.Name == name && (found == nil || p.Version != nil && found.Version != nil &&
			p.Version.GreaterThan(found.Version)) {
			found = p
		}
	}
	return found
}
