package schemas

// ReadValue decodes a JSON value of any length. It returns nil for a text that cannot be decoded,
// even if the reason is a limit.
func ReadValue(raw []byte) any {
	value, err := Decode(raw, Limits{Size: len(raw) + 1})
	if err != nil {
		return nil
	}
	return value
}

// ReadObject decodes a JSON object. It returns nil for anything else.
func ReadObject(raw []byte) map[string]any {
	members, _ := ReadValue(raw).(map[string]any)
	return members
}
