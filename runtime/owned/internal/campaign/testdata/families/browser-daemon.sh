# A browser daemon: it leaves the session of the command that launched it, which
# ends at once, and runs a process for each tab.
announce() { echo $$ >>"$ROLL"; }

case ${1-launch} in
launch) setsid sh "$0" daemon & ;;
daemon)
	sh "$0" tab &
	sh "$0" tab &
	announce
	wait
	;;
tab)
	announce
	exec sleep 1000
	;;
esac
