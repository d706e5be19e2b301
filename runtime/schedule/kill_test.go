package schedule_test

const childRole = "HOLDFAST_SCHEDULE_CHILD"

func runChild(string) {}
