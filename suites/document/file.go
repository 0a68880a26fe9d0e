package document

// File is a document file that was read.
type File struct {
	Path  string
	Roots []*Node // one for JSON; one for each document of a YAML stream that is not empty; none if there is a Log
	Log   *Log    // of a file that is read value by value, otherwise nil
	Text  []byte  // the bytes of the file, if it is held completely
	Err   *Error  // of an unreadable file that belongs to a suite; then all other fields are empty

	decoded []byte // the text in UTF-8, without a byte order mark; places refer to it
}
