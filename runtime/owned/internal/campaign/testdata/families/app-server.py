"""An app server with a worker in a process group of its own, as reloaders do."""
import http.server
import os
import subprocess

WORKER = 'echo $$ >>"$ROLL"; exec sleep 1000'

server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), http.server.BaseHTTPRequestHandler)
worker = subprocess.Popen(["sh", "-c", WORKER], preexec_fn=os.setpgrp)
with open(os.environ["ROLL"], "a") as roll:
    roll.write(f"{os.getpid()}\n")
server.serve_forever()
