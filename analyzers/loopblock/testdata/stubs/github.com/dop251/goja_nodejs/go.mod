module github.com/dop251/goja_nodejs

go 1.26.0
