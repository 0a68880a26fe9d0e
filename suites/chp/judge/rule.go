package judge

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/capconform/capconform/suites/chp/history"
)

// The rules on one object, for live answers and documents alike.

// WrongURI returns the URI that a capability descriptor has to have, and whether it has another
// one. A pair that is unsound is a matter of CHP-3-01 and a matter of CHP-3-02.
func (f *Forms) WrongURI(descriptor history.Object) (want string, wrong bool) {
	id, version := member(f.Descriptor, "id"), member(f.Descriptor, "version")
	if !id.Fits(descriptor["id"]) || !version.Fits(descriptor["version"]) {
		return "", false
	}
	want = history.Pair(descriptor)
	uri := descriptor["capability_uri"]
	return want, uri != nil && uri != want
}

// Recommended are the members that a descriptor may leave out (CHP-3-07).
var Recommended = []string{"input_schema", "output_schema", "invariants", "risk", "assurance", "owner", "tags",
	"metadata"}

// NotRecommended returns the recommended members that a descriptor lacks.
func NotRecommended(descriptor history.Object) []string {
	return slices.DeleteFunc(slices.Clone(Recommended), func(name string) bool { return descriptor[name] != nil })
}

// HidesOldVersion reports whether a host that prefers 0.2 does not declare that it supports 0.1
// (CHP-4-10).
func HidesOldVersion(host history.Object) bool {
	supported, _ := host["supported_versions"].([]any)
	speaksOld := slices.ContainsFunc(supported, func(v any) bool { return fmt.Sprint(v) == "0.1" })
	return fmt.Sprint(host["protocol_version"]) == "0.2" && !speaksOld
}

// ProtocolVersions returns the versions that a host descriptor declares. The host prefers the
// one in protocol_version.
func ProtocolVersions(descriptor history.Object) []string {
	supported, _ := descriptor["supported_versions"].([]any)
	var all []string
	for _, v := range append([]any{descriptor["protocol_version"]}, supported...) {
		switch v.(type) {
		case string, json.Number, float64:
			all = append(all, fmt.Sprint(v))
		}
	}
	return all
}
