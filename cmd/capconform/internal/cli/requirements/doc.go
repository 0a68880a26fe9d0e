// Package requirements contains the commands about the requirements and how they are proved: list,
// explain, coverage, spec and selftest.
package requirements
