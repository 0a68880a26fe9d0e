// Package admission decides which capabilities the policy safe admits (DESIGN section 10). Safe is
// an allow list: the description of a capability must show that it reads or computes, and nothing
// in it may show that it changes something. The package is independent of protocols and makes no
// calls.
package admission
