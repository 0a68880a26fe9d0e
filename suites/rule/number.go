package rule

import (
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"reflect"

	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
)

// maxDigits bounds the length of a number that is read exactly. A longer one is no value.
const maxDigits = 400

// numberType is the type of a number that is not an integer of 64 bits.
var numberType = types.NewOpaqueType("number")

// number is a number that no integer of 64 bits equals. It compares exactly.
type number struct {
	*big.Rat
	text json.Number
}

// numberOf returns a JSON number as a value: an integer if it is whole and has at most 64 bits (7.0 is 7).
func numberOf(n json.Number) ref.Val {
	if len(n) > maxDigits {
		return types.NewErr("a number of %d digits", len(n))
	}
	if i, err := n.Int64(); err == nil {
		return types.Int(i)
	}
	if exponent(n) > maxDigits {
		return types.NewErr("a number with a large exponent")
	}
	r, ok := new(big.Rat).SetString(string(n))
	if !ok {
		return types.NewErr("no number: %s", n)
	}
	if r.IsInt() && r.Num().IsInt64() {
		return types.Int(r.Num().Int64())
	}
	if r.IsInt() && r.Num().IsUint64() {
		return types.Uint(r.Num().Uint64())
	}
	return number{r, n}
}

// exponent returns the absolute value of the exponent of a number, 0 if it has none.
func exponent(n json.Number) int {
	var whole, e int
	for i, c := range string(n) {
		if c == 'e' || c == 'E' {
			if _, err := fmt.Sscanf(string(n)[i+1:], "%d", &e); err != nil {
				return math.MaxInt
			}
			whole = max(e, -e)
		}
	}
	return whole
}

// rational returns the exact value of a number of any type.
func rational(v ref.Val) (*big.Rat, bool) {
	switch v := v.(type) {
	case types.Int:
		return new(big.Rat).SetInt64(int64(v)), true
	case types.Uint:
		return new(big.Rat).SetUint64(uint64(v)), true
	case types.Double:
		r := new(big.Rat).SetFloat64(float64(v))
		return r, r != nil
	case number:
		return v.Rat, true
	}
	return nil, false
}

// Compare implements traits.Comparer.
func (n number) Compare(other ref.Val) ref.Val {
	r, is := rational(other)
	if !is {
		return types.MaybeNoSuchOverloadErr(other)
	}
	return types.Int(n.Cmp(r))
}

// ConvertToNative implements ref.Val.
func (n number) ConvertToNative(to reflect.Type) (any, error) {
	return nil, fmt.Errorf("rule: a number is not a %s", to)
}

// ConvertToType implements ref.Val.
func (n number) ConvertToType(to ref.Type) ref.Val {
	switch to.TypeName() {
	case types.StringType.TypeName():
		return types.String(n.RatString())
	case types.TypeType.TypeName():
		return numberType
	}
	return types.NewErr("a number is not a %s", to.TypeName())
}

// Equal implements ref.Val.
func (n number) Equal(other ref.Val) ref.Val {
	r, is := rational(other)
	return types.Bool(is && n.Cmp(r) == 0)
}

// Type implements ref.Val.
func (n number) Type() ref.Type { return numberType }

// Value implements ref.Val.
func (n number) Value() any { return n.Rat }
