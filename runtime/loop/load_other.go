//go:build !linux

package loop

import "runtime"

func readLoad() Load {
	return Load{CPUs: runtime.GOMAXPROCS(0)}
}
