module github.com/cloudwego/netpoll

go 1.26.0
