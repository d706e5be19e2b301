module github.com/eclipse/paho.golang

go 1.26.0
