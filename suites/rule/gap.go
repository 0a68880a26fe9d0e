package rule

import (
	"cel.dev/cel-go/common/types"

	"github.com/capconform/capconform/suites/verdict"
)

// Gap is something that a history does not know.
type Gap struct {
	// Reason is why it is not known.
	Reason error
	// Blocks states that a rule that depends on the gap decides nothing, whatever else it judged. An answer that
	// was lost blocks; evidence that a host need not keep does not.
	Blocks bool
	// Settle is the stimulus that would close the gap, the zero value if none would.
	Settle verdict.Settle
}

func (g *Gap) settles() bool { return g.Settle.Stimulus != "" }

// unknown returns the value of a gap.
func (v *View) unknown(g *Gap) *types.Unknown {
	id, known := v.gapIDs[g]
	if !known {
		v.gaps = append(v.gaps, g)
		id = int64(len(v.gaps))
		v.gapIDs[g] = id
	}
	return types.NewUnknown(id, types.NewAttributeTrail("gap"))
}

// gapsOf returns the gaps that an unknown value depends on.
func (v *View) gapsOf(u *types.Unknown) []*Gap {
	var all []*Gap
	for _, id := range u.IDs() {
		if id > 0 && int(id) <= len(v.gaps) {
			all = append(all, v.gaps[id-1])
		}
	}
	return all
}
