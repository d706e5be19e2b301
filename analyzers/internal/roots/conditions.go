package roots

import "slices"

// A conditionList lists the functions, by import path, that one condition is
// for.
type conditionList struct {
	condition Condition
	names     map[string]string
}

// both are the packages that wrap Unix system calls.
func both(names string) map[string]string {
	return map[string]string{"syscall": names, "golang.org/x/sys/unix": names}
}

var conditionLists = slices.Concat(systemConditions, stdConditions, streamConditions)

// systemConditions are of system calls with flags and time limits.
var systemConditions = []conditionList{
	{Condition{root: Root{Kind: Flock}, test: unlessFlag, arg: 1, words: []string{"LOCK_NB", "LOCK_UN"}}, both("Flock")},
	{Condition{root: Root{Kind: Flock}, test: onlyConstant, arg: 1, words: []string{"F_SETLKW", "F_OFD_SETLKW"}}, both("FcntlFlock")},
	{
		Condition{root: Root{Kind: Flock}, test: unlessFlag, arg: 1, words: []string{"LOCKFILE_FAIL_IMMEDIATELY"}},
		map[string]string{"golang.org/x/sys/windows": "LockFileEx"},
	},
	{Condition{root: Root{Kind: Wait}, test: unlessFlag, arg: 2, words: []string{"WNOHANG"}}, both("Wait4")},
	{Condition{root: Root{Kind: Net}, test: unlessFlag, arg: 2, words: []string{"MSG_DONTWAIT"}}, both("Recvfrom Sendto")},
	{Condition{root: Root{Kind: Net}, test: unlessZero, arg: 1}, map[string]string{"golang.org/x/sys/unix": "Poll"}},
	{Condition{root: Root{Kind: Net}, test: unlessZero, arg: 2}, both("EpollWait")},
	{Condition{root: Root{Kind: Net}, test: unlessNil, arg: 2}, both("Kevent")},
	{
		Condition{root: Root{Kind: Wait}, test: unlessZero, arg: 1},
		map[string]string{"syscall": "WaitForSingleObject", "golang.org/x/sys/windows": "WaitForSingleObject"},
	},
}

// stdConditions are of functions that wait only for some values.
var stdConditions = []conditionList{
	{Condition{root: Root{Kind: Sleep}, test: unlessZero, arg: 0}, map[string]string{"time": "Sleep"}},
	{
		Condition{root: Root{Kind: Stat, Clause: "the first time"}, test: unlessText, arg: 0, words: []string{"", "UTC", "Local"}},
		map[string]string{"time": "LoadLocation"},
	},
	{Condition{root: Root{Kind: Disk}, test: onlyNil, arg: 2}, map[string]string{"go/parser": "ParseFile"}},
	{Condition{root: Root{Kind: Stat}, test: onlyBareName, arg: 0}, map[string]string{"os/exec": "Command"}},
	{Condition{root: Root{Kind: Stat}, test: onlyBareName, arg: 1}, map[string]string{"os/exec": "CommandContext"}},
	{
		Condition{root: Root{Kind: DNS}, test: unlessAddress, arg: 0},
		map[string]string{"net": "LookupHost LookupIP"},
	},
	{
		Condition{root: Root{Kind: DNS}, test: unlessAddress, arg: 1},
		map[string]string{"net": "ResolveTCPAddr ResolveUDPAddr ResolveIPAddr LookupPort Resolver.LookupHost Resolver.LookupIPAddr"},
	},
	{
		Condition{root: Root{Kind: DNS}, test: unlessAddress, arg: 2},
		map[string]string{"net": "Resolver.{LookupIP,LookupNetIP,LookupPort}"},
	},
	{Condition{root: Root{Kind: DNS}, test: onlyHost, arg: 1}, map[string]string{"net": "Listen ListenPacket"}},
	{Condition{root: Root{Kind: DNS}, test: onlyHost, arg: 2}, map[string]string{"net": "ListenConfig.{Listen,ListenPacket}"}},
	{Condition{root: Root{Kind: DNS}, test: onlyHost, arg: 1}, map[string]string{"crypto/tls": "Listen"}},
}

// streamConditions are of functions that read or write what they are given, or
// what was given to make their receiver.
var streamConditions = []conditionList{
	{
		Condition{root: Root{Kind: Disk}, test: heldKind, arg: receiver},
		map[string]string{"os": "File.{Read,ReadAt,ReadFrom,Write,WriteAt,WriteString,WriteTo}"},
	},
	{
		Condition{test: heldKind, arg: receiver},
		map[string]string{
			"io":                         "Reader.Read Writer.Write StringWriter.WriteString ReaderFrom.ReadFrom WriterTo.WriteTo ByteReader.ReadByte ByteWriter.WriteByte RuneReader.ReadRune ReaderAt.ReadAt WriterAt.WriteAt LimitedReader.Read",
			"bufio":                      "Writer.{Flush,ReadFrom} Reader.{Read,ReadByte,ReadBytes,ReadLine,ReadRune,ReadSlice,ReadString,Peek,Discard,WriteTo} Scanner.Scan",
			"encoding/json":              "Encoder.Encode Decoder.{Decode,Token,More}",
			"encoding/gob":               "Encoder.{Encode,EncodeValue} Decoder.{Decode,DecodeValue}",
			"encoding/xml":               "Encoder.{Encode,EncodeElement,EncodeToken,Flush,Close} Decoder.{Decode,DecodeElement,Token,RawToken,Skip}",
			"encoding/csv":               "Writer.{Flush,Write,WriteAll} Reader.{Read,ReadAll}",
			"compress/gzip":              "Writer.{Write,Flush,Close} Reader.Read",
			"compress/zlib":              "Writer.{Write,Flush,Close}",
			"compress/flate":             "Writer.{Write,Flush,Close}",
			"archive/tar":                "Writer.{Write,WriteHeader,Flush,Close,AddFS} Reader.{Next,Read}",
			"archive/zip":                "Writer.{Create,CreateHeader,Flush,Close,AddFS}",
			"text/tabwriter":             "Writer.Flush",
			"net/textproto":              "Reader.{ReadLine,ReadContinuedLine,ReadResponse,ReadMIMEHeader,ReadCodeLine} Writer.PrintfLine",
			"gopkg.in/yaml":              "Encoder.Encode Decoder.Decode",
			"mime/multipart":             "Reader.{NextPart,NextRawPart} Writer.{CreatePart,CreateFormFile,CreateFormField,WriteField,Close}",
			"github.com/BurntSushi/toml": "Encoder.Encode Decoder.Decode",
		},
	},
	{
		Condition{test: printedTo},
		map[string]string{"fmt": "Fprint Fprintf Fprintln"},
	},
	{
		Condition{test: heldByArguments},
		map[string]string{
			"io":                "Copy CopyN CopyBuffer ReadAll ReadAtLeast ReadFull WriteString",
			"io/ioutil":         "ReadAll",
			"io/fs":             "Glob ReadDir ReadFile WalkDir",
			"fmt":               "Fscan Fscanf Fscanln",
			"encoding/binary":   "Read Write ReadUvarint ReadVarint",
			"encoding/pem":      "Encode",
			"bytes":             "Buffer.{ReadFrom,WriteTo} Reader.WriteTo",
			"strings":           "Reader.WriteTo Replacer.WriteString",
			"text/template":     "Template.{Execute,ExecuteTemplate}",
			"html/template":     "Template.{Execute,ExecuteTemplate}",
			"image":             "Decode DecodeConfig",
			"image/png":         "Encode Decode DecodeConfig Encoder.Encode",
			"image/jpeg":        "Encode Decode DecodeConfig",
			"image/gif":         "Encode EncodeAll Decode DecodeAll DecodeConfig",
			"net/http":          "ReadRequest ReadResponse Request.{Write,WriteProxy} Response.Write Header.{Write,WriteSubset}",
			"runtime/pprof":     "WriteHeapProfile Profile.WriteTo",
			"archive/zip":       "NewReader",
			"net/http/httputil": "DumpResponse",
		},
	},
}
