# A speech command: it plays to the end whatever happens.
trap '' TERM INT
echo $$ >>"$ROLL"
exec sleep 1000
