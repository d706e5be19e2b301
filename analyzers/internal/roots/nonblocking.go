package roots

import (
	"go/types"
	"sync"

	"github.com/holdfast-go/holdfast/analyzers/internal/symbols"
)

var nonBlocking = sync.OnceValue(func() *table { return set(nonBlockingNames) })

// nonBlockingNames are functions over memory, or that only queue, whose bodies
// or whose interfaces look like more.
var nonBlockingNames = map[string]string{
	"embed":                              "*",
	"testing/fstest":                     "*",
	"net/http/httptest":                  "*",
	"github.com/panjf2000/gnet":          "conn.* stdConn.* eventloop.* Conn.* Reader.* Writer.* Socket.* EventLoop.*",
	"github.com/lesismal/nbio":           "Conn.*",
	"github.com/cloudwego/netpoll":       "connection.* Connection.* Reader.* Writer.*",
	"github.com/tidwall/evio":            "Conn.*",
	"k8s.io/client-go/tools/cache":       "Store.* Indexer.* KeyGetter.* GenericLister.* GenericNamespaceLister.* ThreadSafeStore.*",
	"k8s.io/client-go/tools/record":      "EventRecorder.* EventRecorderLogger.*",
	"k8s.io/client-go/tools/events":      "EventRecorder.* EventRecorderLogger.*",
	"github.com/charmbracelet/x/term":    "GetSize",
	"golang.org/x/term":                  "GetSize IsTerminal",
	"github.com/charmbracelet/bubbletea": "ExecProcess Exec Batch Sequence Tick Every",
	"charm.land/bubbletea":               "ExecProcess Exec Batch Sequence Tick Every",

	"sigs.k8s.io/controller-runtime/pkg/client": "Reader.*",
}

// NonBlockingThrough reports whether a method is known not to block when it is
// called on the type, which may have it from an interface that it embeds.
func NonBlockingThrough(receiver types.Type, method string) bool {
	named := symbols.Named(receiver)
	if named == nil || named.Obj().Pkg() == nil {
		return false
	}
	path, owner := named.Obj().Pkg().Path(), named.Obj().Name()
	if _, ok := nonBlocking().Get(path, owner+"."+method); ok {
		return true
	}
	_, ok := nonBlocking().Get(path, owner+".*")
	return ok
}
