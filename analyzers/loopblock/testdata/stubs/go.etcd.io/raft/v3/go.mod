module go.etcd.io/raft/v3

go 1.26.0
