// A client as others write it: the official SDK, driving the server that its arguments start. It goes through a session's day,
// tells what it saw, a line of JSON for each step, and waits for a line on its own input where somebody wants to look around.
//
// usage: node client.mjs TOKEN SERVER [ARG...]     TOKEN: identifies the sleeps of its commands
import { createInterface } from "node:readline/promises";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { LoggingMessageNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

const [token, command, ...args] = process.argv.slice(2);
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const tell = (step, seen) => console.log(JSON.stringify({ step, ...seen }));
const goAhead = () => lines.next();

const transport = new StdioClientTransport({ command, args, env: process.env, stderr: "inherit" });
const client = new Client({ name: "test", version: "1" });
// The SDK handles an answer at once and a notification a moment later: of two that come in one read, the progress comes too late.
client.onerror = (fault) => {
  if (!String(fault).includes("progress notification for an unknown token")) tell("error", { text: String(fault) });
};
await client.connect(transport);
tell("connected", { pid: transport.pid, server: client.getServerVersion().name, instructions: client.getInstructions() });

const call = async (name, args, options) => {
  const result = await client.callTool({ name, arguments: args }, undefined, { timeout: 120_000, ...options });
  return { text: result.content[0].text, isError: result.isError };
};

const { tools } = await client.listTools();
tell("tools", { tools: Object.fromEntries(tools.map((tool) => [tool.name, tool])) });

// edit
await call("write", { path: "greeting.txt", content: "hello wrold\n" });
tell("edit", await call("edit", { path: "greeting.txt", old_string: "wrold", new_string: "world" }));

// bash, its output streamed
const streamed = [];
const bash = await call(
  "bash",
  // The file tells that its first line has been seen, so that what was streamed was not the end.
  { command: "cat greeting.txt; until [ -e seen ]; do sleep 0.1; done; pwd" },
  {
    onprogress: async ({ progress, message }) => {
      streamed.push({ progress, message });
      if (streamed.length === 1) await call("write", { path: "seen", content: "" });
    },
  },
);
tell("bash", { ...bash, streamed });

tell("failed", await call("bash", { command: "exit 3" }));
tell("misused", await call("bash", { comand: "true" }));
tell("missing", await call("nothing", {}).catch((fault) => ({ thrown: String(fault) })));

// background
const started = await call("bash", { command: `echo started; exec sleep ${token}1`, run_in_background: true });
const id = /\bbash_\d+\b/.exec(started.text)?.[0] ?? "";
let output = await call("bash_output", { shell_id: id });
while (!output.text.includes("started") && !output.isError) output = await call("bash_output", { shell_id: id });
tell("background", { started, id, output });

// a call that waits for a background command, and the message of its end
const ended = new Promise((resolve) =>
  client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => resolve(params)),
);
await call("bash", { command: "until [ -e told ]; do sleep 0.1; done; exit 3", run_in_background: true });
const progress = [];
const waited = await call(
  "bash_output",
  { shell_id: "bash_2", wait_seconds: 100 },
  {
    onprogress: async ({ message }) => {
      progress.push(message);
      if (progress.length === 1) await call("write", { path: "told", content: "" });
    },
  },
);
tell("waited", { ...waited, progress, ended: await ended });

// abort, with another call beside it
const abort = new AbortController();
const long = call(
  "bash",
  { command: `echo going; sleep ${token}2 & sleep ${token}2` },
  { signal: abort.signal, onprogress: ({ message }) => message.includes("going") && running() },
);
let running;
await new Promise((resolve) => (running = resolve));
const beside = await call("bash", { command: "echo beside" });
tell("running", { beside });
await goAhead();
abort.abort("not wanted");
const thrown = await long.catch(String);
tell("aborted", { thrown });
await goAhead();
tell("after", await call("bash", { command: "echo still here" }));

tell("killed", await call("kill_shell", { shell_id: id }));
await goAhead();
await call("bash", { command: `sleep ${token}3`, run_in_background: true });
tell("left", {});
await goAhead();

// dispose
await client.close();
tell("closed", {});
process.exit(0);
