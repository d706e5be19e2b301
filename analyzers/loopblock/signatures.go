package loopblock

import "github.com/holdfast-go/holdfast/analyzers/internal/roots"

// signatures are methods of the standard library's types by which a program's
// own interfaces are mostly fulfilled: interface{ Do(*http.Request) … } is an
// *http.Client in all but tests. Such an interface's method blocks although no
// type of the module implements it. The keys are those of methodKey.
var signatures = map[string]blocker{
	"Do(*net/http.Request)(*net/http.Response,error)":        {kind: roots.Net, name: "http.Client.Do"},
	"RoundTrip(*net/http.Request)(*net/http.Response,error)": {kind: roots.Net, name: "http.RoundTripper.RoundTrip"},

	"Exec(string,[]interface{}...)(database/sql.Result,error)":                        {kind: roots.DB, name: "sql.DB.Exec"},
	"ExecContext(context.Context,string,[]interface{}...)(database/sql.Result,error)": {kind: roots.DB, name: "sql.DB.ExecContext"},
	"Query(string,[]interface{}...)(*database/sql.Rows,error)":                        {kind: roots.DB, name: "sql.DB.Query"},
	"QueryContext(context.Context,string,[]interface{}...)(*database/sql.Rows,error)": {kind: roots.DB, name: "sql.DB.QueryContext"},
	"QueryRow(string,[]interface{}...)(*database/sql.Row)":                            {kind: roots.DB, name: "sql.DB.QueryRow"},
	"QueryRowContext(context.Context,string,[]interface{}...)(*database/sql.Row)":     {kind: roots.DB, name: "sql.DB.QueryRowContext"},
	"PingContext(context.Context)(error)":                                             {kind: roots.DB, name: "sql.DB.PingContext"},
	"BeginTx(context.Context,*database/sql.TxOptions)(*database/sql.Tx,error)":        {kind: roots.DB, name: "sql.DB.BeginTx"},
}
