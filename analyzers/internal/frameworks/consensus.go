package frameworks

import "github.com/holdfast-go/holdfast/analyzers/internal/roots"

// Storing is what a state machine is there for.
var storing = []roots.Kind{roots.Disk, roots.Fsync, roots.DB, roots.Stat}

var raftFSM = "raft's FSM goroutine"

// raft applies entries and takes snapshots on one goroutine. Applying may
// store; a snapshot's I/O belongs into FSMSnapshot.Persist.
var raft = []family{
	{
		loop:    Loop{Name: raftFSM, Allow: storing},
		paths:   []string{"github.com/hashicorp/raft"},
		methods: "FSM.Apply BatchingFSM.ApplyBatch ConfigurationStore.StoreConfiguration",
	},
	{
		loop:    Loop{Name: raftFSM},
		paths:   []string{"github.com/hashicorp/raft"},
		methods: "FSM.Snapshot",
	},
	{
		loop:      Loop{Name: "raft's observers"},
		paths:     []string{"github.com/hashicorp/raft"},
		callbacks: "NewObserver",
		types:     "FilterFn",
	},
	{
		loop: Loop{Name: "the raft node's Ready loop", Allow: storing},
		paths: []string{
			"go.etcd.io/raft/v3", "go.etcd.io/etcd/raft/v3", "go.etcd.io/etcd/raft", "github.com/coreos/etcd/raft",
		},
		receive: "Node.Ready node.Ready",
	},
}

// gossip calls its delegates while it holds a lock, or in the loop that takes
// packets. State exchange has a connection and a goroutine of its own.
var gossip = []family{
	{
		loop:  Loop{Name: "memberlist's packet loop"},
		paths: []string{"github.com/hashicorp/memberlist"},
		methods: `Delegate.{NodeMeta,NotifyMsg,GetBroadcasts} EventDelegate.{NotifyJoin,NotifyLeave,NotifyUpdate}
			AliveDelegate.NotifyAlive ConflictDelegate.NotifyConflict PingDelegate.{AckPayload,NotifyPingComplete}`,
	},
	{
		loop:          Loop{Name: "serf's event loop"},
		paths:         []string{"github.com/hashicorp/serf/serf"},
		receiveFields: "Config.EventCh",
	},
}
