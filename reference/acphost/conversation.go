package acphost

import (
	"slices"
	"sync"
)

// Conversation is the conversation of one user, with its stack of capabilities.
type Conversation struct {
	idle chan struct{} // contains one value while no message is being answered

	mutex   sync.Mutex
	stack   []string            // names; the top is last
	history map[string][]object // earlier messages, by the name of the capability
}

// Stack returns the names of the capabilities; the top is last.
func (c *Conversation) Stack() []string {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return slices.Clone(c.stack)
}

// Top returns the name on top, "" if the stack is empty.
func (c *Conversation) Top() string {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if len(c.stack) == 0 {
		return ""
	}
	return c.stack[len(c.stack)-1]
}

// Push puts a name on top. If the name is on the stack already, Push moves it.
func (c *Conversation) Push(name string) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.stack = append(slices.DeleteFunc(c.stack, func(other string) bool { return other == name }), name)
}

// Pop removes the top and returns its name, "" if the stack is empty.
func (c *Conversation) Pop() string {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if len(c.stack) == 0 {
		return ""
	}
	top := c.stack[len(c.stack)-1]
	c.stack = c.stack[:len(c.stack)-1]
	return top
}

// Drop removes a name from any position.
func (c *Conversation) Drop(name string) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.stack = slices.DeleteFunc(c.stack, func(other string) bool { return other == name })
}

// maxMessages is the largest number of messages of a capability that a conversation stores.
const maxMessages = 20

func (c *Conversation) addMessages(name, text, answer string) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	result := append(c.history[name], object{"role": "user", "content": text},
		object{"role": "assistant", "content": answer})
	c.history[name] = result[max(0, len(result)-maxMessages):]
}

func (c *Conversation) earlierMessages(name string) []object {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return slices.Clone(c.history[name])
}
