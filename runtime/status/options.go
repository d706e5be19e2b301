package status

import (
	"log/slog"
	"time"

	"github.com/holdfast-go/holdfast/runtime/internal/atomicfile"
)

const (
	// DefaultInterval is the least time between two writes that nobody waits
	// for: ten a second are more than a person can read.
	DefaultInterval = 100 * time.Millisecond
	// DefaultRecheck is how often the file is looked at while nothing is
	// published. A look is one stat(2) if the file has not changed.
	DefaultRecheck = 5 * time.Second
	// DefaultProcess is the path of the process's identity.
	DefaultProcess = "process"
)

// A Durability says what a power cut can do to the file. A kill can do nothing
// to it in any case.
type Durability int

const (
	// Whole makes the file whole after a power cut, old or new: its content is
	// forced to the disk before it takes its place. It is the default.
	Whole Durability = iota
	// Fast forces nothing to the disk. After a power cut the file can be empty
	// on file systems that do not order data before a rename.
	Fast
	// Latest makes what Write, Flush and Close have waited for survive a power
	// cut: the folder is forced to the disk too.
	Latest
)

// An Option changes what [New] makes.
type Option func(*settings)

type settings struct {
	interval time.Duration
	recheck  time.Duration
	process  string
	sync     atomicfile.Sync
	logger   *slog.Logger
	file     string // for messages
}

// WithInterval sets the least time between two writes that nobody waits for. An
// interval of 0 or less is [DefaultInterval].
func WithInterval(interval time.Duration) Option {
	return func(s *settings) { s.interval = orDefault(interval, DefaultInterval) }
}

// WithRecheck sets how often the file is looked at while nothing is published,
// to repair what somebody has put back. A period of 0 or less is
// [DefaultRecheck].
func WithRecheck(period time.Duration) Option {
	return func(s *settings) { s.recheck = orDefault(period, DefaultRecheck) }
}

// WithProcess sets the path at which the identity of this process is published.
// Processes that share a file need one each. The default is [DefaultProcess],
// and an empty path publishes none.
func WithProcess(path string) Option {
	return func(s *settings) { s.process = path }
}

// WithDurability sets what a power cut can do to the file.
func WithDurability(d Durability) Option {
	return func(s *settings) {
		s.sync = map[Durability]atomicfile.Sync{
			Whole: atomicfile.SyncFile, Fast: atomicfile.SyncNone, Latest: atomicfile.SyncFolder,
		}[d]
	}
}

// WithLogger sets where failures are logged; the default is [slog.Default] at the
// time of the message.
func WithLogger(logger *slog.Logger) Option {
	return func(s *settings) { s.logger = logger }
}

func newSettings(options []Option) settings {
	s := settings{interval: DefaultInterval, recheck: DefaultRecheck, process: DefaultProcess}
	for _, option := range options {
		option(&s)
	}
	return s
}

func (s *settings) log() *slog.Logger {
	if s.logger != nil {
		return s.logger
	}
	return slog.Default()
}

func orDefault(d, standard time.Duration) time.Duration {
	if d <= 0 {
		return standard
	}
	return d
}
