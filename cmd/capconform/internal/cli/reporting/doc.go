// Package reporting contains the commands about reports: convert, diff, matrix, merge, sign, site and
// verify.
package reporting
