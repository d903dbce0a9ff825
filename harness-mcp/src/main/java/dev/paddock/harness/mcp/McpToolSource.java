package dev.paddock.harness.mcp;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.ExecutorProviders;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.harness.tool.Effect;
import dev.paddock.harness.tool.Tool;
import dev.paddock.harness.tool.ToolSource;
import io.modelcontextprotocol.client.transport.HttpClientStreamableHttpTransport;
import java.net.URI;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The tools of an MCP server, for a session: {@code AgentSession.builder().toolSource(McpToolSource.stdio("files",
 * "npx my-server").build())}. They are named {@code mcp__server__tool}. The server is started, or reached, while the session is
 * built, unless its tool set is closed; it ends with the session. Which tools there are is asked once.
 *
 * <p>Defaults: a program is started on the host, beside the session, with the variables that a command on the host gets; 30
 * seconds to start and to tell the tools; 10 minutes for a call; a session is not built without the server.
 *
 * <p>A server is not trusted. What it writes, lists and answers is bounded: messages of up to 16 MiB, 128 tools, answers of up to
 * 256 KiB of text; what is beyond is left out, and told. A tool whose name or schema cannot be used is left out; the session's
 * listeners are told, as they are of a server that is missing. When a server hangs or dies, a call ends with an error for the
 * model; an aborted call returns at once, and the server is told.
 */
public final class McpToolSource implements ToolSource {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9-]{1,24}");

    private final String name;
    private final Reach reach;
    private final Duration startTimeout;
    private final Duration callTimeout;
    private final boolean required;

    private McpToolSource(Builder builder) {
        this.name = builder.name;
        this.reach = builder.reach.apply(builder);
        this.startTimeout = builder.startTimeout;
        this.callTimeout = builder.callTimeout;
        this.required = builder.required;
    }

    /**
     * A server that is a program, spoken to over its standard input and output.
     *
     * @param name what the server is called in its tools' names: 1 to 24 letters, digits and {@code -}
     * @param command what starts it, as a shell command
     * @return a builder with the defaults
     * @throws IllegalArgumentException if the name cannot be
     */
    public static Builder stdio(String name, String command) {
        return new Builder(name, made -> new Program(name, command, Map.copyOf(made.env), made.inSandbox));
    }

    /**
     * A server that is reached by streamable HTTP, from the host.
     *
     * @param name what the server is called in its tools' names: 1 to 24 letters, digits and {@code -}
     * @param endpoint its address, with the path
     * @return a builder with the defaults
     * @throws IllegalArgumentException if the name or the address cannot be
     */
    public static Builder http(String name, URI endpoint) {
        if (!List.of("http", "https").contains(String.valueOf(endpoint.getScheme())) || endpoint.getHost() == null) {
            throw new IllegalArgumentException("the address of the MCP server '" + name + "' is not one of HTTP: "
                    + endpoint + "; it looks like https://host/mcp");
        }
        return new Builder(name, made -> new Address(endpoint, Map.copyOf(made.headers)));
    }

    @Override
    public String name() {
        return "the MCP server " + name;
    }

    @Override
    public Opened open(Place place) {
        try {
            return open(reach.to(place));
        } catch (RuntimeException fault) {
            if (required) {
                throw fault;
            }
            return new Absent(name, String.valueOf(fault.getMessage()));
        }
    }

    private Opened open(ServerLink link) {
        try {
            return RemoteTools.of(name, link, reach.effect(), startTimeout, callTimeout);
        } catch (RuntimeException fault) {
            link.close();
            throw fault;
        }
    }

    /** A server that can be done without, and is. */
    private record Absent(String name, String why) implements Opened {
        @Override
        public List<Tool> tools() {
            return List.of();
        }

        @Override
        public String prompt() {
            return "The tools of the MCP server " + name + " cannot be used in this session: " + why + ".";
        }

        @Override
        public void close() {}
    }
        @Override
        public List<String> problems() {
            return List.of("the MCP server " + name + " is left out: " + why + ". Mend it, or do without it");
        }


    /** How a server is reached, and where the effect of its tools lands. */
    private sealed interface Reach {
        Effect effect();

        ServerLink to(Place place);
    }

    private record Program(String name, String command, Map<String, String> env, boolean inSandbox) implements Reach {

        @Override
        public Effect effect() {
            return inSandbox ? Effect.SANDBOX : Effect.HOST;
        }

        @Override
        public ServerLink to(Place place) {
            if (inSandbox) {
                return started(place.executor(), place.worktree().commandPath(), () -> {});
            }
            PathMapping worktree = PathMapping.same(place.worktree().hostPath());
            CommandExecutor host = ExecutorProviders.named("host").create(SandboxPolicy.unconfined(worktree), Map.of());
            try {
                return started(host, worktree.commandPath(), host::dispose);
            } catch (RuntimeException fault) {
                host.dispose();
                throw fault;
            }
        }

        private ServerLink started(CommandExecutor executor, String directory, Runnable afterwards) {
            ProcessLike process = executor.spawn(
                    command,
                    SpawnOptions.builder(directory)
                            .env(env)
                            .stdin(SpawnOptions.Stdin.PIPE)
                            .build());
            return ServerLink.of(name, process, afterwards);
        }
    }

    private record Address(URI endpoint, Map<String, String> headers) implements Reach {

        @Override
        public Effect effect() {
            return Effect.NETWORK;
        }

        @Override
        public ServerLink to(Place place) {
            HttpRequest.Builder request = HttpRequest.newBuilder();
            headers.forEach(request::header);
            return ServerLink.of(HttpClientStreamableHttpTransport.builder(
                            endpoint.resolve("/").toString())
                    .endpoint(endpoint.toString())
                    .requestBuilder(request)
                    .jsonMapper(Json.MAPPER)
                    .maxResponseSize(MessageReader.LONGEST)
                    .build());
        }
    }

    /** Collects how a server is reached. Not safe for use by several threads. */
    public static final class Builder {
        private final String name;
        private final Function<Builder, Reach> reach;
        private final Map<String, String> env = new LinkedHashMap<>();
        private final Map<String, String> headers = new LinkedHashMap<>();
        private boolean inSandbox;
        private Duration startTimeout = Duration.ofSeconds(30);
        private Duration callTimeout = Duration.ofMinutes(10);
        private boolean required = true;

        private Builder(String name, Function<Builder, Reach> reach) {
            if (!NAME.matcher(name).matches()) {
                throw new IllegalArgumentException(
                        "an MCP server's name is not of 1 to 24 letters, digits and '-': '" + name + "'");
            }
            this.name = name;
            this.reach = reach;
        }

        /**
         * Sets a variable of the program's environment.
         *
         * @param variable its name
         * @param value its value, which no log and no error names
         * @return this builder
         */
        public Builder env(String variable, String value) {
            env.put(variable, value);
            return this;
        }

        /**
         * Sets a header of each request.
         *
         * @param header its name
         * @param value its value, which no log and no error names
         * @return this builder
         */
        public Builder header(String header, String value) {
            headers.put(header, value);
            return this;
        }

        /**
         * Starts the program where the session's commands run, through its executor, and not on the host.
         *
         * @param value whether it runs there; false by default
         * @return this builder
         */
        public Builder inSandbox(boolean value) {
            inSandbox = value;
            return this;
        }

        /**
         * Sets how long the server may take until it has told its tools.
         *
         * @param value more than zero; 30 seconds by default
         * @return this builder
         * @throws IllegalArgumentException if it is not
         */
        public Builder startTimeout(Duration value) {
            startTimeout = requirePositive("startTimeout", value);
            return this;
        }

        /**
         * Sets how long a call may take.
         *
         * @param value more than zero; 10 minutes by default
         * @return this builder
         * @throws IllegalArgumentException if it is not
         */
        public Builder callTimeout(Duration value) {
            callTimeout = requirePositive("callTimeout", value);
            return this;
        }

        /**
         * Sets what becomes of a session whose server cannot be had: it is not built, or it is built without the server's tools,
         * and its model told so.
         *
         * @param value true by default
         * @return this builder
         */
        public Builder required(boolean value) {
            required = value;
            return this;
        }

        private static Duration requirePositive(String what, Duration value) {
            if (value.isNegative() || value.isZero()) {
                throw new IllegalArgumentException(what + " is not more than 0: " + value);
            }
            return value;
        }

        /**
         * Makes the source.
         *
         * @return the source; nothing is started for it yet
         */
        public McpToolSource build() {
            return new McpToolSource(this);
        }
    }
}
