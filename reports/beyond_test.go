package reports

import "testing"

func TestBeyond(t *testing.T) {
	for want, s := range map[string]Suite{
		"": {SpecVersion: "0.1", Actors: []string{"host"}, Declared: []string{"0.1"}},
		"The host prefers 0.2, which was not examined.": {SpecVersion: "0.1", Actors: []string{"host"},
			Declared: []string{"0.2", "0.1"}},
		"The host declares 0.2, which was not examined.": {SpecVersion: "0.1", Actors: []string{"host"},
			Declared: []string{"0.2"}},
		"The host also declares 0.2 and 0.3, which were not examined.": {SpecVersion: "0.1", Actors: []string{"host"},
			Declared: []string{"0.1", "0.2", "0.3"}},
		"The target file omits actors that the subject also plays: router, runtime.": {
			SpecVersion: "1", Actors: []string{"index"}, LeftOut: []string{"router", "runtime"},
		},
		"1 of 3 capabilities were invoked. The host declares 0.2, which was not examined.": {SpecVersion: "0.1",
			Actors: []string{"host"}, Declared: []string{"0.2"}, Invoked: []Invoked{{Capability: "a"}, {Calls: 2}},
			NotInvoked: []NotInvoked{{Capability: "b"}, {Capability: "c"}}},
	} {
		if got := s.Unexamined(); got != want {
			t.Errorf("want %q, got %q", want, got)
		}
	}
}
