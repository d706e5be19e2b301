# A command of the terminal tool: a build that watches, and a server beside it.
announce() { echo $$ >>"$ROLL"; }

case ${1-command} in
command)
	sh "$0" watch &
	sh "$0" serve &
	announce
	wait
	;;
*)
	announce
	exec sleep 1000
	;;
esac
