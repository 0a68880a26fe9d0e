package instance

import (
	"math"
	"math/big"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// sameAsDouble reports whether a host with numbers as doubles judges x like exact arithmetic does, by
// every subschema of the demand. JSON promises no more than doubles (RFC 8259, section 6), so an
// input that differs from a valid one only beyond their precision proves nothing about a host.
func (d *demand) sameAsDouble(x *big.Rat) bool {
	near, fits := double(x)
	if !fits || x.IsInt() != isWhole(near) {
		return false
	}
	for _, f := range d.facets {
		for _, bound := range append(edges(f), numbersIn(f)...) {
			limit, fits := double(bound)
			if !fits || x.Cmp(bound) != compare(near, limit) || x.Cmp(bound) == 0 && bound.IsInt() && !isExactDouble(bound) {
				return false
			}
		}
		if f.MultipleOf != nil && !sameMultipleAsDouble(x, f.MultipleOf) {
			return false
		}
	}
	return true
}

// sameMultipleAsDouble reports whether a division of doubles, which most validators use, agrees with exact
// arithmetic on whether the quotient by the step is an integer: for 0.29 by 0.01 it does not.
func sameMultipleAsDouble(x, step *big.Rat) bool {
	dividend, _ := double(x)
	divisor, fits := double(step)
	return fits && divisor != 0 && new(big.Rat).Quo(x, step).IsInt() == isWhole(dividend/divisor)
}

// edges lists the bounds of a subschema.
func edges(f *jsonschema.Schema) []*big.Rat {
	var all []*big.Rat
	for _, bound := range []*big.Rat{f.Minimum, f.Maximum, f.ExclusiveMinimum, f.ExclusiveMaximum} {
		if bound != nil {
			all = append(all, bound)
		}
	}
	return all
}

// numbersIn lists the numbers of const and enum.
func numbersIn(f *jsonschema.Schema) []*big.Rat {
	var values []any
	if f.Const != nil {
		values = append(values, *f.Const)
	}
	if f.Enum != nil {
		values = append(values, f.Enum.Values...)
	}
	var all []*big.Rat
	for _, value := range values {
		if x := ratOf(value); x != nil {
			all = append(all, x)
		}
	}
	return all
}

// double returns the nearest double. The result is false if that is infinite.
func double(x *big.Rat) (near float64, fits bool) {
	near, _ = x.Float64()
	return near, !math.IsInf(near, 0)
}

// isExactDouble reports whether a double represents a number. Beyond 2^53, a host may represent a number in
// digits exactly and the same number with an exponent as a double, so that the two differ.
func isExactDouble(x *big.Rat) bool {
	_, exact := x.Float64()
	return exact
}

func isWhole(x float64) bool { return x == math.Trunc(x) }

func compare(a, b float64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}
