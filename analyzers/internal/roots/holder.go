package roots

import (
	"go/ast"
	"go/types"
	"sync"

	"github.com/holdfast-go/holdfast/analyzers/internal/symbols"
)

// Holder returns the kind that reading or writing a value of the static type
// waits for, if the type tells: disk for *os.File, net for connections.
func Holder(t types.Type) (Kind, bool) {
	named := symbols.Named(t)
	if named == nil || named.Obj().Pkg() == nil {
		return "", false
	}
	return holders().Get(named.Obj().Pkg().Path(), named.Obj().Name())
}

// Wraps reports whether the function returns a value whose reads and writes
// are those of what the function is given, such as bufio.NewReader.
func Wraps(fn *types.Func) bool {
	_, ok := wrappers().Of(fn)
	return ok
}

// maxSteps bounds how many variables and wrappers a look goes through.
const maxSteps = 8

// kind returns what reading or writing the expression waits for.
func (l look) kind(e ast.Expr, steps int) (Kind, bool) {
	if e == nil || steps == 0 {
		return "", false
	}
	e = ast.Unparen(e)
	if kind, ok := l.known(e); ok {
		return kind, true
	}
	switch e := e.(type) {
	case *ast.Ident:
		if l.value != nil {
			return l.kind(l.value(e), steps-1)
		}
	case *ast.CallExpr:
		return l.callKind(e, steps-1)
	case *ast.UnaryExpr:
		return l.kind(e.X, steps-1)
	}
	return "", false
}

// known returns the kind of an expression that is a standard stream or a
// response's body, or whose static type tells.
func (l look) known(e ast.Expr) (Kind, bool) {
	if selector, ok := e.(*ast.SelectorExpr); ok {
		if v, ok := l.info.Uses[selector.Sel].(*types.Var); ok {
			if kind, ok := l.variable(selector, v); ok {
				return kind, true
			}
		}
	}
	if t := l.info.TypeOf(e); t != nil {
		return Holder(t)
	}
	return "", false
}

func (l look) variable(selector *ast.SelectorExpr, v *types.Var) (Kind, bool) {
	if v.Pkg() == nil {
		return "", false
	}
	if !v.IsField() {
		return variables().Get(v.Pkg().Path(), v.Name())
	}
	owner := symbols.Named(l.info.TypeOf(selector.X))
	if owner == nil {
		return "", false
	}
	return variables().Get(v.Pkg().Path(), owner.Obj().Name()+"."+v.Name())
}

// callKind returns the kind of the value that a call returns.
func (l look) callKind(call *ast.CallExpr, steps int) (Kind, bool) {
	isConversion := l.info.Types[call.Fun].IsType()
	if !isConversion {
		fn := l.callee(call)
		if fn == nil {
			return "", false
		}
		if kind, ok := sources().Of(fn); ok {
			return kind, true
		}
		if !Wraps(fn) {
			return "", false
		}
	}
	for _, arg := range call.Args {
		if kind, ok := l.kind(arg, steps); ok {
			return kind, true
		}
	}
	return "", false
}

func kinds(lists listing) *symbols.Table[Kind] {
	table := symbols.NewTable[Kind]()
	for path, list := range lists {
		for kind, names := range list {
			table.Add(path, names, kind)
		}
	}
	return table
}

var (
	holders   = sync.OnceValue(func() *symbols.Table[Kind] { return kinds(holderNames) })
	variables = sync.OnceValue(func() *symbols.Table[Kind] { return kinds(variableNames) })
	sources   = sync.OnceValue(func() *symbols.Table[Kind] { return kinds(sourceNames) })
	wrappers  = sync.OnceValue(func() *table { return set(wrapperNames) })
)

// holderNames are types.
var holderNames = listing{
	"os":                         {Disk: "File"},
	"net":                        {Net: "Conn PacketConn TCPConn UDPConn UnixConn IPConn"},
	"crypto/tls":                 {Net: "Conn"},
	"golang.org/x/crypto/ssh":    {Net: "Channel"},
	"golang.org/x/net/websocket": {Net: "Conn"},
	"github.com/quic-go/quic-go": {Net: "Stream SendStream ReceiveStream"},
}

// variableNames are package variables and fields.
var variableNames = listing{
	"os":       {Stdio: "Stdin Stdout Stderr"},
	"net/http": {Net: "Response.Body"},
}

// sourceNames are functions that return a stream, or a tree of files, of some
// kind as an interface.
var sourceNames = listing{
	"os":      {Disk: "DirFS Root.FS"},
	"os/exec": {Wait: "Cmd.{StdinPipe,StdoutPipe,StderrPipe}"},
}

// wrapperNames are functions that return a reader or writer around one that
// they are given.
var wrapperNames = map[string]string{
	"bufio":                      "NewReader NewReaderSize NewWriter NewWriterSize NewReadWriter NewScanner",
	"io":                         "LimitReader MultiReader MultiWriter NewSectionReader NopCloser TeeReader",
	"io/ioutil":                  "NopCloser",
	"encoding/json":              "NewDecoder NewEncoder",
	"encoding/gob":               "NewDecoder NewEncoder",
	"encoding/xml":               "NewDecoder NewEncoder",
	"encoding/csv":               "NewReader NewWriter",
	"encoding/hex":               "NewDecoder NewEncoder Dumper",
	"encoding/base64":            "NewDecoder NewEncoder",
	"compress/gzip":              "NewReader NewWriter NewWriterLevel",
	"compress/zlib":              "NewReader NewWriter NewWriterLevel",
	"compress/flate":             "NewReader NewWriter",
	"compress/bzip2":             "NewReader",
	"archive/tar":                "NewReader NewWriter",
	"archive/zip":                "NewWriter",
	"text/tabwriter":             "NewWriter Writer.Init",
	"net/textproto":              "NewReader NewWriter",
	"net/http":                   "MaxBytesReader",
	"mime/multipart":             "NewReader NewWriter",
	"gopkg.in/yaml":              "NewDecoder NewEncoder",
	"github.com/BurntSushi/toml": "NewDecoder NewEncoder",
}
