module github.com/panjf2000/gnet

go 1.26.0
