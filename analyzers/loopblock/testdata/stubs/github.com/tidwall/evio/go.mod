module github.com/tidwall/evio

go 1.26.0
