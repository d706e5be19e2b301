module github.com/sevlyar/go-daemon

go 1.26.0
