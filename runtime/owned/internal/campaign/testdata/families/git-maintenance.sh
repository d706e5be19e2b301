# Git maintenance, bounded in time, that detaches as "git gc --auto" does.
announce() { echo $$ >>"$ROLL"; }

case ${1-detach} in
detach) setsid sh "$0" maintain & ;;
maintain)
	sh "$0" repack &
	announce
	wait
	;;
repack)
	announce
	exec sleep 600
	;;
esac
