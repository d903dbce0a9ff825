// A server as others write it: the official SDK, on standard input and output, or with an argument "http" on a port of its own,
// which it tells on standard output, or with an argument "pages" with many tools, each on a page of its own.
import { randomUUID } from "node:crypto";
import { appendFileSync } from "node:fs";
import { createServer } from "node:http";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";

// What is noted here can be read beside the server.
const note = (line) => process.env.NOTES && appendFileSync(process.env.NOTES, `${line}\n`);

const build = () => {
  const server = new McpServer({ name: "others", version: "1" });
  const text = (said) => ({ content: [{ type: "text", text: said }] });
  server.registerTool("echo", { description: "Says it again.", inputSchema: { text: z.string() } }, async (given) =>
    text(given.text),
  );
  server.registerTool("environment", { inputSchema: { name: z.string() } }, async ({ name }) =>
    text(`${process.env[name]} in ${process.cwd()}`),
  );
  server.registerTool("fail", { description: "Fails." }, async () => ({ ...text("it failed"), isError: true }));
  server.registerTool("picture", {}, async () => ({ content: [{ type: "image", data: "AAAA", mimeType: "image/png" }] }));
  server.registerTool("much", {}, async () => text("x".repeat(1_000_000)));
  server.registerTool("count", { description: "Tells its progress." }, async ({ _meta, sendNotification }) => {
    const progressToken = _meta?.progressToken;
    for (const progress of [1, 2]) {
      await sendNotification({ method: "notifications/progress", params: { progressToken, progress, message: `step ${progress}` } });
    }
    return text("counted");
  });
  server.registerTool("hang", { description: "Does not answer." }, async ({ signal }) => {
    note("hanging");
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
    note(`cancelled: ${signal.reason}`);
    return text("too late");
  });
  server.registerTool("die", { description: "Ends the server." }, async () => {
    console.error("something went\nvery wrong");
    process.exit(3);
  });
  server.registerTool("needs.a/name", { description: "Has a name that models do not call." }, async () => text("named"));
  server.registerTool("needs_a/name", { description: "Has another." }, async () => text("not reached"));
  server.registerTool("x".repeat(60), { description: "Has a long one." }, async () => text("not reached"));
  return server;
};

const buildPaged = () => {
  const server = new Server({ name: "others", version: "1" }, { capabilities: { tools: {} } });
  server.setRequestHandler(ListToolsRequestSchema, async ({ params }) => {
    const page = Number(params?.cursor ?? 0);
    return {
      tools: [{ name: `tool${page}`, inputSchema: { type: "object" } }],
      nextCursor: page < 199 ? `${page + 1}` : undefined,
    };
  });
  return server;
};

if (process.argv[2] === "http") {
  const transports = {};
  const http = createServer(async (request, response) => {
    const id = request.headers["mcp-session-id"];
    let transport = transports[id];
    if (!transport) {
      note(`authorization: ${request.headers.authorization}`);
      transport = new StreamableHTTPServerTransport({
        sessionIdGenerator: () => randomUUID(),
        onsessioninitialized: (fresh) => (transports[fresh] = transport),
      });
      await build().connect(transport);
    }
    await transport.handleRequest(request, response);
  });
  http.listen(0, "127.0.0.1", () => console.log(http.address().port));
} else {
  await (process.argv[2] === "pages" ? buildPaged() : build()).connect(new StdioServerTransport());
}
