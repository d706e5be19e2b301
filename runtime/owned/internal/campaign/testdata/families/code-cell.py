"""The kernel of a notebook: a cell runs in a session of its own."""
import os
import subprocess
import sys

CELL = 'echo $$ >>"$ROLL"; exec sleep 1000'

cell = subprocess.Popen(["sh", "-c", CELL], stdin=subprocess.DEVNULL, start_new_session=True)
with open(os.environ["ROLL"], "a") as roll:
    roll.write(f"{os.getpid()}\n")
sys.exit(cell.wait())
