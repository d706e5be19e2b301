: holdfast supervisor
# Reads from its standard input what its owner starts, one line each, and ends
# all of it when the input ends: the owner is then dead, however it died.
#
# Plain POSIX sh and nothing but builtins while the owner lives. At its death it
# also runs grep and sleep, or ps where there is no /proc. Numbers that can pass
# 2^31 are only compared as text, because mksh counts in 32 bits.
#
# The first line is not decoration: it is in the environment of every
# supervisor, and tells a sweep of an outer owner to let an inner one finish.

set -f
trap '' HUP INT QUIT TERM TSTP USR1 USR2 ALRM PIPE
newline='
'
space=' '
groups=' ' # owned groups, each between blanks
cookie= locks= leaf= grace=3000

# --- what the owner may say -------------------------------------------------

is_number() { # text, digits at most
	case $1 in '' | 0* | *[!0-9]*) return 1 ;; esac
	[ ${#1} -le "$2" ]
}

# A group that must never be signalled is refused when it is named, not later.
is_group() {
	is_number "$1" 9 && [ "$1" -gt 1 ] && [ "$1" != $$ ] && [ "$1" != "$OWNER_GROUP" ]
}

is_birth() { # as /proc has it, or as ps prints it
	[ -z "$proc" ] || { is_number "$1" 20; return; }
	case $1 in '' | *[!0-9A-Za-z:_]*) return 1 ;; esac
	[ ${#1} -le 32 ]
}

is_cookie() {
	case $1 in *[!0-9a-f]*) return 1 ;; esac
	[ ${#1} -eq 32 ]
}

own() { # group, a member of it, the member's birth, grace in milliseconds
	is_group "$1" && is_number "$2" 9 && is_birth "$3" && is_number "$4" 8 || return
	case $groups in *" $1 "*) ;; *) groups="$groups$1 " ;; esac
	eval "member_$1=$2 birth_$1=$3 grace_$1=$4"
}

drop() { # group
	is_group "$1" || return
	case $groups in *" $1 "*) ;; *) return ;; esac
	before=${groups%%" $1 "*} after=${groups#*" $1 "}
	groups="$before $after"
	unset "member_$1" "birth_$1" "grace_$1"
}

mark() { # what descendants carry in their environment and as limit on locks
	is_cookie "$1" && is_number "$2" 19 || return
	cookie=$1 locks=$2
}

listen() {
	while IFS= read -r line; do
		[ ${#line} -le 255 ] || continue
		set -- $line
		case $#:${1-} in
		5:own) own "$2" "$3" "$4" "$5" ;;
		2:drop) drop "$2" ;;
		3:mark) mark "$2" "$3" ;;
		2:leaf) case $2 in /*) leaf=$2 ;; esac ;;
		2:grace) ! is_number "$2" 8 || grace=$2 ;;
		1:quit) exit 0 ;;
		esac
	done
}

# --- what is alive, and what of it is ours ------------------------------------

# processes sets pids, and dead_, parent_, group_, session_ and born_ of each.
processes() {
	scan=$((scan + 1)) pids= pid=
	if [ -n "$proc" ]; then
		set +f
		set -- $proc/[0-9]*/stat
		set -f
		table=$(grep -Has '' "$@")
		[ -n "$table" ] || table=$(slowly "$@")
		IFS=$newline
		for entry in $table; do process_of_proc "$entry"; done
	else
		table=$(ps -A -o pid= -o ppid= -o pgid= -o stat= -o lstart=)
		IFS=$newline
		for entry in $table; do process_of_ps "$entry"; done
	fi
	IFS=$space
	pids=${pids# }
}

# Without grep, files are read one by one: a tenth of the speed.
slowly() {
	for file; do
		while IFS= read -r part; do echo "$file:$part"; done <"$file"
	done
}

# A name may contain anything, a newline too. The text before the first colon is
# grep's and cannot be forged; the last line of a process is its true one.
process_of_proc() {
	pid=${1#"$proc"/}
	pid=${pid%%/*}
	IFS=$space
	set -- ${1##*) }
	IFS=$newline
	[ $# -ge 20 ] || return
	# A leader that its other threads outlive is shown as a zombie and is none.
	case $1:${18} in [ZXx]:[01]) dead=yes ;; *) dead= ;; esac
	eval "dead_$pid=$dead parent_$pid=$2 group_$pid=$3 session_$pid=$4 born_$pid=${20}"
	case $pids in *" $pid") ;; *) pids="$pids $pid" ;; esac
}

process_of_ps() {
	IFS=$space
	set -- $1
	IFS=$newline
	[ $# -ge 9 ] || return
	case $4 in Z*) dead=yes ;; *) dead= ;; esac
	eval "dead_$1=$dead parent_$1=$2 group_$1=$3 session_$1=0 born_$1=$5_$6_$7_$8_$9"
	pids="$pids $1"
}

# evidence notes which processes carry a mark, are in the cgroup, or are
# supervisors themselves.
evidence() {
	if [ -n "$cookie" ] && [ -n "$proc" ]; then
		set +f
		set -- $proc/[0-9]*/environ
		found=$(grep -Haos -e "$cookie" -e 'SUPERVISE=: holdfast supervisor' "$@")
		set -- $proc/[0-9]*/limits
		found=$found$newline$(grep -Has "^Max file locks  *$locks " "$@")
		set -f
		IFS=$newline
		for entry in $found; do
			pid=${entry#"$proc"/}
			pid=${pid%%/*}
			case $entry in
			*'holdfast supervisor') eval "spared_$pid=$scan" ;;
			*) eval "marked_$pid=$scan" ;;
			esac
		done
		IFS=$space
	elif [ -n "$cookie" ]; then
		found=$(ps -A -E -ww -o pid= -o command=)
		IFS=$newline
		for entry in $found; do
			case $entry in *"$cookie"*) ;; *) continue ;; esac
			IFS=$space
			set -- $entry
			IFS=$newline
			eval "marked_$1=$scan"
		done
		IFS=$space
	fi
	[ -n "$leaf" ] || return
	set +f
	set -- "$leaf"/cgroup.procs "$leaf"/*/cgroup.procs "$leaf"/*/*/cgroup.procs
	set -f
	for file; do
		[ -r "$file" ] || continue
		while read -r pid; do
			! is_number "$pid" 9 || eval "marked_$pid=$scan"
		done <"$file"
	done
}

# survey sets alive to the processes that are proven ours and not dead. Proof is
# a mark, the registered member of an owned group with the birth it was
# registered with, being in such a group or its session, being a child of a
# proven process, or having been proven before. known_PID is the birth of what
# was proven, so that a recycled number proves nothing.
survey() {
	processes
	evidence
	alive= doubtful=$pids again=1
	while [ $again = 1 ]; do
		again=0 rest=
		for pid in $doubtful; do
			eval "born=\$born_$pid parent=\$parent_$pid group=\$group_$pid session=\$session_$pid"
			[ "$pid" != $$ ] && [ "$parent" != $$ ] && [ "$pid" -gt 1 ] || continue
			eval "[ \"\${spared_$pid-}\" != $scan ]" || continue
			if proven; then
				again=1
				note
			else
				rest="$rest $pid"
			fi
		done
		doubtful=$rest
	done
}

proven() {
	eval "known=\${known_$pid-} mark=\${marked_$pid-}
		member=\${member_$group-} birth=\${birth_$group-}
		ours=\${ours_$group-} sessions=\${ours_$session-}
		kin=\${known_$parent-} elder=\${born_$parent-}"
	[ "$known" = "$born" ] || [ "$mark" = $scan ] ||
		{ [ "$member" = "$pid" ] && [ "$birth" = "$born" ]; } ||
		[ "$ours" = $scan ] || [ "$sessions" = $scan ] ||
		{ [ -n "$kin" ] && [ "$kin" = "$elder" ] && [ "$parent" != 1 ]; }
}

note() {
	eval "known_$pid=\$born dead=\$dead_$pid member=\${member_$group-} leader=\${member_$session-}"
	[ -z "$member" ] || eval "ours_$group=$scan"
	[ -z "$leader" ] || eval "ours_$session=$scan"
	[ -n "$dead" ] || alive="$alive $pid"
}

# --- the end --------------------------------------------------------------------

# same says whether the process that was surveyed is still the one with the
# number, in the group it was in. It is asked right before every signal.
same() { # pid
	eval "born=\$born_$1 group=\$group_$1"
	if [ -n "$proc" ]; then
		entry=
		while IFS= read -r part; do entry="$entry $part"; done <"$proc/$1/stat"
		set -- ${entry##*) }
		[ "${20-}" = "$born" ] && [ "$3" = "$group" ]
	else
		set -- $(ps -p "$1" -o pgid= -o lstart=)
		[ "${2-}_${3-}_${4-}_${5-}_${6-}" = "$born" ] && [ "$1" = "$group" ]
	fi
}

# strike signals the surveyed process, through its group if that is owned.
# The spelling of kill is the one that dash, busybox, mksh and bash all take.
strike() { # pid, signals
	same "$1" || return
	eval "member=\${member_$group-}"
	target=$1
	[ -z "$member" ] || target=-$group
	shift
	for signal; do kill -"$signal" $target; done
}

# ask sends TERM once, then CONT: a stopped process acts on nothing before it.
ask() { # pid
	eval "asked=\${asked_$1-} born=\$born_$1 group=\$group_$1"
	eval "member=\${member_$group-} told=\${told_$group-}"
	[ "$asked" != "$born" ] || return
	eval "asked_$1=$born"
	[ -z "$member" ] || [ -z "$told" ] || return
	strike "$1" TERM CONT || return
	[ -z "$member" ] || eval "told_$group=yes"
}

# tick sets now, in tenths of a second.
tick() {
	if [ -n "$proc" ] && read -r uptime rest <"$proc/uptime"; then
		rest=${uptime#*.}
		now=${uptime%%.*}${rest%?}
	else
		now=$((now + 1))
	fi
}

nap() {
	case $naps in 0 | 1 | 2) sleep 0.02 ;; *) sleep 0.1 ;; esac || sleep 1
	naps=$((naps + 1))
	tick
}

# due sets due, the moment at which what is left of a process's group is killed.
due() { # pid
	eval "group=\$group_$1"
	eval "wait=\${grace_$group-}"
	due=$((began + (${wait:-$grace} + 99) / 100))
}

# last sets late, the moment at which the longest grace ends.
last() {
	late=$((began + (grace + 99) / 100))
	for group in $groups; do
		eval "due=\$((began + (grace_$group + 99) / 100))"
		[ $due -le $late ] || late=$due
	done
}

# greet asks the owned groups at once, before the first survey, which takes tens
# of milliseconds. That is only for a cgroup: elsewhere the end of a parent would
# take away what proves its children.
greet() {
	for group in $groups; do
		eval "pid=\$member_$group"
		eval "born_$pid=\$birth_$group group_$pid=$group"
		ask "$pid"
	done
}

# finish ends what is ours. It returns when two surveys in a row found nothing,
# or when what it found has withstood KILL for two seconds and three surveys:
# another user's, or stuck in the kernel. Before that it does not give up, even
# if the machine is so busy that a single survey takes longer than the grace.
finish() {
	now=1 scan=0 naps=0 empty=0 kills=0
	tick
	began=$now
	last
	[ -z "$leaf" ] || greet
	while [ $empty -lt 2 ]; do
		survey
		empty=$((empty + 1))
		[ -n "$alive" ] || continue
		[ $kills -lt 3 ] || [ $now -le $((first + 20)) ] || break
		empty=0 killed=
		for pid in $alive; do
			due "$pid"
			if [ $now -ge $due ]; then
				strike "$pid" KILL && killed=yes
			else
				ask "$pid"
			fi
		done
		if [ $now -ge $late ]; then
			[ -z "$leaf" ] || echo 1 >"$leaf/cgroup.kill"
			[ $kills -gt 0 ] || first=$now
			kills=$((kills + 1))
		fi
		if [ -n "$killed" ] && [ $kills -lt 20 ]; then tick; else nap; fi
	done
	if [ -n "$leaf" ]; then
		set +f
		rmdir "$leaf"/*/*/ "$leaf"/*/ "$leaf"
	fi
}

# --- start ----------------------------------------------------------------------

is_number "${OWNER_GROUP-}" 9 || exit 2
proc=${PROC-/proc}
[ -r "$proc/$$/stat" ] || proc=
if [ -n "$proc" ]; then
	read -r entry <"$proc/$$/stat"
	set -- ${entry##*) }
	[ "$3" = $$ ] && [ "$3" != "$OWNER_GROUP" ] || exit 2 # a signal to the owner's group must not reach us
fi
listen
finish
exit 0
