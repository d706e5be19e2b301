// The versions of the modules whose sources the tables were filled from. The
// test reads this file; nothing is built from it.
module realmodules

go 1.26.0

require (
	charm.land/bubbles/v2 v2.2.1
	charm.land/bubbletea/v2 v2.1.1
	fyne.io/fyne/v2 v2.7.1
	gioui.org v0.10.3
	github.com/awesome-gocui/gocui v1.1.0
	github.com/charmbracelet/bubbles v1.0.0
	github.com/charmbracelet/bubbletea v1.3.10
	github.com/charmbracelet/bubbletea/v2 v2.0.0-beta.1
	github.com/cloudwego/netpoll v0.7.2
	github.com/derailed/tview v0.8.5
	github.com/dop251/goja_nodejs v0.0.0-20260212111938-1f56ff5bcf14
	github.com/eclipse/paho.golang v0.23.0
	github.com/eclipse/paho.mqtt.golang v1.5.1
	github.com/gdamore/tcell v1.4.1
	github.com/gdamore/tcell/v2 v2.13.10
	github.com/gdamore/tcell/v3 v3.6.0
	github.com/hajimehoshi/ebiten/v2 v2.8.8
	github.com/hashicorp/memberlist v0.7.0
	github.com/hashicorp/raft v1.8.0
	github.com/hashicorp/serf v0.11.0
	github.com/jesseduffield/gocui v0.3.1-0.20240906064314-bfab49c720d7
	github.com/jroimartin/gocui v0.5.0
	github.com/lesismal/nbio v1.6.8
	github.com/nats-io/nats.go v1.55.0
	github.com/panjf2000/gnet v1.6.7
	github.com/panjf2000/gnet/v2 v2.9.7
	github.com/quic-go/quic-go v0.65.0
	github.com/rivo/tview v0.42.0
	github.com/tidwall/evio v1.0.8
	go.etcd.io/etcd/raft/v3 v3.5.35
	go.etcd.io/raft/v3 v3.7.0
	k8s.io/client-go v0.37.2
	sigs.k8s.io/controller-runtime v0.25.2
)
