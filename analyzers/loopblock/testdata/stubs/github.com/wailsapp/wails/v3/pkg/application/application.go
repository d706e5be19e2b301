// Package application is a stub.
package application

func InvokeSync(fn func())                            {}
func InvokeSyncWithResult[T any](fn func() T) (res T) { return res }
func InvokeSyncWithError(fn func() error) (err error) { return nil }
func InvokeAsync(fn func())                           {}
