# A pairing bridge: it shows a code and stops until somebody continues it. The
# kernel hangs up on a stopped group that has lost its parent, which it ignores.
trap '' HUP
sh -c 'echo $$ >>"$ROLL"; exec sleep 1000' &
echo $$ >>"$ROLL"
kill -STOP $$
wait
