// Package scope reads the flags that select suites, requirements and the rules for packages.
package scope
