package roots

import "sync"

var nonBlocking = sync.OnceValue(func() table { return set(nonBlockingNames) })

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
	"k8s.io/client-go/util/workqueue":    "Interface.{Add,Len,Done} TypedInterface.{Add,Len,Done} DelayingInterface.AddAfter TypedDelayingInterface.AddAfter RateLimitingInterface.* TypedRateLimitingInterface.*",
	"github.com/charmbracelet/x/term":    "GetSize",
	"golang.org/x/term":                  "GetSize IsTerminal",
	"github.com/charmbracelet/bubbletea": "ExecProcess Exec Batch Sequence Tick Every",
	"charm.land/bubbletea":               "ExecProcess Exec Batch Sequence Tick Every",

	"sigs.k8s.io/controller-runtime/pkg/client": "Reader.*",
}
