package supervise

import "strconv"

func birth(start uint64) string { return strconv.FormatUint(start, 10) }
