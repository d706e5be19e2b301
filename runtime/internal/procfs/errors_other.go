//go:build !unix

package procfs

func asNotExist(err error) error { return err }
