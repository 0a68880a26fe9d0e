// Package admission decides which capabilities the policy safe admits (DESIGN section
// 10). Safe is an allow list: what a capability says of itself must show that it reads
// or computes, and nothing that it says may show that it changes something. The package
// knows no protocol and makes no call.
package admission
