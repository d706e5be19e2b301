package roots

import (
	"strings"

	"github.com/holdfast-go/holdfast/analyzers/internal/symbols"
)

// Opaque reports whether the table is the whole truth about the package, so
// that nobody looks into its bodies. The standard library is opaque too, and
// is left to the caller to tell.
func Opaque(path string) bool {
	plain := symbols.Path(path)
	for module := plain; module != ""; {
		if opaque[module] {
			return true
		}
		i := strings.LastIndexByte(module, '/')
		if i < 0 {
			return false
		}
		module = module[:i]
	}
	return false
}

// opaque lists packages, each with those below it.
var opaque = map[string]bool{
	"golang.org/x/sys":             true,
	"golang.org/x/net":             true,
	"golang.org/x/text":            true,
	"golang.org/x/term":            true,
	"golang.org/x/time":            true,
	"golang.org/x/sync":            true,
	"golang.org/x/crypto":          true,
	"google.golang.org/protobuf":   true,
	"google.golang.org/grpc":       true,
	"github.com/golang/protobuf":   true,
	"github.com/gogo/protobuf":     true,
	"github.com/miekg/dns":         true,
	"github.com/quic-go/quic-go":   true,
	"github.com/gofrs/flock":       true,
	"github.com/gorilla/websocket": true,
	"github.com/coder/websocket":   true,
	"nhooyr.io/websocket":          true,

	"github.com/puzpuzpuz/xsync": true,

	"modernc.org":                               true,
	"github.com/mattn/go-sqlite3":               true,
	"github.com/ncruces/go-sqlite3":             true,
	"zombiezen.com/go/sqlite":                   true,
	"crawshaw.io/sqlite":                        true,
	"github.com/lib/pq":                         true,
	"github.com/go-sql-driver/mysql":            true,
	"github.com/jackc/pgx":                      true,
	"gorm.io":                                   true,
	"github.com/jmoiron/sqlx":                   true,
	"github.com/uptrace/bun":                    true,
	"go.etcd.io/bbolt":                          true,
	"github.com/boltdb/bolt":                    true,
	"github.com/dgraph-io/badger":               true,
	"github.com/syndtr/goleveldb":               true,
	"github.com/cockroachdb/pebble":             true,
	"github.com/redis/go-redis":                 true,
	"github.com/go-redis/redis":                 true,
	"github.com/gomodule/redigo":                true,
	"go.mongodb.org/mongo-driver":               true,
	"go.etcd.io/etcd/client":                    true,
	"github.com/aws/aws-sdk-go-v2":              true,
	"github.com/aws/smithy-go":                  true,
	"k8s.io/api":                                true,
	"k8s.io/apimachinery":                       true,
	"k8s.io/client-go":                          true,
	"k8s.io/klog":                               true,
	"sigs.k8s.io/controller-runtime/pkg/client": true,
	"sigs.k8s.io/controller-runtime/pkg/cache":  true,

	"go.uber.org/zap":                                true,
	"github.com/sirupsen/logrus":                     true,
	"github.com/rs/zerolog":                          true,
	"github.com/charmbracelet/log":                   true,
	"charm.land/log":                                 true,
	"github.com/inconshreveable/log15":               true,
	"github.com/sasha-s/go-deadlock":                 true, // its locks read files to print a deadlock
	"github.com/hashicorp/go-hclog":                  true,
	"github.com/muesli/termenv":                      true,
	"github.com/charmbracelet/colorprofile":          true,
	"github.com/prometheus/client_golang/prometheus": true,
	"github.com/prometheus/client_model":             true,
	"github.com/prometheus/common":                   true,
	"go.opentelemetry.io/otel":                       true,

	"github.com/charmbracelet/bubbletea": true,
	"charm.land/bubbletea":               true,
	"github.com/rivo/tview":              true,
	"github.com/derailed/tview":          true,
	"github.com/jroimartin/gocui":        true,
	"github.com/awesome-gocui/gocui":     true,
	"github.com/jesseduffield/gocui":     true,
	"github.com/gdamore/tcell":           true,
	"fyne.io/fyne":                       true,
	"gioui.org":                          true,
	"github.com/hajimehoshi/ebiten":      true,
	"github.com/panjf2000/gnet":          true,
	"github.com/lesismal/nbio":           true,
	"github.com/cloudwego/netpoll":       true,
	"github.com/tidwall/evio":            true,
}
