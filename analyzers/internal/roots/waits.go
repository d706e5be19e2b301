package roots

// waits lists third-party calls that wait for other goroutines, for time or
// for other processes. Calls that wait for a framework's loop are with the
// frameworks.
var waits = listing{
	"golang.org/x/sync/errgroup":  {Wait: "Group.Wait"},
	"golang.org/x/sync/semaphore": {Wait: "Weighted.Acquire"},
	"golang.org/x/time/rate":      {Sleep: "Limiter.{Wait,WaitN}"},

	"github.com/hashicorp/raft": {
		Wait: "Future.Error Raft.{GetConfiguration,Restore} IndexFuture.Index ApplyFuture.Response",
	},
	"github.com/hashicorp/memberlist": {Net: "Memberlist.{Join,Leave,Ping,SendTo,SendToAddress,SendToUDP,SendToTCP,SendBestEffort,SendReliable}"},
	"github.com/hashicorp/serf/serf":  {Net: "Serf.{Join,Leave}"},

	"github.com/charmbracelet/bubbletea": {Wait: "Program.{Run,Start}"},
	"charm.land/bubbletea":               {Wait: "Program.Run"},
	"github.com/rivo/tview":              {Wait: "Application.Run"},
	"github.com/derailed/tview":          {Wait: "Application.Run"},

	"github.com/sourcegraph/conc":        {Wait: "WaitGroup.{Wait,WaitAndRecover}"},
	"github.com/sourcegraph/conc/pool":   {Wait: "{Pool,ContextPool,ErrorPool,ResultPool,ResultContextPool,ResultErrorPool}.Wait"},
	"github.com/sourcegraph/conc/iter":   {Wait: "Iterator.{ForEach,ForEachIdx} Mapper.{Map,MapErr} ForEach ForEachIdx Map MapErr"},
	"github.com/sourcegraph/conc/stream": {Wait: "Stream.Wait"},
	"github.com/gammazero/workerpool":    {Wait: "WorkerPool.{SubmitWait,StopWait,DoWait}"},
	"github.com/alitto/pond":             {Wait: "WorkerPool.{SubmitAndWait,StopAndWait} TaskGroup.Wait TaskGroupWithContext.Wait Task.Wait ResultTask.Wait"},

	"go.uber.org/zap": {
		Stdio: "Logger.{Debug,Info,Warn,Error,DPanic,Panic,Fatal,Log} SugaredLogger.*",
		Fsync: "Logger.Sync SugaredLogger.Sync",
		"":    "SugaredLogger.{With,WithLazy,WithOptions,Named,Desugar,Level}",
	},
	"go.uber.org/zap/zapcore": {Stdio: "CheckedEntry.Write"},
	"github.com/sirupsen/logrus": {
		Stdio: `{Debug,Info,Warn,Warning,Error,Fatal,Panic,Print,Trace}{,f,ln}
			{Entry,Logger}.{Debug,Info,Warn,Warning,Error,Fatal,Panic,Print,Trace,Log}{,f,ln}`,
	},
	"github.com/rs/zerolog": {Stdio: "Event.{Msg,Msgf,MsgFunc,Send} Logger.{Print,Printf,Write}"},
}
