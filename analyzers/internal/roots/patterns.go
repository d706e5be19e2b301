package roots

import (
	"go/types"
	"strings"

	"github.com/holdfast-go/holdfast/analyzers/internal/symbols"
)

// A pattern stands for the methods of generated clients, which are too many to
// list. All of those that wait take a context first.
type pattern struct {
	prefix, contains string // of the import path
	suffix           string // of the receiver's name
	kind             Kind
	unless           []string // types whose values only queue the call
}

var patterns = []pattern{
	{prefix: "github.com/aws/aws-sdk-go-v2/service/", suffix: "Client", kind: Net},
	{prefix: "github.com/aws/aws-sdk-go-v2/service/", suffix: "Paginator", kind: Net},
	{prefix: "github.com/aws/aws-sdk-go-v2/service/", suffix: "Waiter", kind: Net},
	{prefix: "github.com/aws/aws-sdk-go-v2/feature/s3/manager", suffix: "loader", kind: Net},
	{prefix: "k8s.io/client-go/kubernetes/typed/", suffix: "Interface", kind: Net},
	{contains: "/clientset/versioned/typed/", suffix: "Interface", kind: Net},
	{prefix: "github.com/redis/go-redis", suffix: "Cmdable", kind: DB, unless: redisPipelines},
	{prefix: "github.com/go-redis/redis", suffix: "Cmdable", kind: DB, unless: redisPipelines},
}

// redisPipelines share the methods of the clients, and keep the commands until
// they are told to send them.
var redisPipelines = []string{"Pipeline", "Pipeliner"}

// nonBlockingPatterns are lists of what an informer has already fetched, and
// clients that tests are given.
var nonBlockingPatterns = []pattern{
	{prefix: "k8s.io/client-go/listers/"},
	{contains: "/client/listers/"},
	{prefix: "k8s.io/client-go/", contains: "/fake"},
	{contains: "/clientset/versioned/fake"},
}

// patternOf returns the pattern that a method of a generated client follows.
func patternOf(fn *types.Func) (pattern, bool) {
	if !takesContext(fn.Signature()) || matchesAny(nonBlockingPatterns, fn) {
		return pattern{}, false
	}
	for _, p := range patterns {
		if p.matches(fn) {
			return p, true
		}
	}
	return pattern{}, false
}

func matchesAny(patterns []pattern, fn *types.Func) bool {
	for _, p := range patterns {
		if p.matches(fn) {
			return true
		}
	}
	return false
}

func (p pattern) matches(fn *types.Func) bool {
	if fn.Pkg() == nil || !p.covers(fn.Pkg().Path()) {
		return false
	}
	recv := fn.Signature().Recv()
	if recv == nil {
		return p.suffix == ""
	}
	owner := symbols.Named(recv.Type())
	return owner != nil && strings.HasSuffix(strings.ToLower(owner.Obj().Name()), strings.ToLower(p.suffix))
}

func (p pattern) covers(path string) bool {
	return strings.HasPrefix(path, p.prefix) && strings.Contains(path, p.contains)
}

// takesContext reports whether the first parameter is a context.
func takesContext(sig *types.Signature) bool {
	if sig.Recv() == nil || sig.Params().Len() == 0 {
		return false
	}
	named, ok := types.Unalias(sig.Params().At(0).Type()).(*types.Named)
	return ok && named.Obj().Name() == "Context" && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == "context"
}
