package instance

import (
	"errors"
	"math/big"
)

// numberFor finds a number within bounds, the smallest positive ones first, and those that are also
// valid in doubles before any other.
func (state *search) numberFor(d *demand, integer bool, vary int) (any, error) {
	b := d.bounds(integer)
	step := b.stepSize()
	var shaky *big.Rat
	for _, start := range b.starts(step) {
		if vary > 0 {
			moved := new(big.Rat).Mul(step, big.NewRat(int64(vary), 1))
			up := new(big.Rat).Add(start, moved)
			if !b.holds(up) {
				up = new(big.Rat).Sub(start, moved)
			}
			start = up
		}
		switch {
		case !b.holds(start):
		case d.sameAsDouble(start):
			return jsonNumber(start), nil
		case shaky == nil:
			shaky = start
		}
	}
	if vary > 0 {
		return state.numberFor(d, integer, vary/2)
	}
	if shaky != nil {
		state.doubt = "in doubles the number " + decimal(shaky) + " is judged in another way"
		return jsonNumber(shaky), nil
	}
	return nil, errors.New("no number lies within its bounds")
}

// stepSize returns the distance between neighbours.
func (b bounds) stepSize() *big.Rat {
	switch {
	case b.step == nil && !b.integer && b.narrow():
		width := new(big.Rat).Sub(b.high, b.low)
		return width.Quo(width, big.NewRat(64, 1))
	case b.step == nil:
		return big.NewRat(1, 1)
	case b.integer:
		return new(big.Rat).SetInt(b.step.Num())
	}
	return b.step
}

func (b bounds) narrow() bool {
	if b.low == nil || b.high == nil {
		return false
	}
	width := new(big.Rat).Sub(b.high, b.low)
	return width.Sign() > 0 && width.Cmp(big.NewRat(2, 1)) <= 0
}

// starts lists where to search: one, the neighbours of each bound, the middle, and the numbers
// whose distance from a bound is that of the bound from zero.
func (b bounds) starts(step *big.Rat) []*big.Rat {
	starts := []*big.Rat{big.NewRat(1, 1), new(big.Rat).Set(step)}
	for _, bound := range []*big.Rat{b.low, b.high} {
		if bound == nil {
			continue
		}
		onGrid := floorTo(bound, step)
		starts = append(starts, new(big.Rat).Set(bound), onGrid, new(big.Rat).Add(onGrid, step),
			new(big.Rat).Sub(onGrid, step))
	}
	if b.low != nil && b.high != nil && !b.integer && b.step == nil {
		middle := new(big.Rat).Add(b.low, b.high)
		starts = append([]*big.Rat{starts[0], middle.Quo(middle, big.NewRat(2, 1))}, starts[1:]...)
	}
	for _, bound := range []*big.Rat{b.low, b.high} {
		if bound != nil {
			starts = append(starts, floorTo(new(big.Rat).Add(bound, bound), step))
		}
	}
	return append(starts, new(big.Rat))
}

func floorTo(x, step *big.Rat) *big.Rat {
	q := new(big.Rat).Quo(x, step)
	whole := new(big.Int).Div(q.Num(), q.Denom()) // Euclidean, the denominator is positive: floor
	return q.Mul(new(big.Rat).SetInt(whole), step)
}

func (b bounds) holds(x *big.Rat) bool {
	if b.integer && !x.IsInt() || b.step != nil && !new(big.Rat).Quo(x, b.step).IsInt() {
		return false
	}
	if b.low != nil && (x.Cmp(b.low) < 0 || b.openLow && x.Cmp(b.low) == 0) {
		return false
	}
	return b.high == nil || x.Cmp(b.high) < 0 || !b.openHigh && x.Cmp(b.high) == 0
}
