package roots

// networks lists clients of network services whose own bodies do not show the
// wait, and those that programs call so often that a chain should end there.
var networks = listing{
	"google.golang.org/grpc": {
		Net: `Invoke NewClientStream ClientConnInterface.{Invoke,NewStream} ClientConn.{Invoke,NewStream}
			ClientStream.{Header,SendMsg,RecvMsg} ServerStream.{SendMsg,RecvMsg} Stream.{SendMsg,RecvMsg}
			GenericClientStream.{Send,Recv,CloseAndRecv} GenericServerStream.{Send,SendAndClose,Recv}
			ServerStreamingClient.Recv ServerStreamingServer.Send ClientStreamingClient.{Send,CloseAndRecv}
			ClientStreamingServer.{Recv,SendAndClose} BidiStreamingClient.{Send,Recv} BidiStreamingServer.{Send,Recv}`,
		Wait: "Server.{Serve,GracefulStop} ClientConn.WaitForStateChange",
	},
	"github.com/gorilla/websocket": {
		Net: `Dialer.{Dial,DialContext} NewClient ReadJSON WriteJSON
			Conn.{ReadMessage,ReadJSON,NextReader,WriteMessage,WriteJSON,WriteControl,WritePreparedMessage}`,
	},
	"github.com/coder/websocket":        {Net: "Dial Conn.{Read,Reader,Write,Ping,Close}"},
	"github.com/coder/websocket/wsjson": {Net: "Read Write"},
	"nhooyr.io/websocket":               {Net: "Dial Conn.{Read,Reader,Write,Ping,Close}"},
	"nhooyr.io/websocket/wsjson":        {Net: "Read Write"},
	"golang.org/x/net/websocket":        {Net: "Dial DialConfig NewClient Codec.{Send,Receive} Conn.{Read,Write} Config.DialContext"},
	"golang.org/x/net/proxy":            {Net: "Dial Dialer.Dial ContextDialer.DialContext PerHost.{Dial,DialContext}"},
	"golang.org/x/net/http2":            {Net: "Transport.{RoundTrip,RoundTripOpt} ClientConn.{RoundTrip,Ping} Server.ServeConn"},
	"golang.org/x/net/icmp":             {Net: "PacketConn.{ReadFrom,WriteTo}"},
	"golang.org/x/net/context/ctxhttp":  {Net: "Do Get Head Post PostForm"},
	"golang.org/x/crypto/ssh": {
		Net: `Dial NewClientConn NewServerConn Conn.{SendRequest,OpenChannel} Channel.{Read,Write,SendRequest}
			Client.{NewSession,Listen,ListenTCP,ListenUnix,Dial,DialContext,DialTCP}
			Session.{Setenv,RequestPty,RequestSubsystem,Signal,Start,Run,Output,CombinedOutput,Shell}`,
		Wait: "Session.Wait Conn.Wait",
	},
	"github.com/miekg/dns": {
		DNS: `Exchange ExchangeContext ExchangeConn Dial DialTimeout DialWithTLS DialTimeoutWithTLS
			Client.{Dial,DialContext,Exchange,ExchangeContext,ExchangeWithConn,ExchangeWithConnContext} Conn.{ReadMsg,WriteMsg}`,
	},
	"github.com/hashicorp/go-retryablehttp": {Net: "Get Head Post PostForm Client.{Do,Get,Head,Post,PostForm}"},
	"github.com/go-resty/resty":             {Net: "Request.{Get,Head,Post,Put,Delete,Options,Patch,Send,Execute}"},

	"github.com/prometheus/client_golang/prometheus/push": {Net: "Pusher.{Push,PushContext,Add,AddContext,Delete}"},
	"github.com/aws/aws-sdk-go-v2/config":                 {Disk: "LoadDefaultConfig"},

	"github.com/quic-go/quic-go": {
		Net: `Dial DialEarly DialAddr DialAddrEarly Transport.{Dial,DialEarly,ReadNonQUICPacket}
			Conn.{AcceptStream,AcceptUniStream,OpenStreamSync,OpenUniStreamSync,ReceiveDatagram}
			Listener.Accept EarlyListener.Accept Stream.{Read,Write,Peek} ReceiveStream.{Read,Peek} SendStream.Write`,
	},
	"github.com/nats-io/nats.go": {
		Net: `Connect Conn.{Request,RequestMsg,RequestWithContext,RequestMsgWithContext,Flush,FlushTimeout,FlushWithContext,RTT}
			Subscription.{NextMsg,NextMsgWithContext,Fetch,FetchBatch,ConsumerInfo}
			JetStream.{Publish,PublishMsg} KeyValue.{Get,Put,PutString,Create,Update,Delete,Purge,Keys}
			JetStreamManager.{AddStream,UpdateStream,DeleteStream,StreamInfo,AddConsumer,DeleteConsumer,ConsumerInfo}`,
	},
	"github.com/nats-io/nats.go/jetstream": {
		Net: `Publisher.{Publish,PublishMsg} Stream.{Info,Purge,GetMsg,GetLastMsgForSubject,DeleteMsg}
			Consumer.{Fetch,FetchBytes,Next,Info} Msg.DoubleAck
			StreamManager.{CreateStream,UpdateStream,Stream,DeleteStream}
			KeyValue.{Get,Put,PutString,Create,Update,Delete,Purge,Keys} ObjectStore.{Put,Get,GetBytes,PutBytes,Delete}`,
	},

	"k8s.io/client-go/gentype": {Net: "Client.{Get,Watch,Create,Update,UpdateStatus,Delete,Patch} alsoLister.{List,DeleteCollection} alsoApplier.{Apply,ApplyStatus}"},
	"k8s.io/client-go/rest":    {Net: "Request.{Do,DoRaw,Stream,Watch}", Disk: "InClusterConfig LoadTLSFiles"},
	"k8s.io/client-go/dynamic": {
		Net: "ResourceInterface.{Create,Update,UpdateStatus,Delete,DeleteCollection,Get,List,Watch,Patch,Apply,ApplyStatus}",
	},
	"k8s.io/client-go/metadata": {Net: "ResourceInterface.{Delete,DeleteCollection,Get,List,Watch,Patch}"},
	"k8s.io/client-go/discovery": {
		Net: `DiscoveryClient.{ServerGroups,ServerResourcesForGroupVersion,ServerGroupsAndResources,ServerPreferredResources}
			DiscoveryClient.{ServerPreferredNamespacedResources,ServerVersion,OpenAPISchema}
			ServerGroupsInterface.ServerGroups ServerVersionInterface.ServerVersion OpenAPISchemaInterface.OpenAPISchema
			ServerResourcesInterface.{ServerResourcesForGroupVersion,ServerGroupsAndResources,ServerPreferredResources}
			ServerResourcesInterface.ServerPreferredNamespacedResources`,
	},
	"k8s.io/client-go/tools/clientcmd": {
		Disk: "LoadFromFile WriteToFile BuildConfigFromFlags ModifyConfig GetConfigFromFileOrDie ClientConfig.{ClientConfig,RawConfig,Namespace} ClientConfigLoadingRules.Load",
	},
	"k8s.io/client-go/tools/cache": {
		Wait: "WaitForCacheSync WaitForNamedCacheSync Controller.{Run,RunWithContext} SharedInformer.{Run,RunWithContext} Reflector.{Run,ListAndWatch}",
	},
	"k8s.io/client-go/informers":            {Wait: "SharedInformerFactory.{WaitForCacheSync,Shutdown}"},
	"k8s.io/client-go/tools/remotecommand":  {Net: "Executor.{Stream,StreamWithContext}"},
	"k8s.io/client-go/tools/portforward":    {Net: "PortForwarder.ForwardPorts"},
	"k8s.io/client-go/tools/leaderelection": {Wait: "LeaderElector.Run RunOrDie"},
	"k8s.io/client-go/tools/watch":          {Wait: "Until UntilWithSync UntilWithoutRetry"},
	"k8s.io/client-go/util/retry":           {Sleep: "OnError RetryOnConflict"},
	"k8s.io/apimachinery/pkg/util/wait": {
		Sleep: `PollUntilContextTimeout PollUntilContextCancel PollImmediate PollImmediateUntil Poll PollUntil PollInfinite
			PollImmediateInfinite PollWithContext PollImmediateWithContext ExponentialBackoff ExponentialBackoffWithContext
			Until UntilWithContext Forever JitterUntil NonSlidingUntil`,
		Wait: "Group.Wait",
	},
	"sigs.k8s.io/controller-runtime/pkg/client": {
		Net: `Writer.{Create,Delete,Update,Patch,DeleteAllOf,Apply} SubResourceReader.Get
			SubResourceWriter.{Create,Update,Patch,Apply} WithWatch.Watch`,
	},
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil": {Net: "CreateOrUpdate CreateOrPatch"},
}
