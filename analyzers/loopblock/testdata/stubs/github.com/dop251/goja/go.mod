module github.com/dop251/goja

go 1.26.0
