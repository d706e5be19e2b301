package roots

const (
	sqliteConnection = "OpenConn Stmt.Step Backup.Step Conn.{ApplyChangeset,Close,CreateSession,Deserialize,OpenBlob,Prep,Prepare,PrepareTransient,Serialize} Blob.{Read,Write,WriteTo,WriteString,ReadFrom}"
	boltDatabase     = "Open DB.{Begin,Update,View,Batch,Sync} Tx.{Commit,Copy,CopyFile,WriteTo}"
	pgxQueries       = "{Begin,BeginTx,CopyFrom,Exec,Ping,Query,QueryRow,SendBatch}"
)

// databases lists the clients of databases, and embedded databases. Drivers
// behind database/sql need no entry.
var databases = listing{
	"zombiezen.com/go/sqlite": {DB: sqliteConnection},
	"zombiezen.com/go/sqlite/sqlitex": {
		DB: `Exec Execute ExecFS ExecuteFS ExecTransient ExecuteTransient ExecTransientFS ExecuteTransientFS
			PrepareTransientFS ExecScript ExecuteScript ExecScriptFS ExecuteScriptFS Open NewPool
			ResultBool ResultInt ResultInt64 ResultText ResultFloat ResultBytes InsertRandID
			Save Transaction ImmediateTransaction ExclusiveTransaction Pool.{Get,Take,Close}`,
	},
	"crawshaw.io/sqlite": {DB: "OpenConn Stmt.Step Conn.{Prep,Prepare,PrepareTransient,OpenBlob}"},
	"crawshaw.io/sqlite/sqlitex": {
		DB: "Exec ExecTransient ExecScript Open ResultInt ResultInt64 ResultText ResultFloat InsertRandID Save Pool.{Get,Close}",
	},
	"gorm.io/gorm": {
		DB: `Open DB.{Create,CreateInBatches,Save,First,Take,Last,Find,FindInBatches,FirstOrInit,FirstOrCreate}
			DB.{Update,Updates,UpdateColumn,UpdateColumns,Delete,Count,Row,Rows,Scan,Pluck,ScanRows}
			DB.{Connection,Transaction,Begin,Commit,Rollback,SavePoint,RollbackTo,Exec,AutoMigrate}
			Association.{Find,Append,Replace,Delete,Clear,Count}
			Interface.Exec CreateInterface.{Delete,Update,Updates,Count,Create,CreateInBatches}
			ChainInterface.{Delete,Update,Updates,Count} SetUpdateOnlyInterface.Update SetCreateOrUpdateInterface.{Create,Update}
			ExecInterface.{Scan,First,Last,Take,Find,FindInBatches,Row,Rows}
			Migrator.{AutoMigrate,CurrentDatabase,CreateTable,DropTable,HasTable,RenameTable,GetTables,AddColumn,DropColumn}
			Migrator.{AlterColumn,HasColumn,RenameColumn,ColumnTypes,HasIndex,CreateIndex,DropIndex}`,
	},
	"github.com/jmoiron/sqlx": {
		DB: `Connect MustConnect ConnectContext NamedQuery NamedExec NamedQueryContext NamedExecContext
			Preparex Select Get MustExec SelectContext PreparexContext GetContext MustExecContext LoadFile LoadFileContext
			DB.{NamedQuery,NamedExec,Select,Get,MustBegin,Beginx,Queryx,QueryRowx,MustExec,Preparex,PrepareNamed}
			DB.{PrepareNamedContext,NamedQueryContext,NamedExecContext,SelectContext,GetContext,PreparexContext}
			DB.{QueryxContext,QueryRowxContext,MustBeginTx,MustExecContext,BeginTxx,Connx}
			Tx.{NamedQuery,NamedExec,Select,Queryx,QueryRowx,Get,MustExec,Preparex,PrepareNamed}
			Tx.{PreparexContext,PrepareNamedContext,MustExecContext,QueryxContext,SelectContext,GetContext}
			Tx.{QueryRowxContext,NamedExecContext}
			Conn.{BeginTxx,SelectContext,GetContext,PreparexContext,QueryxContext,QueryRowxContext}
			Stmt.{Select,Get,MustExec,QueryRowx,Queryx,SelectContext,GetContext,MustExecContext,QueryRowxContext,QueryxContext}
			NamedStmt.{Exec,Query,QueryRow,MustExec,Queryx,QueryRowx,Select,Get,ExecContext,QueryContext,QueryRowContext}
			NamedStmt.{MustExecContext,QueryxContext,QueryRowxContext,SelectContext,GetContext}
			Row.{Scan,SliceScan,MapScan,StructScan}
			Queryer.{Query,Queryx,QueryRowx} Execer.Exec Preparer.Prepare
			QueryerContext.{QueryContext,QueryxContext,QueryRowxContext} ExecerContext.ExecContext PreparerContext.PrepareContext`,
	},
	"github.com/jackc/pgx": {
		DB: "Connect ConnectWithOptions ConnectConfig BeginFunc BeginTxFunc ForEachRow Conn." + pgxQueries +
			" Conn.{Close,Prepare,Deallocate,WaitForNotification,LoadType}" +
			" Tx.{Begin,Commit,Rollback,CopyFrom,SendBatch,Prepare,Exec,Query,QueryRow}" +
			" Rows.Next Row.Scan BatchResults.{Exec,Query,QueryRow,Close} LargeObjects.{Create,Open,Unlink} LargeObject.{Read,Write}",
	},
	"github.com/jackc/pgx/pgxpool": {
		DB: "Connect ConnectConfig Pool.{Acquire,AcquireFunc,Begin,BeginTx,CopyFrom,Exec,Ping,Query,QueryRow,SendBatch,Close} Conn." + pgxQueries +
			" Tx.{Begin,Commit,Rollback,CopyFrom,SendBatch,Prepare,Exec,Query,QueryRow}",
	},
	"github.com/jackc/pgx/pgconn": {
		DB: `Connect ConnectConfig
			PgConn.{Prepare,Deallocate,CancelRequest,WaitForNotification,Exec,ExecParams,ExecPrepared,CopyTo,CopyFrom,ExecBatch,CheckConn,Ping,ReceiveMessage,Close}
			MultiResultReader.{ReadAll,NextResult,Close} ResultReader.{Read,NextRow,Close}`,
	},
	"github.com/uptrace/bun": {
		DB: `DB.{Exec,ExecContext,Query,QueryContext,QueryRow,QueryRowContext,Prepare,PrepareContext,Begin,BeginTx,RunInTx}
			Tx.{Commit,Rollback,Exec,ExecContext,Query,QueryContext,QueryRow,QueryRowContext,RunInTx}
			SelectQuery.{Rows,Exec,Scan,Count,ScanAndCount,Exists} RawQuery.{Exec,Scan}
			{InsertQuery,UpdateQuery,DeleteQuery,MergeQuery}.{Exec,Scan}
			{CreateTableQuery,DropTableQuery,CreateIndexQuery,DropIndexQuery,TruncateTableQuery,AddColumnQuery,DropColumnQuery}.Exec`,
	},
	"go.etcd.io/bbolt":       {DB: boltDatabase},
	"github.com/boltdb/bolt": {DB: boltDatabase},
	"github.com/dgraph-io/badger": {
		DB: `Open DB.{Update,View,Sync,Backup,Load,Close,RunValueLogGC,Flatten,DropAll,DropPrefix}
			Txn.{Get,Commit} Iterator.{Next,Rewind,Seek} Item.{Value,ValueCopy}
			WriteBatch.{Flush,Set,SetEntry,Delete} Stream.Orchestrate`,
	},
	"github.com/syndtr/goleveldb/leveldb": {
		DB: `Open OpenFile Recover RecoverFile DB.{Get,Has,Write,Put,Delete,CompactRange,OpenTransaction,Close}
			Transaction.{Get,Has,Put,Delete,Write,Commit} Snapshot.{Get,Has}`,
	},
	"github.com/cockroachdb/pebble": {
		DB: `Open DB.{Apply,Checkpoint,Close,Compact,Delete,DeleteRange,Flush,Get,Ingest,LogData,Merge,Set,SingleDelete}
			Batch.{Commit,Get,SyncWait} Snapshot.Get Iterator.{First,Last,Next,Prev,SeekGE,SeekLT}`,
	},
	"github.com/redis/go-redis": {
		DB: "{Client,ClusterClient,Ring}.Watch {Client,ClusterClient,Ring,Conn,Tx}.{Process,Pipelined,TxPipelined} Pipeline.{Exec,Pipelined,TxPipelined} Pipeliner.Exec " + redisSubscription,
	},
	"github.com/go-redis/redis": {
		DB: "{Client,ClusterClient,Ring}.{Do,Process,Pipelined,TxPipelined,Watch} {Conn,Tx}.{Process,Pipelined,TxPipelined} Pipeline.{Exec,Pipelined,TxPipelined} Pipeliner.Exec " + redisSubscription,
	},
	"github.com/gomodule/redigo/redis": {
		DB: `Dial DialContext DialURL DialURLContext DoContext DoWithTimeout ReceiveContext ReceiveWithTimeout
			Pool.{Get,GetContext} Conn.{Do,Flush,Receive}
			ConnWithTimeout.{DoWithTimeout,ReceiveWithTimeout} ConnWithContext.{DoContext,ReceiveContext}
			PubSubConn.{Subscribe,PSubscribe,Unsubscribe,PUnsubscribe,Ping,Receive,ReceiveWithTimeout,ReceiveContext}
			Script.{Do,DoContext,Load}`,
	},
	"go.mongodb.org/mongo-driver/mongo": {
		DB: `Connect WithSession Client.{Connect,Disconnect,Ping,ListDatabases,ListDatabaseNames,UseSession,UseSessionWithOptions,Watch}
			Collection.{BulkWrite,InsertOne,InsertMany,DeleteOne,DeleteMany,UpdateByID,UpdateOne,UpdateMany,ReplaceOne}
			Collection.{Aggregate,CountDocuments,EstimatedDocumentCount,Distinct,Find,FindOne,FindOneAndDelete}
			Collection.{FindOneAndReplace,FindOneAndUpdate,Watch,Drop}
			Database.{Aggregate,RunCommand,RunCommandCursor,Drop,ListCollectionSpecifications,ListCollections}
			Database.{ListCollectionNames,Watch,CreateCollection,CreateView}
			Cursor.{Next,TryNext,All,Close} ChangeStream.{Next,TryNext,Close}
			IndexView.{List,ListSpecifications,CreateOne,CreateMany,DropOne,DropAll}
			Session.{WithTransaction,AbortTransaction,CommitTransaction,EndSession}`,
	},
	"go.etcd.io/etcd/client": {
		DB: `New NewFromURL NewFromURLs KV.{Put,Get,Delete,Compact,Do} Txn.Commit Lease.{Grant,Revoke,TimeToLive,Leases,KeepAliveOnce}
			Cluster.{MemberList,MemberAdd,MemberAddAsLearner,MemberRemove,MemberUpdate,MemberPromote}
			Maintenance.{AlarmList,AlarmDisarm,Defragment,Status,HashKV,Snapshot,MoveLeader} Auth.* Client.Sync`,
	},
	"go.etcd.io/etcd/client/concurrency": {
		DB: "NewSession NewSTM Session.Close Mutex.{TryLock,Lock,Unlock} Election.{Campaign,Proclaim,Resign,Leader}",
	},
}

const redisSubscription = "PubSub.{Subscribe,PSubscribe,Unsubscribe,PUnsubscribe,Ping,Receive,ReceiveTimeout,ReceiveMessage}"
