package report

import (
	"encoding/xml"
	"io"

	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/finding"
)

type checkstyleReport struct {
	XMLName xml.Name          `xml:"checkstyle"`
	Version string            `xml:"version,attr"`
	Files   []*checkstyleFile `xml:"file"`
}

type checkstyleFile struct {
	Name   string            `xml:"name,attr"`
	Errors []checkstyleError `xml:"error"`
}

type checkstyleError struct {
	Line     int    `xml:"line,attr"`
	Column   int    `xml:"column,attr,omitempty"` // in bytes
	Severity string `xml:"severity,attr"`
	Message  string `xml:"message,attr"`
	Source   string `xml:"source,attr"` // the rule
}

// writeCheckstyle writes the XML that Checkstyle made common. It has no place
// for accepted findings, chains and fixes.
func (d *document) writeCheckstyle(w io.Writer) error {
	report := checkstyleReport{Version: "4.3"} // the version that readers of the format expect
	byName := make(map[string]*checkstyleFile)
	add := func(f *finding.Finding, severity string) {
		name := d.inRoot(f.File)
		file := byName[name]
		if file == nil {
			file = &checkstyleFile{Name: name}
			byName[name] = file
			report.Files = append(report.Files, file)
		}
		file.Errors = append(file.Errors, checkstyleError{f.Line, f.Col, severity, message(f), f.Category})
	}
	for _, p := range d.problems() {
		add(p.Finding, "error")
	}
	for _, f := range d.Advice {
		add(f, "info")
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	encoder := xml.NewEncoder(w)
	encoder.Indent("", "  ")
	if err := encoder.Encode(report); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}
