"""A model router: an HTTP server that starts a process for each model."""
import http.server
import os
import subprocess

MODEL = 'echo $$ >>"$ROLL"; exec sleep 1000'

server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), http.server.BaseHTTPRequestHandler)
models = [subprocess.Popen(["sh", "-c", MODEL]) for _ in range(2)]
with open(os.environ["ROLL"], "a") as roll:
    roll.write(f"{os.getpid()}\n")
server.serve_forever()
