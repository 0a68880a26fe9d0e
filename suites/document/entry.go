package document

// Entry is one value of a Log: the value of a line, or an item of a list.
type Entry struct {
	Node *Node  // nil if Err states why it can't be read
	Err  *Error // only this value is lost: reading continues after it
	List string // of one value: the member of the object whose item this is, "" in a list at the top
	Cut  bool   // the unreadable text is the last line, which was not written completely
}
