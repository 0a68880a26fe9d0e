// Package spelling measures the distance of two spellings.
package spelling

// longest is the length of the longest text that is compared, in letters. Texts come from
// documents, and the time grows with the square of their length.
const longest = 200

// Distance returns the number of letters to insert, remove, replace or swap with a neighbor
// until a is b. If that is limit or more, or a text is too long to compare, it returns limit.
//
// It is written by hand because the maintained libraries count a swap as two changes.
func Distance(a, b string, limit int) int {
	if a == b {
		return min(0, limit)
	}
	if max(len(a), len(b)) > 4*longest {
		return limit
	}
	x, y := []rune(a), []rune(b)
	if max(len(x), len(y)) > longest || len(x)-len(y) >= limit || len(y)-len(x) >= limit {
		return limit
	}
	before, last, row := make([]int, len(y)+1), make([]int, len(y)+1), make([]int, len(y)+1)
	for j := range row {
		row[j] = j
	}
	for i := range x {
		before, last, row = last, row, before
		row[0] = i + 1
		for j := range y {
			cost := 1
			if x[i] == y[j] {
				cost = 0
			}
			row[j+1] = min(last[j]+cost, last[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && x[i] == y[j-1] && x[i-1] == y[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
	}
	return min(row[len(y)], limit)
}
