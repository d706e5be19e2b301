package loopblock

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/holdfast-go/holdfast/analyzers/internal/roots"
	"github.com/holdfast-go/holdfast/analyzers/internal/symbols"
)

// exempt reports whether a function's loops are known not to be for others: its
// directive says so, it is one of a pool, serves one connection, waits in main
// or for what it returns, or helps a test.
func (c *collector) exempt(n *node, pooled map[*node]bool) bool {
	if returnsMore(n.sig) {
		return true
	}
	for f := n; f != nil; f = f.outer {
		if c.isWorker(f) || pooled[f] {
			return true
		}
		if f.obj != nil && f.obj.Name() == "main" && f.sig.Recv() == nil {
			return true
		}
		if c.servesOne(f.sig) {
			return true
		}
	}
	return false
}

// returnsMore reports whether a function returns something besides an error.
func returnsMore(sig *types.Signature) bool {
	for result := range sig.Results().Variables() {
		if !isError(result.Type()) {
			return true
		}
	}
	return false
}

func (c *collector) isWorker(n *node) bool {
	if n.lit != nil {
		return c.directed.workers[n.lit]
	}
	return c.directed.workers[n.decl]
}

// pooled returns the functions that are started in a loop, several at a time.
func (c *collector) pooled() map[*node]bool {
	pooled := make(map[*node]bool)
	for _, n := range c.nodes {
		inspectLoops(n.body, func(_ ast.Stmt, body *ast.BlockStmt) {
			ast.Inspect(body, func(s ast.Node) bool {
				switch s := s.(type) {
				case *ast.FuncLit:
					return false
				case *ast.GoStmt:
					for _, v := range c.values(s.Call.Fun) {
						if v.node != nil {
							pooled[v.node] = true
						}
					}
				}
				return true
			})
		})
	}
	return pooled
}

// servesOne reports whether a function has a connection, or is a method of
// something that has, or answers one request: nobody but the peer waits for it.
func (c *collector) servesOne(sig *types.Signature) bool {
	if recv := sig.Recv(); recv != nil {
		if isConnection(recv.Type()) {
			return true
		}
		if structure, ok := structOf(recv.Type()); ok {
			for field := range structure.Fields() {
				if isConnection(field.Type()) {
					return true
				}
			}
		}
	}
	for param := range sig.Params().Variables() {
		if isConnection(param.Type()) || isRequest(param.Type()) || isTesting(param.Type()) {
			return true
		}
	}
	return false
}

func isConnection(t types.Type) bool {
	if kind, ok := roots.Holder(t); ok && kind == roots.Net {
		return true
	}
	named := symbols.Named(t)
	if named == nil {
		return false
	}
	return named.Obj().Name() == "Conn" || strings.HasSuffix(named.Obj().Name(), "Stream") && carries(named) ||
		has(named, "SendMsg") && has(named, "RecvMsg")
}

func isRequest(t types.Type) bool {
	named := symbols.Named(t)
	if named == nil || named.Obj().Pkg() == nil || named.Obj().Pkg().Path() != "net/http" {
		return false
	}
	return named.Obj().Name() == "ResponseWriter" || named.Obj().Name() == "Request"
}

// carries reports whether a type sends or receives, as a stream of a protocol
// does and a log of messages does not.
func carries(t *types.Named) bool {
	return slices.ContainsFunc([]string{"Read", "Write", "Recv", "Send"}, func(name string) bool { return has(t, name) })
}

func has(t *types.Named, method string) bool {
	obj, _, _ := types.LookupFieldOrMethod(t, true, t.Obj().Pkg(), method)
	return obj != nil
}

func isTesting(t types.Type) bool {
	named := symbols.Named(t)
	return named != nil && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == "testing"
}
