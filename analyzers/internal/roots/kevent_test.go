package roots

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"testing"
)

// Without room for events kevent(2) only changes what is watched. It is not on
// every system, so the test brings its own.
func TestAKeventThatOnlyRegistersDoesNotWait(t *testing.T) {
	const source = `package unix

type Kevent_t struct{}

func Kevent(kq int, changes, events []Kevent_t, timeout *int) (int, error) { return 0, nil }

func waits(events []Kevent_t) { Kevent(0, nil, events, nil) }

func registers(changes []Kevent_t) { Kevent(0, changes, nil, nil) }
`
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "unix.go", source, 0)
	if err != nil {
		t.Fatal(err)
	}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}}
	if _, err := new(types.Config).Check("golang.org/x/sys/unix", fset, []*ast.File{file}, info); err != nil {
		t.Fatal(err)
	}
	want := map[string]bool{"waits": true, "registers": false}
	for _, declaration := range file.Decls {
		fn, ok := declaration.(*ast.FuncDecl)
		if !ok || len(fn.Body.List) == 0 {
			continue
		}
		call := lastCall(fn.Body.List[0])
		if blocks, judged := want[fn.Name.Name]; judged && call != nil {
			if _, got := decide(info, call, nil); got != blocks {
				t.Errorf("%s: waits %t, want %t", fn.Name.Name, got, blocks)
			}
			delete(want, fn.Name.Name)
		}
	}
	if len(want) > 0 {
		t.Errorf("not judged: %v", want)
	}
}
