package history

// The stimuli of the suite, as they stand in the record. The names are the same in every
// run.
const (
	Duties = "operations-of-a-router" // what a router cannot do without, asked for nothing
)
