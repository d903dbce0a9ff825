package dev.paddock.cli;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * Runs a program as the MCP server of a client that lists the tools, has each kind of them do a
 * little, and goes. The launcher's build starts it from this source, so it uses the JDK only.
 */
final class McpClientStub {
    private McpClientStub() {}

    /**
     * Runs a program until it has answered everything, and exits with its exit code.
     *
     * @param command the program and its arguments
     */
    public static void main(String[] command) throws IOException, InterruptedException {
        Process server = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (BufferedWriter to = server.outputWriter(StandardCharsets.UTF_8);
                BufferedReader from = server.inputReader(StandardCharsets.UTF_8)) {
            String version = "\"protocolVersion\":\"2025-06-18\"";
            String client = "\"capabilities\":{},\"clientInfo\":{\"name\":\"training\",\"version\":\"1\"}";
            ask(
                    "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{" + version + "," + client
                            + "}}",
                    to,
                    from);
            to.write("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n");
            ask("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\",\"params\":{}}", to, from);
            ask(call(2, "bash", "\"command\":\"true\""), to, from);
            ask(call(3, "ls", "\"path\":\".\""), to, from);
        }
        System.exit(server.waitFor());
    }

    private static String call(int id, String tool, String arguments) {
        return "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"method\":\"tools/call\",\"params\":{\"name\":\"" + tool
                + "\",\"arguments\":{" + arguments + "}}}";
    }

    private static void ask(String request, BufferedWriter to, BufferedReader from) throws IOException {
        to.write(request + "\n");
        to.flush();
        if (from.readLine() == null) {
            throw new IOException("no answer to " + request);
        }
    }
}
