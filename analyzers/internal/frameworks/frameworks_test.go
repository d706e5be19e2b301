package frameworks

import (
	"go/types"
	"slices"
	"testing"

	"github.com/holdfast-go/holdfast/analyzers/internal/checked"
	"github.com/holdfast-go/holdfast/analyzers/internal/roots"
	"github.com/holdfast-go/holdfast/analyzers/internal/symbols"
)

const (
	teaStub = `package tea
		type Msg interface{}
		type Cmd func() Msg
		type Model interface { Init() Cmd; Update(Msg) (Model, Cmd); View() string }
		type Program struct{}
		func (p *Program) Send(msg Msg) {}
		func WithFilter(f func(Model, Msg) Msg) int { return 0 }
		func Tick(d int, f func(int) Msg) Cmd { return nil }
		func Batch(cmds ...Cmd) Cmd { return nil }`
	tea2Stub = `package tea
		import uv "github.com/charmbracelet/ultraviolet"
		type Msg = uv.Event
		type Cmd func() Msg
		type View struct { OnMouse func(Msg) Cmd; Content string }
		type Model interface { Init() Cmd; Update(Msg) (Model, Cmd); View() View }`
)

// stubs are cut down from the real modules: TestRealModules checks that these
// names exist there.
var stubs = map[string]string{
	"github.com/charmbracelet/bubbletea":   teaStub,
	"github.com/charmbracelet/ultraviolet": `package uv; type Event interface{}`,
	"charm.land/bubbletea/v2":              tea2Stub,
	"github.com/hashicorp/raft": `package raft
		type Log struct{}
		type FSMSnapshot interface { Persist() error }
		type FSM interface { Apply(*Log) any; Snapshot() (FSMSnapshot, error); Restore() error }
		type BatchingFSM interface { ApplyBatch([]*Log) []any; FSM }`,
	"github.com/rivo/tview": `package tview
		type Application struct{}
		func (a *Application) QueueUpdateDraw(f func()) *Application { return a }
		func (a *Application) Suspend(f func()) bool { return true }
		type Form struct{}
		func (f *Form) AddInputField(label, value string, width int, accept func(string) bool, changed func(string)) *Form { return f }
		type TextView struct{}
		func (t *TextView) SetChangedFunc(f func()) *TextView { return t }`,
	"github.com/gotk3/gotk3/glib": `package glib
		func IdleAdd(f any, args ...any) int { return 0 }
		func TimeoutAdd(ms uint, f any) int { return 0 }`,
	"github.com/diamondburned/gotk4/pkg/gtk/v4": `package gtk
		type Button struct{}
		func (b *Button) ConnectClicked(f func()) int { return 0 }`,
	"github.com/tidwall/evio": `package evio; type Events struct { Data func(); Serving func() }`,
	"k8s.io/client-go/tools/cache": `package cache
		type Object interface{}
		type TypedResourceEventHandlerFuncs[T Object] struct { AddFunc func(T) }`,
	"github.com/eclipse/paho.mqtt.golang": `package mqtt
		type Client interface{ Subscribe(topic string, callback MessageHandler) Token }
		type Token interface{ Wait() bool }
		type MessageHandler func(Client)
		type OnConnectHandler func(Client)
		type ClientOptions struct{}
		func (o *ClientOptions) SetOrderMatters(order bool) *ClientOptions { return o }
		func (o *ClientOptions) SetOnConnectHandler(f OnConnectHandler) *ClientOptions { return o }`,
	"github.com/gdamore/tcell/v2":    `package tcell; type Screen interface { PollEvent() any; Show() }`,
	"github.com/hashicorp/serf/serf": `package serf; type Config struct { EventCh chan<- int; Other chan int }`,
	holdfastPath: `package loop
		type Loop struct{}
		func (l *Loop) Call(f func()) error { return nil }
		func (l *Loop) After(d int, f func()) {}
		func Offload[T any](l *Loop, work func() (T, error), then func(T, error)) error { return nil }`,
	"app": `package app
		import tea "github.com/charmbracelet/bubbletea"
		import tea2 "charm.land/bubbletea/v2"
		import "github.com/hashicorp/raft"

		type Model struct{}
		func (m Model) Init() tea.Cmd { return nil }
		func (m Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) { return m, nil }
		func (m Model) View() string { return "" }
		func (m Model) Load() tea.Msg { return nil }

		type Component struct{}
		func (c *Component) Update(msg tea.Msg) (*Component, tea.Cmd) { return c, nil }
		func (c *Component) View() string { return "" }

		type Wrapper struct{ *Component }
		func (w Wrapper) View() string { return "" }

		type Second struct{}
		func (s *Second) Update(msg tea2.Msg) tea2.Cmd { return nil }
		func (s *Second) View() tea2.View { return tea2.View{} }

		type Page struct{}
		func (p Page) View() string { return "" }
		func (p Page) Update(name string) error { return nil }
		func (p Page) Init() error { return nil }

		type Store struct{}
		func (s *Store) Apply(*raft.Log) any { return nil }
		func (s *Store) Snapshot() (raft.FSMSnapshot, error) { return nil, nil }
		func (s *Store) Restore() error { return nil }
		func (s *Store) ApplyBatch([]*raft.Log) []any { return nil }

		type Half struct{}
		func (h Half) Apply(*raft.Log) any { return nil }`,
}

func TestMethodsRunOnLoops(t *testing.T) {
	p := checked.Check(t, stubs)
	for _, c := range []struct {
		protects, owner, name, loop string
		allows                      bool // disk
	}{
		{"a model's update", "Model", "Update", "Bubble Tea's loop", false},
		{"a model's view", "Model", "View", "Bubble Tea's loop", false},
		{"a model's start", "Model", "Init", "Bubble Tea's loop", false},
		{"another method of a model", "Model", "Load", "", false},
		{"a component's update", "Component", "Update", "Bubble Tea's loop", false},
		{"a component's view", "Component", "View", "Bubble Tea's loop", false},
		{"a view beside an embedded update", "Wrapper", "View", "Bubble Tea's loop", false},
		{"an update that returns a command alone, version 2", "Second", "Update", "Bubble Tea's loop", false},
		{"a view of version 2", "Second", "View", "Bubble Tea's loop", false},
		{"a view of nothing", "Page", "View", "", false},
		{"an update of something else", "Page", "Update", "", false},
		{"a start of something else", "Page", "Init", "", false},
		{"apply may store", "Store", "Apply", raftFSM, true},
		{"apply of a batch may store", "Store", "ApplyBatch", raftFSM, true},
		{"snapshot may not", "Store", "Snapshot", raftFSM, false},
		{"restore has a goroutine of its own", "Store", "Restore", "", false},
		{"half an interface", "Half", "Apply", "", false},
	} {
		t.Run(c.protects, func(t *testing.T) {
			loop, ok := Method(p.Type("app", c.owner), p.Func(t, "app", c.owner, c.name), p.Type)
			if loop.Name != c.loop || ok != (c.loop != "") {
				t.Errorf("runs on %q, %t, want %q", loop.Name, ok, c.loop)
			}
			if slices.Contains(loop.Allow, roots.Disk) != c.allows {
				t.Errorf("allows %v", loop.Allow)
			}
		})
	}
}

func TestArgumentsRunOnLoops(t *testing.T) {
	p := checked.Check(t, stubs)
	const on, off, neither = "on", "off", "neither"
	for _, c := range []struct {
		path, owner, name string
		param             int
		want              string
	}{
		{"github.com/rivo/tview", "Application", "QueueUpdateDraw", 0, on},
		{"github.com/rivo/tview", "Application", "QueueUpdateDraw", 1, neither},
		{"github.com/rivo/tview", "Application", "Suspend", 0, off},
		{"github.com/rivo/tview", "Form", "AddInputField", 0, neither},
		{"github.com/rivo/tview", "Form", "AddInputField", 3, on},
		{"github.com/rivo/tview", "Form", "AddInputField", 4, on},
		{"github.com/rivo/tview", "TextView", "SetChangedFunc", 0, off},
		{"github.com/charmbracelet/bubbletea", "", "WithFilter", 0, on},
		{"github.com/charmbracelet/bubbletea", "", "Tick", 1, off},
		{"github.com/charmbracelet/bubbletea", "", "Batch", 0, off},
		{"github.com/charmbracelet/bubbletea", "", "Batch", 5, off},
		{"github.com/gotk3/gotk3/glib", "", "IdleAdd", 0, on},
		{"github.com/gotk3/gotk3/glib", "", "IdleAdd", 1, neither},
		{"github.com/gotk3/gotk3/glib", "", "TimeoutAdd", 1, on},
		{"github.com/diamondburned/gotk4/pkg/gtk/v4", "Button", "ConnectClicked", 0, on},
		{"github.com/eclipse/paho.mqtt.golang", "Client", "Subscribe", 1, on},
		{"github.com/eclipse/paho.mqtt.golang", "ClientOptions", "SetOnConnectHandler", 0, off},
		{holdfastPath, "Loop", "After", 1, on},
		{holdfastPath, "", "Offload", 1, off},
		{holdfastPath, "", "Offload", 2, on},
	} {
		fn := p.Func(t, c.path, c.owner, c.name)
		_, isOn := Callback(fn, c.param)
		isOff := OffLoop(fn, c.param)
		if isOn != (c.want == on) || isOff != (c.want == off) {
			t.Errorf("argument %d of %s: on %t, off %t, want %s", c.param, fn.FullName(), isOn, isOff, c.want)
		}
	}
}

func TestFieldsAndTypesRunOnLoops(t *testing.T) {
	p := checked.Check(t, stubs)
	for _, c := range []struct {
		path, owner, field string
		want               bool
	}{
		{"github.com/tidwall/evio", "Events", "Data", true},
		{"github.com/tidwall/evio", "Events", "Serving", false},
		{"charm.land/bubbletea/v2", "View", "OnMouse", true},
		{"k8s.io/client-go/tools/cache", "TypedResourceEventHandlerFuncs", "AddFunc", true},
		{"app", "Store", "AddFunc", false},
	} {
		if _, got := Field(symbols.Named(p.Type(c.path, c.owner)), c.field); got != c.want {
			t.Errorf("%s.%s on a loop: %t", c.owner, c.field, got)
		}
	}
	for _, c := range []struct {
		path, name string
		on, off    bool
	}{
		{"github.com/eclipse/paho.mqtt.golang", "MessageHandler", true, false},
		{"github.com/eclipse/paho.mqtt.golang", "OnConnectHandler", false, true},
		{"github.com/charmbracelet/bubbletea", "Cmd", false, true},
		{"charm.land/bubbletea/v2", "Cmd", false, true},
		{"app", "Model", false, false},
	} {
		typ := p.Type(c.path, c.name)
		if _, on := Type(typ); on != c.on || OffType(typ) != c.off {
			t.Errorf("%s: on %t, off %t", typ, on, OffType(typ))
		}
	}
	for _, path := range []string{"github.com/charmbracelet/bubbletea", "charm.land/bubbletea/v2"} {
		message := types.NewTuple(types.NewVar(0, nil, "", p.Type(path, "Msg")))
		if !OffType(types.NewSignatureType(nil, nil, nil, nil, message, false)) {
			t.Errorf("func() tea.Msg of %s is no command", path)
		}
		if OffType(types.NewSignatureType(nil, nil, nil, message, message, false)) {
			t.Errorf("func(tea.Msg) tea.Msg of %s is a command", path)
		}
	}
}

func TestReceiversAndWaitsHaveLoops(t *testing.T) {
	p := checked.Check(t, stubs)
	if _, ok := Receive(p.Func(t, "github.com/gdamore/tcell/v2", "Screen", "PollEvent")); !ok {
		t.Error("PollEvent is no loop")
	}
	if _, ok := Receive(p.Func(t, "github.com/gdamore/tcell/v2", "Screen", "Show")); ok {
		t.Error("Show is a loop")
	}
	config := symbols.Named(p.Type("github.com/hashicorp/serf/serf", "Config"))
	if _, ok := ReceiveField(config, "EventCh"); !ok {
		t.Error("Config.EventCh is no loop")
	}
	if _, ok := ReceiveField(config, "Other"); ok {
		t.Error("Config.Other is a loop")
	}

	wait, ok := SelfWait(p.Func(t, "github.com/rivo/tview", "Application", "QueueUpdateDraw"))
	if !ok || !wait.Is(tviewLoop) || wait.Is(teaLoop) {
		t.Errorf("QueueUpdateDraw waits for %v", wait)
	}
	handler, _ := Type(p.Type("github.com/eclipse/paho.mqtt.golang", "MessageHandler"))
	wait, _ = SelfWait(p.Func(t, "github.com/eclipse/paho.mqtt.golang", "Token", "Wait"))
	if !wait.Is(handler) || !handler.Ordered {
		t.Errorf("Token.Wait waits for %v, handlers run on %v", wait, handler)
	}
	if !Unordered(p.Func(t, "github.com/eclipse/paho.mqtt.golang", "ClientOptions", "SetOrderMatters")) {
		t.Error("SetOrderMatters does not matter")
	}
	wait, _ = SelfWait(p.Func(t, holdfastPath, "Loop", "Call"))
	if own, _ := Callback(p.Func(t, holdfastPath, "Loop", "After"), 1); !wait.Is(own) {
		t.Errorf("Loop.Call waits for %v, callbacks run on %v", wait, own)
	}
}

func TestMentionsEveryMajorVersion(t *testing.T) {
	for path, want := range map[string]bool{
		"github.com/charmbracelet/bubbletea":    true,
		"github.com/charmbracelet/bubbletea/v2": true,
		"github.com/gdamore/tcell/v9":           true,
		"github.com/gdamore/tcell/v2/terminfo":  false,
		"os":                                    false,
	} {
		if got := Mentions(path); got != want {
			t.Errorf("Mentions(%q) = %t", path, got)
		}
	}
	for _, path := range Imports() {
		if !Mentions(path) {
			t.Errorf("%s is imported and not mentioned", path)
		}
	}
}
