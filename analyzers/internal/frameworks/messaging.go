package frameworks

import "github.com/holdfast-go/holdfast/analyzers/internal/roots"

// nats runs the acknowledgement handler on the goroutine that takes them.
// Plain subscriptions have a goroutine and a queue each.
var nats = []family{{
	loop:      Loop{Name: "JetStream's acknowledgement goroutine"},
	paths:     []string{"github.com/nats-io/nats.go/jetstream"},
	callbacks: "WithPublishAsyncAckHandler",
	types:     "MsgAckHandler",
}}

var pahoLoop = Loop{Name: "the MQTT client's message loop", Ordered: true}

// paho is the MQTT 3 client: while the order of messages matters, which is the
// default, handlers run one after the other on the goroutine that also takes
// acknowledgements and pings.
var paho = []family{{
	loop:      pahoLoop,
	paths:     []string{"github.com/eclipse/paho.mqtt.golang"},
	callbacks: "Client.{Subscribe,SubscribeMultiple,AddRoute} client.{Subscribe,SubscribeMultiple,AddRoute} ClientOptions.SetDefaultPublishHandler",
	fields:    "ClientOptions.DefaultPublishHandler",
	types:     "MessageHandler",
	offLoop: `ClientOptions.{SetOnConnectHandler,SetConnectionLostHandler,SetReconnectingHandler}
		ClientOptions.{SetConnectionAttemptHandler,SetConnectionNotificationHandler}`,
	offTypes:  "OnConnectHandler ConnectionLostHandler ReconnectHandler ConnectionAttemptHandler ConnectionNotificationHandler",
	offFields: "ClientOptions.{OnConnect,OnConnectionLost,OnReconnecting}",
	selfWaits: "Token.{Wait,WaitTimeout} baseToken.{Wait,WaitTimeout}",
	unordered: "ClientOptions.SetOrderMatters",
}}

var paho5Loop = Loop{Name: "the MQTT client's message loop (paho v5)"}

// paho5 is the MQTT 5 client: one goroutine hands out messages. The
// connection's callbacks of autopaho subscribe in them as its own examples do.
var paho5 = []family{
	{
		loop:  paho5Loop,
		paths: []string{"github.com/eclipse/paho.golang/paho"},
		callbacks: `Client.AddOnPublishReceived Router.RegisterHandler StandardRouter.{RegisterHandler,DefaultHandler}
			NewSingleHandlerRouter NewStandardRouterWithDefault`,
		fields:    "ClientConfig.OnPublishReceived",
		types:     "MessageHandler",
		offFields: "ClientConfig.{OnClientError,OnServerDisconnect}",
		selfWaits: "Client.{Publish,PublishWithOptions,Subscribe,Unsubscribe,Authenticate}",
	},
	{
		loop:      paho5Loop,
		paths:     []string{"github.com/eclipse/paho.golang/autopaho"},
		callbacks: "ConnectionManager.AddOnPublishReceived",
		selfWaits: "ConnectionManager.{Publish,Subscribe,Unsubscribe,AwaitConnection}",
	},
	{
		loop:      Loop{Name: "autopaho's connection goroutine", Allow: []roots.Kind{roots.Net, roots.Wait}},
		paths:     []string{"github.com/eclipse/paho.golang/autopaho"},
		fields:    "ClientConfig.{OnConnectionUp,OnConnectionDown}",
		offFields: "ClientConfig.OnConnectError",
	},
}
