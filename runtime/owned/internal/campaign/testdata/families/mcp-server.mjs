// An MCP server over stdio. It answers requests, has a helper of its own, and a
// timer that keeps it alive when its input has ended.
import { appendFileSync } from "node:fs";
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

const { ROLL } = process.env;
spawn("sh", ["-c", 'echo $$ >>"$ROLL"; exec sleep 1000'], { stdio: "ignore" });
appendFileSync(ROLL, `${process.pid}\n`);
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id } = JSON.parse(line);
  console.log(JSON.stringify({ jsonrpc: "2.0", id, result: {} }));
});
setInterval(() => {}, 60_000);
