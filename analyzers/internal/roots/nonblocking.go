package roots

import "sync"

var nonBlocking = sync.OnceValue(func() table { return set(nonBlockingNames) })

var nonBlockingNames = map[string]string{
	"embed": "*",
}
