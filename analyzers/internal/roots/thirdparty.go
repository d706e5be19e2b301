package roots

var (
	system    = listing{}
	databases = listing{}
	networks  = listing{}
	waits     = listing{}
)
