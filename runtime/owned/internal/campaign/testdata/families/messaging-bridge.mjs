// A messaging bridge that holds a port and does not end at SIGTERM: it waits
// for a goodbye from the other side that never comes.
import { appendFileSync } from "node:fs";
import { createServer } from "node:http";

process.on("SIGTERM", () => {});
createServer().listen(0, "127.0.0.1", () => {
  appendFileSync(process.env.ROLL, `${process.pid}\n`);
});
