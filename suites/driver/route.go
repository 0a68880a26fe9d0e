package driver

// Route is the address of an operation in the HTTP binding of a protocol.
type Route struct {
	Operation string
	Method    string
	Path      string   // below the URL's path; {name} stands for a member of the params
	Query     []string // the members of the params that travel in the query, where they are scalars
}
