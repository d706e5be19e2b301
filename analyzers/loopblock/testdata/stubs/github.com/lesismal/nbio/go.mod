module github.com/lesismal/nbio

go 1.26.0
