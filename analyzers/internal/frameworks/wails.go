package frameworks

// wails runs some functions on the thread that the system's windows belong to.
// Bound methods have goroutines of their own.
var wails = []family{{
	loop:  Loop{Name: "Wails' main thread"},
	paths: []string{"github.com/wailsapp/wails/v3/pkg/application"},
	callbacks: `InvokeAsync InvokeSync InvokeSyncWithResult InvokeSyncWithError
		InvokeSyncWithResultAndError InvokeSyncWithResultAndOther`,
}}
