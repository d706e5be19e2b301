package check

import (
	"context"
	"slices"

	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/ratchet"
)

// A Session judges packages of one module or workspace, as often as its text
// changes. What it has read once, it does not read again: the go command's
// environment and the settings file. It is not safe for concurrent use, except
// for Judge.
type Session struct {
	settings *Settings
	env      environment
	dir      string
	modules  []module
	extra    []string
}

// A Run is what a session is to judge, and on which text.
type Run struct {
	Patterns []string // as the go command takes them; none are all packages
	Overlay  string   // file for the go command's flag -overlay; may be empty
	Progress func(step string, packages int)
}

// Open begins to judge the module or workspace around dir as the settings say,
// which it takes over. It is an error if there is none.
//
// extra is added to the go command's environment, here and in every run.
func (s *Settings) Open(ctx context.Context, dir string, extra ...string) (*Session, error) {
	env, err := readEnvironment(ctx, dir, extra...)
	if err != nil {
		return nil, err
	}
	if err := s.readConfig(dir, env.root()); err != nil {
		return nil, err
	}
	if s.platforms == "" {
		s.platforms = env.GOOS + "/" + env.GOARCH
	}
	modules, err := env.modules()
	if err != nil {
		return nil, err
	}
	return &Session{settings: s, env: env, dir: dir, modules: modules, extra: extra}, nil
}

// Root is the folder of the workspace, or else of the module.
func (s *Session) Root() string { return s.env.root() }

// Contains reports whether the folder belongs to one of the modules.
func (s *Session) Contains(dir string) bool {
	return (&scope{modules: s.modules}).moduleOf(dir) != nil
}

// ConfigFiles are the files whose change makes another session of this one.
func (s *Session) ConfigFiles() []string {
	files := []string{s.settings.configFile(s.dir, s.Root())}
	if s.env.GOWORK != "" {
		files = append(files, s.env.GOWORK)
	}
	for _, m := range s.modules {
		files = append(files, m.file())
	}
	return slices.DeleteFunc(files, func(name string) bool { return name == "" })
}

// Judge runs the suite.
func (s *Session) Judge(ctx context.Context, run Run) (*Judgement, error) {
	request, err := s.settings.request(ctx, s.dir, run.Patterns)
	if err != nil {
		return nil, err
	}
	if run.Overlay != "" {
		request.BuildFlags = append(slices.Clone(request.BuildFlags), "-overlay="+run.Overlay)
	}
	request.Env, request.Progress, request.env = s.extra, run.Progress, &s.env
	judgement, err := Judge(ctx, request)
	if err != nil {
		return nil, err
	}
	judgement.Findings, judgement.Advice = s.settings.separate(judgement.Findings)
	judgement.Categories, err = s.settings.categories(ctx, request.Tool)
	return judgement, err
}

// Baseline reads the default baseline of the session.
func (s *Session) Baseline() ([]ratchet.Entry, error) {
	return ratchet.Load(baselinePath(s.dir, s.Root(), ""))
}
