# The worker of a slash command: a pipeline that does not mind a hang-up.
trap '' HUP
echo $$ >>"$ROLL"
sh -c 'echo $$ >>"$ROLL"; exec sleep 1000' | sh -c 'echo $$ >>"$ROLL"; exec cat' >/dev/null
