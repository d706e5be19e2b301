package schedule

// Digest names what an answer says.
func Digest(answer string) string {
	return digest(answer)
}
