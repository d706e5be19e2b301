"""A messaging bridge that makes itself a daemon: two forks and a session."""
import os
import time

if os.fork() > 0:
    os._exit(0)
os.setsid()
if os.fork() > 0:
    os._exit(0)
os.closerange(0, 256)
with open(os.environ["ROLL"], "a") as roll:
    roll.write(f"{os.getpid()}\n")
time.sleep(1000)
