package dev.paddock.harness.mcp.client;

import dev.paddock.harness.mcp.wire.WireJson;
import dev.paddock.harness.tools.ExecutionSite;
import dev.paddock.harness.tools.Tool;
import dev.paddock.harness.tools.ToolSource;
import dev.paddock.harness.tools.text.Excerpt;
import io.modelcontextprotocol.client.McpAsyncClient;
import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.spec.McpSchema;
import java.lang.module.ModuleDescriptor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import reactor.core.publisher.Mono;

/**
 * The tools of a connected server.
 *
 * @param problems which of its tools are omitted, and why
 */
public record RemoteTools(ServerLink link, List<Tool> tools, List<String> problems) implements ToolSource.Opened {
    private static final int MAX_TOOLS = 128;
    private static final int MAX_NAME_LENGTH = 64;
    private static final int MAX_SCHEMA_LENGTH = 64 << 10;

    /**
     * Lists a server's tools.
     *
     * @param link still owned by the caller if this fails
     * @throws IllegalStateException if the tools cannot be listed in time; the message says why
     */
    public static RemoteTools of(
            String server, ServerLink link, ExecutionSite site, Duration startTimeout, Duration callTimeout) {
        ProgressBoard progress = new ProgressBoard();
        McpAsyncClient client = McpClient.async(link.transport())
                .clientInfo(
                        McpSchema.Implementation.builder("paddock", version()).build())
                // The waiting code enforces the bounds; these timeouts are longer, and only a
                // fallback.
                .initializationTimeout(startTimeout.plusSeconds(5))
                .requestTimeout((startTimeout.compareTo(callTimeout) > 0 ? startTimeout : callTimeout).plusSeconds(5))
                .jsonSchemaValidator(WireJson.ANYTHING)
                .progressConsumer(news -> Mono.fromRunnable(() -> progress.report(news)))
                .build();
        List<McpSchema.Tool> listed =
                await(link, startTimeout, client.initialize().then(list(client)));
        RemoteCalls calls = new RemoteCalls(server, link, client, progress, callTimeout);
        List<String> problems = new ArrayList<>();
        List<Tool> tools = usable(server, listed, site, calls, problems);
        return new RemoteTools(link, List.copyOf(tools), List.copyOf(problems));
    }

    /** Returns the version of the module, or of the jar on a class path. */
    private static String version() {
        return Optional.ofNullable(RemoteTools.class.getModule().getDescriptor())
                .flatMap(ModuleDescriptor::rawVersion)
                .or(() -> Optional.ofNullable(RemoteTools.class.getPackage().getImplementationVersion()))
                .orElse("0");
    }

    /** Fetches all pages, however many: an empty page costs only time, which is bounded. */
    private static Mono<List<McpSchema.Tool>> list(McpAsyncClient client) {
        return client.listTools(McpSchema.FIRST_PAGE)
                .expand(page -> Optional.ofNullable(page.nextCursor())
                        .filter(cursor -> !cursor.isEmpty())
                        .map(client::listTools)
                        .orElseGet(Mono::empty))
                .concatMapIterable(McpSchema.ListToolsResult::tools)
                .take(MAX_TOOLS + 1)
                .collectList();
    }

    private static <T> T await(ServerLink link, Duration longest, Mono<T> answer) {
        CompletableFuture<T> answered = answer.toFuture();
        try {
            CompletableFuture.anyOf(answered, link.lost()).get(longest.toNanos(), TimeUnit.NANOSECONDS);
            if (!answered.isDone()) {
                throw new IllegalStateException(link.lost().join());
            }
            return answered.join();
        } catch (ExecutionException failed) {
            throw new IllegalStateException(FaultMessages.text(failed), failed);
        } catch (TimeoutException late) {
            throw new IllegalStateException(
                    "it did not list its tools within " + longest.toMillis() / 1000.0 + " s", late);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("the wait for it was interrupted", interrupted);
        } finally {
            answered.cancel(true);
        }
    }

    private static List<Tool> usable(
            String server, List<McpSchema.Tool> listed, ExecutionSite site, RemoteCalls calls, List<String> problems) {
        List<Tool> tools = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (McpSchema.Tool tool : listed.subList(0, Math.min(MAX_TOOLS, listed.size()))) {
            String name = "mcp__" + server + "__" + String.valueOf(tool.name()).replaceAll("[^A-Za-z0-9_-]", "_");
            Optional<String> fault = fault(name, tool);
            if (fault.isEmpty() && !names.add(name)) {
                fault = Optional.of("another is named " + name + " already");
            }
            fault.ifPresentOrElse(
                    why -> problems.add("a tool of the MCP server " + server + " is left out: " + why),
                    () -> tools.add(new RemoteTool(name, tool, site, calls)));
        }
        if (listed.size() > MAX_TOOLS) {
            problems.add("the MCP server " + server + " has more than " + MAX_TOOLS
                    + " tools, and the rest is left out. Have it serve fewer");
        }
        return tools;
    }

    private static Optional<String> fault(String name, McpSchema.Tool tool) {
        if (tool.name() == null || tool.name().isEmpty()) {
            return Optional.of("it has no name");
        }
        if (name.length() > MAX_NAME_LENGTH) {
            return Optional.of("its name would be longer than " + MAX_NAME_LENGTH + " characters: "
                    + Excerpt.cut(name, MAX_NAME_LENGTH) + ". Give the server a shorter name");
        }
        Map<String, Object> schema = tool.inputSchema();
        if (schema == null || !"object".equals(schema.get("type"))) {
            return Optional.of("the schema of " + name + " is not of type object");
        }
        try {
            return WireJson.object(schema).toString().length() > MAX_SCHEMA_LENGTH
                    ? Optional.of("the schema of " + name + " is longer than " + MAX_SCHEMA_LENGTH + " characters")
                    : Optional.empty();
        } catch (IllegalArgumentException fault) {
            return Optional.of("the schema of " + name + " cannot be read");
        }
    }

    @Override
    public void close() {
        link.close();
    }
}
