package document

// Limits bound what is read. A zero field stands for its default.
type Limits struct {
	Size   int // bytes of a file; 0 means 8 MiB
	Depth  int // levels of nesting; 0 means 256
	Values int // values of a file, aliases followed; 0 means 400,000
}

// WithDefaults returns the limits with each zero field replaced by its default.
func (l Limits) WithDefaults() Limits {
	for _, f := range []struct {
		field *int
		value int
	}{{&l.Size, 8 << 20}, {&l.Depth, 256}, {&l.Values, 400_000}} {
		if *f.field == 0 {
			*f.field = f.value
		}
	}
	return l
}
