package spec

import "testing"

func TestKeywordOf(t *testing.T) {
	tests := []struct{ text, want string }{
		{"A parcel MUST be sealed.", "MUST"},
		{"sealMUST be whole.", "MUST"},
		{"It MUSTlabelitself.", "MUST"},
		{"The code MUSTNOT_FOUND be.", "MUST"},
		{"A parcel **MUST** be sealed.", "MUST"},
		{"A parcel _MUST_ be sealed.", "MUST"},
		{"A parcel MUST NOT leak.", "MUST NOT"},
		{"A parcel MUST  NOT leak.", "MUST NOT"},
		{"A parcel MUSTNOT leak.", "MUST NOT"},
		{"A label SHALL be there.", "SHALL"},
		{"labelSHOULD be large.", "SHOULD"},
		{"A label SHOULD NOT be wet.", "SHOULD NOT"},
		{"Paper is RECOMMENDED.", "RECOMMENDED"},
		{"Tape is NOT RECOMMENDED.", "NOT RECOMMENDED"},
		{"A stamp is REQUIRED here.", "REQUIRED"},
		{"A ribbon is OPTIONAL.", "OPTIONAL"},
		{"Sealing (MANDATORY)", "MANDATORY"},
		{"A ribbon MAY be added.", "MAY"},
		{"A ribbon MAY be added, but it MUST NOT hide the label.", "MUST NOT"},
		{"A depot MAY sort, but a carrier must deliver.", "must"},
		{"A carrier must not open it.", "must not"},
		{"Must be dry.", "must"},
		{"carriermust deliver.", "must"},
		{"It should be light.", "should"},
		{"Mustard is on the shoulder.", ""},
		{"must_use_parcels: 3", ""},
		{"PARCEL_MUST is a constant.", ""},
		{"MUST_SEAL is a constant.", ""},
		{"DISMAY and MAYBE and SHALLOW.", ""},
		{"It may rain, and paper is required.", ""},
		{"Nothing to see.", ""},
	}
	for _, test := range tests {
		if got := keywordOf(test.text); got != test.want {
			t.Errorf("keywordOf(%q) = %q, want %q", test.text, got, test.want)
		}
	}
}
