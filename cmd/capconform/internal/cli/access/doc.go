// Package access decides how a target is reached: it reads the words of the command line, target files and headers,
// and contains the only list of drivers.
package access
