package instance

import "regexp/syntax"

// alphabets are what a string for a pattern is made of: letters and digits
// where the pattern leaves a choice, else printable ASCII.
var alphabets = [][]rune{{'0', '9', 'A', 'Z', 'a', 'z'}, {' ', '~'}}

// narrowed rewrites a pattern so that its classes and dots stand for characters
// of the alphabets only. Where it can't, the pattern stays as it is: what comes
// of it is filtered anyway.
func narrowed(pattern string) string {
	tree, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return pattern
	}
	narrow(tree)
	return tree.String()
}

func narrow(re *syntax.Regexp) {
	switch re.Op {
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		re.Op, re.Rune = syntax.OpCharClass, alphabets[0]
	case syntax.OpCharClass:
		for _, alphabet := range alphabets {
			if common := intersection(re.Rune, alphabet); len(common) > 0 {
				re.Rune = common
				break
			}
		}
	}
	for _, sub := range re.Sub {
		narrow(sub)
	}
}

// intersection of two lists of ranges, each a pair of runes.
func intersection(a, b []rune) []rune {
	var common []rune
	for i := 0; i+1 < len(a); i += 2 {
		for j := 0; j+1 < len(b); j += 2 {
			if low, high := max(a[i], b[j]), min(a[i+1], b[j+1]); low <= high {
				common = append(common, low, high)
			}
		}
	}
	return common
}
