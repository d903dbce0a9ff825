package dev.paddock.harness.mcp;

import dev.paddock.harness.tool.Effect;
import dev.paddock.harness.tool.Tool;
import dev.paddock.harness.tool.ToolSource;
import io.modelcontextprotocol.client.McpAsyncClient;
import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.spec.McpSchema;
import java.io.IOException;
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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

/** The tools of a server that has been reached. */
final class RemoteTools implements ToolSource.Opened {
    private static final Logger LOG = LoggerFactory.getLogger(RemoteTools.class);
    private static final int MOST_TOOLS = 128;
    private static final int MOST_PAGES = 32;
    private static final int LONGEST_NAME = 64;
    private static final int LONGEST_SCHEMA = 64 << 10;

    private final ServerLink link;
    private final List<Tool> tools;

    private RemoteTools(ServerLink link, List<Tool> tools) {
        this.link = link;
        this.tools = List.copyOf(tools);
    }

    /**
     * Asks a server for its tools.
     *
     * @param link stays the caller's if this fails
     * @throws IllegalStateException if they cannot be had in time; the message says why
     */
    static RemoteTools of(String server, ServerLink link, Effect effect, Duration startTimeout, Duration callTimeout) {
        ProgressBoard progress = new ProgressBoard();
        McpAsyncClient client = McpClient.async(link.transport())
                .clientInfo(
                        McpSchema.Implementation.builder("paddock", version()).build())
                // Bounds are kept by whoever waits; these are behind them.
                .initializationTimeout(startTimeout.plusSeconds(5))
                .requestTimeout(startTimeout.compareTo(callTimeout) > 0 ? startTimeout : callTimeout.plusSeconds(5))
                .jsonSchemaValidator(Json.ANYTHING)
                .progressConsumer(news -> Mono.fromRunnable(() -> progress.tell(news)))
                .build();
        List<McpSchema.Tool> listed =
                await(link, startTimeout, client.initialize().then(list(client)));
        RemoteCalls calls = new RemoteCalls(server, link, client, progress, callTimeout);
        return new RemoteTools(link, usable(server, listed, effect, calls));
    }

    private static String version() {
        return Optional.ofNullable(RemoteTools.class.getPackage().getImplementationVersion())
                .orElse("0");
    }

    private static Mono<List<McpSchema.Tool>> list(McpAsyncClient client) {
        return client.listTools(McpSchema.FIRST_PAGE)
                .expand(page -> Optional.ofNullable(page.nextCursor())
                        .filter(cursor -> !cursor.isEmpty())
                        .map(client::listTools)
                        .orElseGet(Mono::empty))
                .take(MOST_PAGES)
                .concatMapIterable(McpSchema.ListToolsResult::tools)
                .take(MOST_TOOLS + 1)
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
            throw new IllegalStateException(Faults.text(failed), failed);
        } catch (TimeoutException late) {
            throw new IllegalStateException(
                    "it did not tell its tools within " + longest.toMillis() / 1000.0 + " s", late);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("it was not waited for any longer", interrupted);
        } finally {
            answered.cancel(true);
        }
    }

    private static List<Tool> usable(String server, List<McpSchema.Tool> listed, Effect effect, RemoteCalls calls) {
        List<Tool> tools = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (McpSchema.Tool tool : listed.subList(0, Math.min(MOST_TOOLS, listed.size()))) {
            String name = "mcp__" + server + "__" + String.valueOf(tool.name()).replaceAll("[^A-Za-z0-9_-]", "_");
            Optional<String> fault = fault(name, tool);
            if (fault.isEmpty() && !names.add(name)) {
                fault = Optional.of("another is named " + name + " already");
            }
            fault.ifPresentOrElse(
                    why -> LOG.warn("A tool of the MCP server {} is left out: {}", server, why),
                    () -> tools.add(new RemoteTool(name, tool, effect, calls)));
        }
        if (listed.size() > MOST_TOOLS) {
            LOG.warn("The MCP server {} has more than {} tools; the rest is left out", server, MOST_TOOLS);
        }
        return tools;
    }

    private static Optional<String> fault(String name, McpSchema.Tool tool) {
        if (tool.name() == null || tool.name().isEmpty()) {
            return Optional.of("it has no name");
        }
        if (name.length() > LONGEST_NAME) {
            return Optional.of("its name would be longer than " + LONGEST_NAME + " characters: "
                    + name.substring(0, LONGEST_NAME) + "…");
        }
        Map<String, Object> schema = tool.inputSchema();
        if (schema == null || !"object".equals(schema.get("type"))) {
            return Optional.of("the schema of " + name + " is not of type object");
        }
        try {
            return Json.bytes(schema).length > LONGEST_SCHEMA
                    ? Optional.of("the schema of " + name + " is longer than " + LONGEST_SCHEMA + " bytes")
                    : Optional.empty();
        } catch (IOException fault) {
            return Optional.of("the schema of " + name + " cannot be read");
        }
    }

    @Override
    public List<Tool> tools() {
        return tools;
    }

    @Override
    public void close() {
        link.close();
    }
}
