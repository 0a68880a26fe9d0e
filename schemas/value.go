package schemas

// ReadValue decodes a JSON value of any length; nil stands for what can't be read,
// also where that is because of our limits.
func ReadValue(raw []byte) any {
	value, err := Decode(raw, Limits{Size: len(raw) + 1})
	if err != nil {
		return nil
	}
	return value
}

// ReadObject decodes a JSON object; nil stands for anything else.
func ReadObject(raw []byte) map[string]any {
	members, _ := ReadValue(raw).(map[string]any)
	return members
}
