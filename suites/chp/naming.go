package chpsuite

import (
	"slices"
	"strings"
	"unicode"
)

// sameName tells whether two ids of a capability differ in spelling alone: in case, in signs, or in
// a version behind it, as the stable URI has it.
func sameName(one, other string) bool {
	return plainName(one) == plainName(other) || plainName(unversioned(one)) == plainName(other)
}

func plainName(id string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, id)
}

func unversioned(id string) string {
	if at := strings.LastIndexAny(id, ":@"); at > 0 {
		return id[:at]
	}
	return id
}

// handsOn are words of a kind of host that hands invocations on to others.
var handsOn = []string{"gateway", "router", "proxy", "mesh", "federat", "multi", "relay", "broker", "aggregat", "hub"}

// namesHost tells whether what the host says of itself names another host, or is of a host that
// hands invocations on.
func (e *examination) namesHost(id string) bool {
	kind, _ := e.host.result["kind"].(string)
	if slices.ContainsFunc(handsOn, func(word string) bool { return strings.Contains(strings.ToLower(kind), word) }) {
		return true
	}
	for name, v := range e.host.result {
		if !slices.Contains([]string{"id", "kind", "version", "protocol_version"}, name) && mentions(v, id) {
			return true
		}
	}
	return mentions(e.discovery.result["capabilities"], id)
}

// namesHost tells whether an event of the invocation says more of another host than that it wrote
// the event.
func (a *attempt) namesHost(id string) bool {
	for _, ev := range a.events() {
		for name, v := range ev.members() {
			if name != "host_id" && name != "event_type" && mentions(v, id) {
				return true
			}
		}
	}
	return false
}

// mentions tells whether a text stands anywhere in a value, as a member name or as a value.
func mentions(v any, text string) bool {
	switch v := v.(type) {
	case string:
		return v == text
	case []any:
		return slices.ContainsFunc(v, func(item any) bool { return mentions(item, text) })
	case object:
		for name, item := range v {
			if name == text || mentions(item, text) {
				return true
			}
		}
	}
	return false
}
