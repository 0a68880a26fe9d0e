package instance

import "regexp/syntax"

// alphabets are the characters of strings for a pattern: letters and digits if the pattern permits
// them, otherwise printable ASCII.
var alphabets = [][]rune{{'0', '9', 'A', 'Z', 'a', 'z'}, {' ', '~'}}

// narrowed rewrites a pattern so that its classes and dots contain only characters of the
// alphabets. If that is impossible, the pattern stays unchanged: the results are filtered in any
// case.
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

// intersection returns the intersection of two lists of ranges, each a pair of runes.
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
