package roots

// std lists what blocks in the standard library, but for the network.
var std = listing{
	"os": {
		Disk: `Open OpenFile Create CreateTemp ReadFile WriteFile ReadDir
			Mkdir MkdirAll MkdirTemp Remove RemoveAll Rename Link Symlink Truncate
			Chmod Chown Lchown Chtimes CopyFS OpenRoot OpenInRoot
			Root.{Open,OpenFile,OpenRoot,Create,ReadFile,WriteFile,Mkdir,MkdirAll,Remove,RemoveAll}
			Root.{Rename,Link,Symlink,Chmod,Chown,Lchown,Chtimes}
			File.{ReadDir,Readdir,Readdirnames,Truncate,Chmod,Chown}`,
		Fsync: "File.Sync",
		Stat:  "Stat Lstat Readlink Getwd Executable Hostname Chdir File.{Stat,Chdir} Root.{Stat,Lstat,Readlink}",
		Exec:  "StartProcess",
		Wait:  "Process.Wait",
	},
	"os/exec": {
		Exec: "Cmd.{Run,Output,CombinedOutput,Start}",
		Wait: "Cmd.Wait",
		Stat: "LookPath",
	},
	"os/user": {DNS: "Lookup LookupId LookupGroup LookupGroupId User.GroupIds", Stat: "Current"}, // Current keeps its answer
	"io/ioutil": {
		Disk: "ReadFile WriteFile ReadDir TempFile TempDir",
	},
	"path/filepath": {
		Disk: "Walk WalkDir Glob",
		Stat: "EvalSymlinks Abs",
	},
	"text/template":  {Disk: "ParseFiles ParseGlob Template.{ParseFiles,ParseGlob}"},
	"html/template":  {Disk: "ParseFiles ParseGlob Template.{ParseFiles,ParseGlob}"},
	"archive/zip":    {Disk: "OpenReader"},
	"debug/elf":      {Disk: "Open"},
	"debug/macho":    {Disk: "Open OpenFat"},
	"debug/pe":       {Disk: "Open"},
	"debug/plan9obj": {Disk: "Open"},
	"debug/buildinfo": {
		Disk: "ReadFile",
	},
	"go/parser":      {Disk: "ParseDir"},
	"go/build":       {Disk: "Import ImportDir Context.{Import,ImportDir}"},
	"go/importer":    {Disk: "Default For ForCompiler"},
	"crypto/tls":     {Disk: "LoadX509KeyPair"},
	"crypto/x509":    {Disk: "SystemCertPool"},
	"mime/multipart": {Disk: "Reader.ReadForm FileHeader.Open"},
	"plugin":         {Disk: "Open"},
	"database/sql": {
		DB: `DB.{Exec,Query,QueryRow,Prepare,Ping,Begin}
			DB.{ExecContext,QueryContext,QueryRowContext,PrepareContext,PingContext,BeginTx,Conn}
			Tx.{Exec,Query,QueryRow,Prepare,Stmt,Commit,Rollback}
			Tx.{ExecContext,QueryContext,QueryRowContext,PrepareContext,StmtContext}
			Conn.{ExecContext,QueryContext,QueryRowContext,PrepareContext,PingContext,BeginTx,Raw}
			Stmt.{Exec,Query,QueryRow,ExecContext,QueryContext,QueryRowContext}
			Rows.{Next,NextResultSet} Row.Scan`,
	},
	"database/sql/driver": {
		DB: `Driver.Open Connector.Connect
			Conn.{Prepare,Begin} ConnPrepareContext.PrepareContext ConnBeginTx.BeginTx
			Execer.Exec ExecerContext.ExecContext Queryer.Query QueryerContext.QueryContext
			Pinger.Ping Stmt.{Exec,Query} StmtExecContext.ExecContext StmtQueryContext.QueryContext
			Tx.{Commit,Rollback} Rows.Next`,
	},
	"sync": {
		Wait: "WaitGroup.Wait Cond.Wait",
		Lock: "Mutex.Lock RWMutex.{Lock,RLock} Locker.Lock",
	},
	"fmt": {
		Stdio: "Print Printf Println Scan Scanf Scanln",
	},
	"log": {
		Stdio: `Print Printf Println Fatal Fatalf Fatalln Panic Panicf Panicln Output
			Logger.{Print,Printf,Println,Fatal,Fatalf,Fatalln,Panic,Panicf,Panicln,Output}`,
	},
	"log/slog": {
		Stdio: `Debug DebugContext Info InfoContext Warn WarnContext Error ErrorContext Log LogAttrs
			Logger.{Debug,DebugContext,Info,InfoContext,Warn,WarnContext,Error,ErrorContext,Log,LogAttrs}
			Handler.Handle TextHandler.Handle JSONHandler.Handle`,
	},
}

// stdNet lists what waits for the network in the standard library.
var stdNet = listing{
	"net": {
		Net: `Dial DialTimeout DialTCP DialUDP DialUnix DialIP
			Dialer.{Dial,DialContext,DialTCP,DialUDP,DialUnix,DialIP}
			Conn.{Read,Write} conn.{Read,Write} PacketConn.{ReadFrom,WriteTo}
			TCPConn.{ReadFrom,WriteTo}
			UDPConn.{ReadFrom,ReadFromUDP,ReadFromUDPAddrPort,ReadMsgUDP,ReadMsgUDPAddrPort}
			UDPConn.{WriteTo,WriteToUDP,WriteToUDPAddrPort,WriteMsgUDP,WriteMsgUDPAddrPort}
			UnixConn.{ReadFrom,ReadFromUnix,ReadMsgUnix,WriteTo,WriteToUnix,WriteMsgUnix}
			IPConn.{ReadFrom,ReadFromIP,ReadMsgIP,WriteTo,WriteToIP,WriteMsgIP}
			Buffers.WriteTo
			Listener.Accept TCPListener.{Accept,AcceptTCP} UnixListener.{Accept,AcceptUnix}`,
		DNS: `LookupCNAME LookupMX LookupNS LookupSRV LookupTXT LookupAddr
			Resolver.{LookupCNAME,LookupMX,LookupNS,LookupSRV,LookupTXT,LookupAddr}`,
		Stat: "Interfaces InterfaceAddrs InterfaceByIndex InterfaceByName Interface.{Addrs,MulticastAddrs}",
	},
	"net/http": {
		Net: `Get Head Post PostForm Client.{Do,Get,Head,Post,PostForm}
			RoundTripper.RoundTrip Transport.RoundTrip
			ListenAndServe ListenAndServeTLS Serve ServeTLS
			Server.{ListenAndServe,ListenAndServeTLS,Serve,ServeTLS}`,
		Disk: "ServeFile Dir.Open Request.{ParseMultipartForm,FormFile}",
		Wait: "Server.Shutdown",
	},
	"crypto/tls": {
		Net: "Dial DialWithDialer Dialer.{Dial,DialContext} Conn.{Handshake,HandshakeContext,Read,Write,Close,CloseWrite}",
	},
	"net/rpc":           {Net: "Dial DialHTTP DialHTTPPath Client.Call"},
	"net/rpc/jsonrpc":   {Net: "Dial"},
	"net/smtp":          {Net: "Dial SendMail NewClient Client.{Auth,Data,Extension,Hello,Mail,Noop,Quit,Rcpt,Reset,StartTLS,Verify}"},
	"net/textproto":     {Net: "Dial"},
	"net/http/httputil": {Net: "ReverseProxy.ServeHTTP"},
	"log/syslog": {
		Net:   "New NewLogger Dial",
		Stdio: "Writer.{Alert,Crit,Debug,Emerg,Err,Info,Notice,Warning,Write}",
	},
}
