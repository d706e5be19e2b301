package roots

import (
	"go/types"

	"github.com/holdfast-go/holdfast/analyzers/internal/symbols"
)

// Holder returns the kind that reading or writing a value of the static type
// waits for, if the type tells: disk for *os.File, net for connections.
func Holder(t types.Type) (Kind, bool) {
	named := symbols.Named(t)
	if named == nil || named.Obj().Pkg() == nil {
		return "", false
	}
	kind, ok := holders[symbols.Path(named.Obj().Pkg().Path())][named.Obj().Name()]
	return kind, ok
}

// holders lists types by import path.
var holders = map[string]map[string]Kind{
	"os": {"File": Disk},
	"net": {
		"Conn": Net, "PacketConn": Net, "TCPConn": Net, "UDPConn": Net, "UnixConn": Net, "IPConn": Net,
	},
	"crypto/tls":              {"Conn": Net},
	"golang.org/x/crypto/ssh": {"Channel": Net},
}
