package frameworks

// gnet runs an event handler on the loops that own the connections. OnBoot and
// OnShutdown run on the goroutine that called Run, before and after.
var gnet = []family{{
	loop:  Loop{Name: "gnet's event loop"},
	paths: []string{"github.com/panjf2000/gnet", "github.com/panjf2000/gnet/v2"},
	methods: `EventHandler.{OnOpen,OnClose,OnTraffic,OnTick}
		EventHandler.{OnOpened,OnClosed,PreWrite,AfterWrite,React,Tick}`,
	callbacks: "Writer.{AsyncWrite,AsyncWritev} Conn.{Wake,CloseWithCallback} EventLoop.Execute:1",
	types:     "AsyncCallback RunnableFunc",
}}

// evio runs its handlers on the loops that own the connections. Serving runs
// before they start, and Detached's connection is the program's.
var evio = []family{{
	loop:   Loop{Name: "evio's event loop"},
	paths:  []string{"github.com/tidwall/evio"},
	fields: "Events.{Opened,Closed,PreWrite,Data,Tick}",
}}

// nbio runs its handlers in the poller, unless the program sets another
// executor. Its HTTP and websocket packages have a pool.
var nbio = []family{{
	loop:  Loop{Name: "nbio's poller"},
	paths: []string{"github.com/lesismal/nbio"},
	callbacks: `Engine.{OnOpen,OnClose,OnRead,OnData,OnDataPtr,OnWrittenSize,OnReadBufferAlloc,OnReadBufferFree}
		Conn.OnData`,
	offLoop: "Conn.{Execute,MustExecute}",
}}

// netpoll runs two of its handlers in the poller, and the others on goroutines
// of their own.
var netpoll = []family{{
	loop:      Loop{Name: "netpoll's poller"},
	paths:     []string{"github.com/cloudwego/netpoll"},
	callbacks: "WithOnPrepare WithOnDisconnect",
	types:     "OnPrepare OnDisconnect",
	offLoop:   "WithOnConnect NewEventLoop Connection.SetOnRequest",
	offTypes:  "OnConnect OnRequest",
}}

// quic calls these from the loop of the connection.
var quic = []family{{
	loop:      Loop{Name: "the QUIC connection's event loop"},
	paths:     []string{"github.com/quic-go/quic-go"},
	callbacks: "{ReceiveStream,Stream}.SetReceiveFinalSizeCallback {SendStream,Stream}.WriteWithLimit",
}}
