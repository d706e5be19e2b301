// Package protocol has the part of the Language Server Protocol, version 3.17,
// that holdfast speaks. Lines and characters are 0-based, and characters are
// UTF-16 code units.
package protocol

import "encoding/json"

type (
	Position struct {
		Line      int `json:"line"`
		Character int `json:"character"`
	}
	Range struct {
		Start Position `json:"start"`
		End   Position `json:"end"`
	}
	Location struct {
		URI   string `json:"uri"`
		Range Range  `json:"range"`
	}
	TextEdit struct {
		Range   Range  `json:"range"`
		NewText string `json:"newText"`
	}
)

// What editors tell of their documents.
type (
	TextDocument struct {
		URI     string `json:"uri"`
		Version *int   `json:"version,omitempty"`
	}
	DidOpen struct {
		TextDocument struct {
			URI     string `json:"uri"`
			Version int    `json:"version"`
			Text    string `json:"text"`
		} `json:"textDocument"`
	}
	DidChange struct {
		TextDocument   TextDocument `json:"textDocument"`
		ContentChanges []Change     `json:"contentChanges"`
	}
	// A Change without a range replaces the whole text.
	Change struct {
		Range *Range `json:"range,omitempty"`
		Text  string `json:"text"`
	}
	// DidClose is also what didSave says that matters here.
	DidClose struct {
		TextDocument TextDocument `json:"textDocument"`
	}
	DidChangeWatchedFiles struct {
		Changes []FileEvent `json:"changes"`
	}
	FileEvent struct {
		URI  string `json:"uri"`
		Type int    `json:"type"` // 1 created, 2 changed, 3 deleted
	}
	DidChangeFolders struct {
		Event struct {
			Added   []Folder `json:"added"`
			Removed []Folder `json:"removed"`
		} `json:"event"`
	}
	Folder struct {
		URI  string `json:"uri"`
		Name string `json:"name,omitempty"`
	}
)

// Severities of a diagnostic.
const (
	Error = 1 + iota
	Warning
	Information
	Hint
)

// Unnecessary is the tag of what can be deleted.
const Unnecessary = 1

type (
	PublishDiagnostics struct {
		URI         string       `json:"uri"`
		Version     *int         `json:"version,omitempty"`
		Diagnostics []Diagnostic `json:"diagnostics"`
	}
	Diagnostic struct {
		Range              Range           `json:"range"`
		Severity           int             `json:"severity,omitempty"`
		Code               string          `json:"code,omitempty"`
		CodeDescription    *CodeLink       `json:"codeDescription,omitempty"`
		Source             string          `json:"source,omitempty"`
		Message            string          `json:"message"`
		Tags               []int           `json:"tags,omitempty"`
		RelatedInformation []Related       `json:"relatedInformation,omitempty"`
		Data               json.RawMessage `json:"data,omitempty"`
	}
	CodeLink struct {
		Href string `json:"href"`
	}
	Related struct {
		Location Location `json:"location"`
		Message  string   `json:"message"`
	}
)

// QuickFix is the kind of a code action that repairs a diagnostic.
const QuickFix = "quickfix"

type (
	CodeActionParams struct {
		TextDocument TextDocument `json:"textDocument"`
		Range        Range        `json:"range"`
		Context      struct {
			Only []string `json:"only,omitempty"`
		} `json:"context"`
	}
	CodeAction struct {
		Title       string         `json:"title"`
		Kind        string         `json:"kind,omitempty"`
		Diagnostics []Diagnostic   `json:"diagnostics,omitempty"`
		IsPreferred bool           `json:"isPreferred,omitempty"`
		Edit        *WorkspaceEdit `json:"edit,omitempty"`
	}
	WorkspaceEdit struct {
		Changes         map[string][]TextEdit `json:"changes,omitempty"`
		DocumentChanges []DocumentEdit        `json:"documentChanges,omitempty"`
	}
	DocumentEdit struct {
		TextDocument VersionedDocument `json:"textDocument"`
		Edits        []TextEdit        `json:"edits"`
	}
	// A VersionedDocument that is not open has no version, and says so.
	VersionedDocument struct {
		URI     string `json:"uri"`
		Version *int   `json:"version"`
	}
	HoverParams struct {
		TextDocument TextDocument `json:"textDocument"`
		Position     Position     `json:"position"`
	}
	Hover struct {
		Contents Markup `json:"contents"`
		Range    *Range `json:"range,omitempty"`
	}
	Markup struct {
		Kind  string `json:"kind"`
		Value string `json:"value"`
	}
	CodeLensParams struct {
		TextDocument TextDocument `json:"textDocument"`
	}
	CodeLens struct {
		Range   Range    `json:"range"`
		Command *Command `json:"command,omitempty"`
	}
	Command struct {
		Title   string `json:"title"`
		Command string `json:"command"`
	}
)

type (
	InitializeParams struct {
		RootURI          string             `json:"rootUri"`
		RootPath         string             `json:"rootPath"`
		WorkspaceFolders []Folder           `json:"workspaceFolders"`
		Capabilities     ClientCapabilities `json:"capabilities"`
	}
	ClientCapabilities struct {
		Workspace struct {
			WorkspaceEdit struct {
				DocumentChanges bool `json:"documentChanges"`
			} `json:"workspaceEdit"`
			DidChangeWatchedFiles struct {
				DynamicRegistration bool `json:"dynamicRegistration"`
			} `json:"didChangeWatchedFiles"`
			CodeLens struct {
				RefreshSupport bool `json:"refreshSupport"`
			} `json:"codeLens"`
		} `json:"workspace"`
		Window struct {
			WorkDoneProgress bool `json:"workDoneProgress"`
		} `json:"window"`
	}
	InitializeResult struct {
		Capabilities map[string]any `json:"capabilities"`
		ServerInfo   ServerInfo     `json:"serverInfo"`
	}
	ServerInfo struct {
		Name    string `json:"name"`
		Version string `json:"version,omitempty"`
	}
	ShowMessage struct {
		Type    int    `json:"type"` // as the severities: Error, Warning, Information
		Message string `json:"message"`
	}
	Progress struct {
		Token string        `json:"token"`
		Value ProgressValue `json:"value"`
	}
	ProgressValue struct {
		Kind    string `json:"kind"` // begin, report, end
		Title   string `json:"title,omitempty"`
		Message string `json:"message,omitempty"`
	}
	ProgressToken struct {
		Token string `json:"token"`
	}
	Registrations struct {
		Registrations []Registration `json:"registrations"`
	}
	Registration struct {
		ID      string `json:"id"`
		Method  string `json:"method"`
		Options any    `json:"registerOptions,omitempty"`
	}
	WatchOptions struct {
		Watchers []Watcher `json:"watchers"`
	}
	Watcher struct {
		Pattern string `json:"globPattern"`
	}
)
