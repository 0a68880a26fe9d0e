// Package environment plays what an ACP router, index or publisher talks to in
// real life: content gateway, DID resolver, language model, services behind tool
// bindings, and chain. All of it listens on loopback (suites/acp/ADAPTER.md).
package environment
