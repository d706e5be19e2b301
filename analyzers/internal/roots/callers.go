package roots

var onceNames = map[string]string{
	"sync": "Once.Do OnceFunc OnceValue OnceValues",
}

// Every function parameter of the functions listed is called before they
// return. The functions that sync.OnceFunc and its kin return are listed here
// with what they are given: whoever calls the result calls it.
var synchronousNames = map[string]string{
	"sync": "Once.Do OnceFunc OnceValue OnceValues Map.Range",
	"sort": "Slice SliceStable SliceIsSorted Search Find",
	"slices": `SortFunc SortStableFunc IsSortedFunc BinarySearchFunc MinFunc MaxFunc
		IndexFunc ContainsFunc DeleteFunc CompactFunc EqualFunc CompareFunc SortedFunc SortedStableFunc
		Collect AppendSeq Sorted`,
	"maps":           "DeleteFunc EqualFunc Collect Insert",
	"strings":        "Map FieldsFunc FieldsFuncSeq IndexFunc LastIndexFunc ContainsFunc TrimFunc TrimLeftFunc TrimRightFunc",
	"bytes":          "Map FieldsFunc FieldsFuncSeq IndexFunc LastIndexFunc ContainsFunc TrimFunc TrimLeftFunc TrimRightFunc",
	"os":             "Expand",
	"regexp":         "Regexp.{ReplaceAllStringFunc,ReplaceAllFunc}",
	"path/filepath":  "Walk WalkDir",
	"io/fs":          "WalkDir",
	"flag":           "Visit VisitAll FlagSet.{Visit,VisitAll}",
	"expvar":         "Do Map.Do",
	"container/ring": "Ring.Do",
	"go/ast":         "Inspect FilterDecl FilterFile FilterPackage",
	"log/slog":       "Record.Attrs",
	"runtime/pprof":  "Do",
	"database/sql":   "Conn.Raw",

	"golang.org/x/exp/slices":        "SortFunc SortStableFunc BinarySearchFunc IndexFunc ContainsFunc DeleteFunc",
	"golang.org/x/exp/maps":          "DeleteFunc EqualFunc",
	"golang.org/x/sync/singleflight": "Group.Do",

	"gorm.io/gorm":                      "DB.{Transaction,FindInBatches,Connection,Scopes}",
	"go.etcd.io/bbolt":                  "DB.{Update,View,Batch} Bucket.{ForEach,ForEachBucket} Tx.ForEach",
	"github.com/boltdb/bolt":            "DB.{Update,View,Batch} Bucket.ForEach Tx.ForEach",
	"github.com/dgraph-io/badger":       "DB.{Update,View} Item.Value",
	"github.com/jackc/pgx":              "BeginFunc BeginTxFunc ForEachRow CollectRows",
	"github.com/uptrace/bun":            "DB.RunInTx Tx.RunInTx",
	"github.com/redis/go-redis":         "{Client,ClusterClient,Ring,Conn,Tx,Pipeline}.{Pipelined,TxPipelined} {Client,ClusterClient,Ring}.Watch",
	"github.com/go-redis/redis":         "{Client,ClusterClient,Ring,Conn,Tx,Pipeline}.{Pipelined,TxPipelined} {Client,ClusterClient,Ring}.Watch",
	"zombiezen.com/go/sqlite/sqlitex":   "Exec ExecTransient",
	"go.mongodb.org/mongo-driver/mongo": "WithSession Client.{UseSession,UseSessionWithOptions} Session.WithTransaction",

	"k8s.io/client-go/util/retry":  "OnError RetryOnConflict",
	"k8s.io/client-go/tools/cache": "ListAll ListAllByNamespace",
	"k8s.io/apimachinery/pkg/util/wait": `PollUntilContextTimeout PollUntilContextCancel PollImmediate PollImmediateUntil Poll PollUntil
		PollInfinite PollImmediateInfinite PollWithContext PollImmediateWithContext ExponentialBackoff
		ExponentialBackoffWithContext Until UntilWithContext Forever JitterUntil NonSlidingUntil`,
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil": "CreateOrUpdate CreateOrPatch",

	"github.com/rivo/tview":              "TreeNode.Walk",
	"github.com/derailed/tview":          "TreeNode.Walk",
	"github.com/sourcegraph/conc/panics": "Try Catcher.Try",
}

// Every function parameter of the functions listed runs on another goroutine.
var elsewhereNames = map[string]string{
	"time":     "AfterFunc",
	"context":  "AfterFunc",
	"sync":     "WaitGroup.Go",
	"runtime":  "AddCleanup SetFinalizer",
	"net/http": "HandleFunc ServeMux.HandleFunc Server.RegisterOnShutdown",

	"golang.org/x/sync/errgroup":     "Group.{Go,TryGo}",
	"golang.org/x/sync/singleflight": "Group.DoChan",
	"gopkg.in/tomb":                  "Tomb.Go",
	"github.com/oklog/run":           "Group.Add",

	"github.com/panjf2000/ants": "Submit Pool.Submit MultiPool.Submit NewPoolWithFunc NewMultiPoolWithFunc NewPoolWithFuncGeneric",
	"github.com/alitto/pond": `Submit SubmitErr WorkerPool.{Submit,TrySubmit,SubmitBefore,SubmitAndWait}
		TaskGroup.{Submit,SubmitErr} TaskGroupWithContext.Submit ResultTaskGroup.{Submit,SubmitErr}
		Pool.{Go,Submit,SubmitErr,TrySubmit,TrySubmitErr} ResultPool.{Submit,SubmitErr,TrySubmit,TrySubmitErr}`,
	"github.com/sourcegraph/conc":        "WaitGroup.Go",
	"github.com/sourcegraph/conc/pool":   "{Pool,ContextPool,ErrorPool,ResultPool,ResultContextPool,ResultErrorPool}.Go",
	"github.com/sourcegraph/conc/stream": "Stream.Go",
	"github.com/sourcegraph/conc/iter":   "Iterator.{ForEach,ForEachIdx} Mapper.{Map,MapErr} ForEach ForEachIdx Map MapErr",
	"github.com/gammazero/workerpool":    "WorkerPool.{Submit,SubmitWait,Do,DoWait}",
	"k8s.io/apimachinery/pkg/util/wait":  "Group.{Start,StartWithContext,StartWithChannel}",
	"k8s.io/client-go/util/workqueue":    "ParallelizeUntil",
}
