// Package golden contains the golden files of the selftest: the requirements that each host and
// document leaves undecided, and the requirements that were judged on every lawful host and
// document. make golden writes the files into the folder of this package.
package golden

import "embed"

//go:embed *.yaml *.judged
var files embed.FS
