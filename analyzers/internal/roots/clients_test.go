package roots

import (
	"go/ast"
	"slices"
	"testing"

	"github.com/holdfast-go/holdfast/analyzers/internal/checked"
)

// clients are cut down from the real modules.
var clients = map[string]string{
	"context": `package context; type Context interface { Done() }`,
	"github.com/aws/aws-sdk-go-v2/service/s3": `package s3
		import "context"
		type Client struct{}
		func (c *Client) GetObject(ctx context.Context) error { return nil }
		func (c *Client) Options() int { return 0 }
		type Paginator struct{}
		func (p *Paginator) NextPage(ctx context.Context) error { return nil }
		func (p *Paginator) HasMorePages() bool { return false }`,
	"k8s.io/client-go/kubernetes/typed/core/v1": `package v1
		import "context"
		type PodInterface interface { Get(ctx context.Context, name string) error; Name() string }`,
	"k8s.io/client-go/kubernetes/typed/core/v1/fake": `package fake
		import "context"
		type FakeInterface interface { Get(ctx context.Context, name string) error }`,
	"k8s.io/client-go/listers/core/v1": `package v1
		type PodLister interface { List() error }`,
	"sigs.k8s.io/controller-runtime/pkg/client": `package client
		import "context"
		type Reader interface { Get(ctx context.Context) error }
		type Writer interface { Create(ctx context.Context) error }`,
	"github.com/redis/go-redis/v9": `package redis
		import "context"
		type cmdable func() error
		func (c cmdable) Set(ctx context.Context) error { return nil }
		type StringCmdable interface { Set(ctx context.Context) error }
		type Cmdable interface { StringCmdable; Pipeline() Pipeliner }
		type Pipeliner interface { Cmdable; Exec(ctx context.Context) error }
		type Client struct { cmdable }
		type Pipeline struct { cmdable }`,
	"app": `package app
		import "github.com/redis/go-redis/v9"
		func direct(c *redis.Client) { c.Set(nil) }
		func through(c redis.Cmdable) { c.Set(nil) }
		func queued(p *redis.Pipeline) { p.Set(nil) }
		func queuedThrough(p redis.Pipeliner) { p.Set(nil) }
		func sent(p redis.Pipeliner) { p.Exec(nil) }
		func pipeline(c redis.Cmdable) { c.Pipeline() }`,
}

func TestGeneratedClients(t *testing.T) {
	p := checked.Check(t, clients)
	for _, c := range []struct {
		path, owner, name string
		kind              Kind
		nonBlocking       bool
	}{
		{"github.com/aws/aws-sdk-go-v2/service/s3", "Client", "GetObject", Net, false},
		{"github.com/aws/aws-sdk-go-v2/service/s3", "Client", "Options", "", false},
		{"github.com/aws/aws-sdk-go-v2/service/s3", "Paginator", "NextPage", Net, false},
		{"github.com/aws/aws-sdk-go-v2/service/s3", "Paginator", "HasMorePages", "", false},
		{"k8s.io/client-go/kubernetes/typed/core/v1", "PodInterface", "Get", Net, false},
		{"k8s.io/client-go/kubernetes/typed/core/v1", "PodInterface", "Name", "", false},
		{"k8s.io/client-go/kubernetes/typed/core/v1/fake", "FakeInterface", "Get", "", true},
		{"k8s.io/client-go/listers/core/v1", "PodLister", "List", "", true},
		{"sigs.k8s.io/controller-runtime/pkg/client", "Reader", "Get", "", true},
		{"sigs.k8s.io/controller-runtime/pkg/client", "Writer", "Create", Net, false},
	} {
		fn := p.Func(t, c.path, c.owner, c.name)
		if root, _ := Of(fn); root.Kind != c.kind || NonBlocking(fn) != c.nonBlocking {
			t.Errorf("%s: %q, non-blocking %t, want %q, %t", fn.FullName(), root.Kind, NonBlocking(fn), c.kind, c.nonBlocking)
		}
	}
}

func TestMentionsGeneratedClients(t *testing.T) {
	for path, want := range map[string]bool{
		"os":                      true,
		"github.com/jackc/pgx/v5": true,
		"k8s.io/client-go/kubernetes/typed/core/v1":            true,
		"example.org/api/clientset/versioned/typed/widgets/v1": true,
		"example.org/api/widgets":                              false,
		"unicode":                                              false,
	} {
		if got := Mentions(path); got != want {
			t.Errorf("Mentions(%q) = %t", path, got)
		}
	}
}

// A pipeline has the methods of the client and only queues what they send.
func TestRedisPipelinesQueue(t *testing.T) {
	p := checked.Check(t, clients)
	want := map[string]Kind{"direct": DB, "through": DB, "queued": "", "queuedThrough": "", "sent": DB, "pipeline": ""}
	for _, decl := range p.File("app").Decls {
		fn, ok := decl.(*ast.FuncDecl)
		if !ok {
			continue
		}
		call := lastCall(fn.Body.List[0])
		if root, _ := decide(p.Info, call, nil); root.Kind != want[fn.Name.Name] {
			t.Errorf("%s: %q, want %q", fn.Name.Name, root.Kind, want[fn.Name.Name])
		}
	}
}

func TestCallers(t *testing.T) {
	p := checked.Check(t, map[string]string{
		"sync": `package sync
			type Once struct{}
			func (o *Once) Do(f func()) {}
			type WaitGroup struct{}
			func (w *WaitGroup) Go(f func()) {}
			func OnceValue[T any](f func() T) func() T { return nil }`,
		"sort":   `package sort; func Slice(x any, less func(i, j int) bool) {}; func Ints(x []int) {}`,
		"slices": `package slices; func SortFunc[S ~[]E, E any](x S, cmp func(a, b E) int) {}`,
		"time":   `package time; func AfterFunc(d int, f func()) {}`,
	})
	for _, c := range []struct {
		path, owner, name      string
		synchronous, elsewhere []int
		once                   bool
	}{
		{"sync", "Once", "Do", []int{0}, nil, true},
		{"sync", "", "OnceValue", []int{0}, nil, true},
		{"sync", "WaitGroup", "Go", nil, []int{0}, false},
		{"sort", "", "Slice", []int{1}, nil, false},
		{"sort", "", "Ints", nil, nil, false},
		{"slices", "", "SortFunc", []int{1}, nil, false},
		{"time", "", "AfterFunc", nil, []int{1}, false},
	} {
		fn := p.Func(t, c.path, c.owner, c.name)
		if !slices.Equal(Synchronous(fn), c.synchronous) || !slices.Equal(Elsewhere(fn), c.elsewhere) || Once(fn) != c.once {
			t.Errorf("%s: called %v, elsewhere %v, once %t", fn.FullName(), Synchronous(fn), Elsewhere(fn), Once(fn))
		}
	}
}
