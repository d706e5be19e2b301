package tests

func spawn() {}
