package roots

import (
	"go/types"
	"sync"
)

// Synchronous returns the parameters of the function that it calls itself,
// once or more, before it returns.
func Synchronous(fn *types.Func) []int {
	if _, ok := synchronous().Of(fn); ok {
		return functionParams(fn)
	}
	return nil
}

// Elsewhere returns the parameters of the function that it runs on another
// goroutine, or hands to one.
func Elsewhere(fn *types.Func) []int {
	if _, ok := elsewhere().Of(fn); ok {
		return functionParams(fn)
	}
	return nil
}

// Once reports whether the function calls its function parameter the first
// time only, or returns a function that does.
func Once(fn *types.Func) bool {
	_, ok := once().Of(fn)
	return ok
}

// functionParams returns the parameters that take a function.
func functionParams(fn *types.Func) []int {
	var params []int
	list := fn.Signature().Params()
	for i := range list.Len() {
		if isFunction(list.At(i).Type()) {
			params = append(params, i)
		}
	}
	return params
}

// isFunction reports whether the type is a function's, a type parameter that
// only functions satisfy, or a list of functions.
func isFunction(t types.Type) bool {
	if list, ok := t.Underlying().(*types.Slice); ok {
		t = list.Elem()
	}
	_, ok := t.Underlying().(*types.Signature)
	return ok
}

var (
	synchronous = sync.OnceValue(func() *table { return set(synchronousNames) })
	elsewhere   = sync.OnceValue(func() *table { return set(elsewhereNames) })
	once        = sync.OnceValue(func() *table { return set(onceNames) })
)
