package loopblock_test

import (
	"strings"
	"testing"

	"github.com/holdfast-go/holdfast/analyzers/loopblock"
)

const autoPreamble = `package p

import (
	"context"
	"database/sql"
	"net"
	"net/http"
	"os"
	"time"
)

type request struct {
	name  string
	reply chan error
}

type server struct {
	requests chan request
	joins    chan string
	leaves   chan string
	quit     chan struct{}
}

var _, _, _, _, _ = context.Background, sql.Open, net.Dial, time.Now, os.Remove

func fetch() { _, _ = http.Get("http://a") }

`

// Which hand-written loops are asked to say what they are.
func TestAdviceOnHandWrittenLoops(t *testing.T) {
	tests := []struct {
		name, code string
		want       string // in the advice; "" for none
	}{
		{"callers wait for answers", `func (s *server) run() {
			for {
				select {
				case r := <-s.requests:
					fetch()
					r.reply <- nil
				case <-s.joins:
				case <-s.quit:
					return
				}
			}
		}`, "the loop of run looks like an event loop (2 event sources, callers that wait for answers) and waits on net: run (p.go:"},
		{"a loop with a state instead of true", `func (s *server) run() {
			for s.requests != nil {
				select {
				case <-s.requests:
				case <-s.joins:
					time.Sleep(time.Second)
				}
			}
		}`, "waits on sleep: run ("},
		{"work below the select", `func (s *server) run() {
			for {
				select {
				case <-s.joins:
				case <-s.leaves:
				}
				fetch()
			}
		}`, "waits on net: run ("},
		{"the select in a function of its own", `func (s *server) run() {
			for s.once() {
			}
		}
		func (s *server) once() bool {
			select {
			case <-s.joins:
				fetch()
			case <-s.leaves:
			case <-s.quit:
				return false
			}
			return true
		}`, ""}, // called in the condition: not a body
		{"the select in a function that the body calls", `func (s *server) run() {
			for {
				if !s.once() {
					return
				}
			}
		}
		func (s *server) once() bool {
			select {
			case <-s.joins:
				fetch()
			case <-s.leaves:
			case <-s.quit:
				return false
			}
			return true
		}`, "waits on net: run ("},
		{"one channel with a dispatch of four", `func run(messages chan any) {
			for {
				select {
				case m := <-messages:
					switch m.(type) {
					case int:
					case string:
						_ = os.Remove("a")
					case bool:
					case error:
					}
				}
			}
		}`, "waits on disk: run ("},
		{"everything it does is that", `func (s *server) run() {
			for {
				select {
				case <-s.joins:
					fetch()
				case <-s.leaves:
					fetch()
				}
			}
		}`, ""},
		{"several kinds of events, one of which goes to disk", `func (s *server) run(kicks chan string) {
			for {
				select {
				case name := <-s.joins:
					_ = os.Remove(name)
				case <-s.leaves:
				case <-kicks:
				}
			}
		}`, "waits on disk: run ("},
		{"a file's writer", `func (s *server) run(flush chan int) {
			for {
				select {
				case name := <-s.joins:
					_ = os.Remove(name)
				case <-flush:
				}
			}
		}`, ""},
		{"most of what it does waits, for one thing or another", `func (s *server) run(tick *time.Ticker, kicks chan string) {
			for {
				select {
				case name := <-s.joins:
					_ = os.Remove(name)
				case <-s.leaves:
					fetch()
				case <-kicks:
					time.Sleep(time.Second)
				case <-tick.C:
				}
			}
		}`, ""},
		{"it waits for what it returns", `func (s *server) await() (string, error) {
			for {
				select {
				case name := <-s.joins:
					return name, nil
				case <-s.leaves:
					fetch()
				case <-s.requests:
				}
			}
		}`, ""},
		{"most of what it does waits, for one thing or another, but callers wait for the rest", `func (s *server) run() {
			for {
				select {
				case r := <-s.requests:
					r.reply <- nil
				case <-s.joins:
					fetch()
				case <-s.leaves:
					time.Sleep(time.Second)
				}
			}
		}`, "(3 event sources, callers that wait for answers), may wait on "},
		{"two thirds of what it does waits for one thing, but callers wait for the rest", `func (s *server) run() {
			for {
				select {
				case r := <-s.requests:
					r.reply <- nil
				case <-s.joins:
					fetch()
				case <-s.leaves:
					fetch()
				}
			}
		}`, "(3 event sources, callers that wait for answers) and waits on net: run ("},
		{"callers wait for a sleep while everything else is in the database", `func (s *server) run(db *sql.DB) {
			for {
				select {
				case r := <-s.requests:
					time.Sleep(time.Second)
					r.reply <- db.Ping()
				case <-s.joins:
					_ = db.Ping()
				}
			}
		}`, "waits on sleep: run ("},
		{"all that it does is in the database, and callers wait for that", `func (s *server) run(db *sql.DB) {
			for {
				select {
				case r := <-s.requests:
					r.reply <- db.Ping()
				case <-s.joins:
					_ = db.Ping()
				}
			}
		}`, ""},
		{"two signals that only wake it up", `func run(refresh, details chan struct{}) {
			for {
				select {
				case <-refresh:
					fetch()
				case <-details:
				}
			}
		}`, ""},
		{"what it does at its end", `func (s *server) run(errs chan error) {
		serving:
			for {
				select {
				case r := <-s.requests:
					if r.name == "" {
						fetch()
						return
					}
					r.reply <- nil
				case <-s.joins:
				case <-errs:
					_ = os.Remove("socket")
					break serving
				case <-s.quit:
					time.Sleep(time.Second)
					return
				}
			}
		}`, ""},
		{"a break out of the select alone is not its end", `func (s *server) run() {
			for {
			waiting:
				select {
				case <-s.joins:
					fetch()
					break waiting
				case <-s.leaves:
				}
			}
		}`, "waits on net: run ("},
		{"a ticker's worker", `func run(ctx context.Context, tick *time.Ticker) {
			for {
				select {
				case <-tick.C:
					fetch()
				case <-ctx.Done():
					return
				}
			}
		}`, ""},
		{"one of a pool", `func start(s *server) {
			for range 4 {
				go s.run()
			}
		}
		func (s *server) run() {
			for {
				select {
				case <-s.joins:
					fetch()
				case <-s.leaves:
				}
			}
		}`, ""},
		{"one connection's", `type peer struct {
			conn net.Conn
			out, in chan []byte
		}
		func (p *peer) writePump() {
			for {
				select {
				case b := <-p.out:
					_, _ = p.conn.Write(b)
				case <-p.in:
				}
			}
		}`, ""},
		{"a loop that makes its ticker", `func (s *server) run() {
			for tick := time.Tick(time.Second); ; {
				select {
				case <-tick:
				case <-s.joins:
					time.Sleep(time.Second)
				case <-s.leaves:
				}
			}
		}`, "waits on sleep: run ("},
		{"a loop that gathers so many", `func (s *server) run() {
			for n := 0; n < 3; n++ {
				select {
				case <-s.joins:
					time.Sleep(time.Second)
				case <-s.leaves:
				}
			}
		}`, ""},
		{"a select before that only looks whether to go on", `func (s *server) run(ctx context.Context) {
			for {
				select {
				case <-ctx.Done():
					return
				default:
				}
				select {
				case <-s.joins:
				case <-s.leaves:
					fetch()
				}
			}
		}`, "waits on net: run ("},
		{"the answer is in an embedded struct", `type future struct{ done chan error }
		type apply struct {
			future
			data []byte
		}
		func run(applies chan *apply, joins chan string) {
			for {
				select {
				case a := <-applies:
					a.done <- os.WriteFile("a", a.data, 0o600)
				case <-joins:
				}
			}
		}`, "(2 event sources, callers that wait for answers) and waits on disk: run ("},
		{"a timer's end that is there already", `func (s *server) run(timer *time.Timer) {
			for running := true; ; {
				select {
				case r := <-s.requests:
					r.reply <- nil
				case <-s.joins:
				case <-timer.C:
					running = false
				}
				if running && !timer.Stop() {
					<-timer.C
				}
			}
		}`, ""},
		{"one stream's", `type stream interface {
			SendMsg(m any) error
			RecvMsg(m any) error
		}
		type sessions interface{ stream }
		func (s *server) session(of sessions) {
			for {
				select {
				case <-s.joins:
					fetch()
				case <-s.leaves:
				}
			}
		}`, ""},
		{"one request's", `func (s *server) events(w http.ResponseWriter, r *http.Request) {
			for {
				select {
				case <-s.joins:
					fetch()
				case <-s.leaves:
				}
			}
		}`, ""},
		{"it says what it is", `//holdfast:worker
		func (s *server) run() {
			for {
				select {
				case <-s.joins:
					fetch()
				case <-s.leaves:
				}
			}
		}`, ""},
		{"nothing blocks", `func (s *server) run() {
			for {
				select {
				case <-s.joins:
				case r := <-s.requests:
					r.reply <- nil
				}
			}
		}`, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			found := analyze(t, autoPreamble+test.code, loopblock.Options{Auto: true})
			if test.want == "" {
				if len(found) != 0 {
					t.Errorf("advice was given: %s", found[0].Message)
				}
				return
			}
			if len(found) != 1 || found[0].Category != loopblock.Advice || !strings.Contains(found[0].Message, test.want) {
				t.Errorf("want advice with %q, got %v", test.want, found)
			}
			if silent := analyze(t, autoPreamble+test.code, loopblock.Options{}); len(silent) != 0 {
				t.Errorf("without -auto: %v", silent)
			}
		})
	}
}
