package dev.paddock.harness.mcp;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.ExecutorProviders;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.harness.mcp.client.RemoteTools;
import dev.paddock.harness.mcp.client.ServerLink;
import dev.paddock.harness.mcp.wire.MessageReader;
import dev.paddock.harness.mcp.wire.WireJson;
import dev.paddock.harness.tools.ExecutionSite;
import dev.paddock.harness.tools.Tool;
import dev.paddock.harness.tools.ToolSource;
import io.modelcontextprotocol.client.transport.HttpClientStreamableHttpTransport;
import java.net.URI;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Provides the tools of an MCP server to a session: {@code
 * AgentSession.builder().toolSource(McpToolSource.stdio("files", "npx my-server").build())}. The
 * tools are named {@code mcp__server__tool}. The server is started, or connected to, while the
 * session is built, unless the session's tool set is closed; it ends with the session. Its tools
 * are listed once.
 *
 * <p>Defaults: a program is started on the host, outside of the sandbox, with the variables that a
 * command on the host gets; 30 seconds to start and to list the tools; 10 minutes per call; a
 * session is not built without the server.
 *
 * <p>A server is not trusted. Its output, tool list and answers are bounded: messages of up to 16
 * MiB, 128 tools, answers of up to 256 KiB of text; what exceeds a bound is omitted, with a note. A
 * tool whose name or schema is unusable is omitted; the session's listeners receive that as a
 * problem, as they do for a missing server. When a server hangs or dies, a call ends with an error
 * for the model; an aborted call returns at once, and the server receives a cancellation.
 *
 * @since 0.1
 */
public final class McpToolSource implements ToolSource {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9-]{1,24}");
    private static final Pattern HEADER = Pattern.compile("[A-Za-z0-9_-]+");
    private static final Duration MAX_TIMEOUT = Duration.ofDays(1);

    private final String name;
    private final Reach reach;
    private final Duration startTimeout;
    private final Duration callTimeout;
    private final boolean required;

    private McpToolSource(Builder<?> builder) {
        this.name = builder.name;
        this.reach = builder.reach();
        this.startTimeout = builder.startTimeout;
        this.callTimeout = builder.callTimeout;
        this.required = builder.required;
    }

    /**
     * Returns a builder for a server that is a program, connected over its standard input and
     * output.
     *
     * @param name the server's name in its tools' names: 1 to 24 letters, digits and {@code -}
     * @param command the shell command that starts it
     * @return a builder with the defaults
     * @throws IllegalArgumentException if the name is invalid
     */
    public static Stdio stdio(String name, String command) {
        return new Stdio(name, command);
    }

    /**
     * Returns a builder for a server that is reached by streamable HTTP, from the host.
     *
     * @param name the server's name in its tools' names: 1 to 24 letters, digits and {@code -}
     * @param endpoint its URL, http or https, with the path and without user information
     * @return a builder with the defaults
     * @throws IllegalArgumentException if the name or the URL is invalid
     */
    public static Http http(String name, URI endpoint) {
        boolean isHttp = List.of("http", "https").contains(String.valueOf(endpoint.getScheme()));
        if (!isHttp || endpoint.getHost() == null || endpoint.getUserInfo() != null) {
            // User information in the URL may contain a password.
            String shown = endpoint.toString().contains("@") ? "" : ": " + endpoint;
            throw new IllegalArgumentException("the address of the MCP server '" + name
                    + "' is not http or https with a host and without a user" + shown
                    + "; it looks like https://host/mcp, and a user's token goes into a header");
        }
        return new Http(name, endpoint);
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
            return RemoteTools.of(name, link, reach.executionSite(), startTimeout, callTimeout);
        } catch (RuntimeException fault) {
            link.close();
            throw fault;
        }
    }

    /** The result for an optional server that is not available. */
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
        public List<String> problems() {
            return List.of("the MCP server " + name + " is left out: " + why + ". Fix it, or do without it");
        }

        @Override
        public void close() {}
    }

    /** How a server is reached, and the execution site of its tools. */
    sealed interface Reach {
        ExecutionSite executionSite();

        ServerLink to(Place place);
    }

    private record Program(String name, String command, Map<String, String> env, boolean inSandbox) implements Reach {

        @Override
        public ExecutionSite executionSite() {
            return inSandbox ? ExecutionSite.SANDBOX : ExecutionSite.HOST;
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
        public ExecutionSite executionSite() {
            return ExecutionSite.NETWORK;
        }

        @Override
        public ServerLink to(Place place) {
            HttpRequest.Builder request = HttpRequest.newBuilder();
            headers.forEach(request::header);
            return ServerLink.of(HttpClientStreamableHttpTransport.builder(
                            endpoint.resolve("/").toString())
                    .endpoint(endpoint.toString())
                    .requestBuilder(request)
                    .jsonMapper(WireJson.MAPPER)
                    .maxResponseSize(MessageReader.MAX_BYTES)
                    .build());
        }
    }

    /**
     * Collects the options that all kinds of servers have. Not safe for use by several threads.
     *
     * @param <B> the builder itself
     */
    public abstract static sealed class Builder<B extends Builder<B>> {
        private final String name;
        private Duration startTimeout = Duration.ofSeconds(30);
        private Duration callTimeout = Duration.ofMinutes(10);
        private boolean required = true;

        private Builder(String name) {
            if (!NAME.matcher(name).matches()) {
                throw new IllegalArgumentException(
                        "an MCP server's name must be 1 to 24 letters, digits and '-', not '" + name + "'");
            }
            this.name = name;
        }

        abstract B self();

        abstract Reach reach();

        /**
         * Sets how long the server may take to start and to list its tools.
         *
         * @param value more than zero, at most a day; 30 seconds by default
         * @return this builder
         * @throws IllegalArgumentException if it is out of range
         */
        public B startTimeout(Duration value) {
            startTimeout = requireTimeout("startTimeout", value);
            return self();
        }

        /**
         * Sets how long a call may take.
         *
         * @param value more than zero, at most a day; 10 minutes by default
         * @return this builder
         * @throws IllegalArgumentException if it is out of range
         */
        public B callTimeout(Duration value) {
            callTimeout = requireTimeout("callTimeout", value);
            return self();
        }

        /**
         * Sets whether a session needs the server. If the server is not available, a session that
         * needs it is not built; otherwise it is built without the server's tools, and its model
         * and its listeners are notified.
         *
         * @param value true by default
         * @return this builder
         */
        public B required(boolean value) {
            required = value;
            return self();
        }

        private static Duration requireTimeout(String what, Duration value) {
            if (value.isNegative() || value.isZero() || value.compareTo(MAX_TIMEOUT) > 0) {
                throw new IllegalArgumentException(what + " must be more than 0 and at most a day, not " + value);
            }
            return value;
        }

        /**
         * Builds the source.
         *
         * @return the source; no server is started yet
         */
        public McpToolSource build() {
            return new McpToolSource(this);
        }
    }

    /** Collects how a server program is started. Not safe for use by several threads. */
    public static final class Stdio extends Builder<Stdio> {
        private final String command;
        private final Map<String, String> env = new LinkedHashMap<>();
        private boolean inSandbox;

        private Stdio(String name, String command) {
            super(name);
            this.command = command;
        }

        @Override
        Stdio self() {
            return this;
        }

        @Override
        Reach reach() {
            return new Program(super.name, command, Map.copyOf(env), inSandbox);
        }

        /**
         * Sets a variable of the program's environment, which overrides that of a command at the
         * same site.
         *
         * @param variable its name, as {@link SpawnOptions#env()} accepts it
         * @param value its value, without NUL; no log and no error contains it
         * @return this builder
         * @throws dev.paddock.executor.SpawnException if the name or the value is invalid; the
         *     message names the variable
         */
        public Stdio env(String variable, String value) {
            // Rejects an invalid variable here rather than when the program is started.
            SpawnOptions.builder("/").env(variable, value).build();
            env.put(variable, value);
            return this;
        }

        /**
         * Starts the program through the session's executor, where its commands run, and not on the
         * host.
         *
         * @param value whether it runs there; false by default
         * @return this builder
         */
        public Stdio inSandbox(boolean value) {
            inSandbox = value;
            return this;
        }
    }

    /** Collects the HTTP headers for a remote server. Not safe for use by several threads. */
    public static final class Http extends Builder<Http> {
        private final URI endpoint;
        private final Map<String, String> headers = new LinkedHashMap<>();

        private Http(String name, URI endpoint) {
            super(name);
            this.endpoint = endpoint;
        }

        @Override
        Http self() {
            return this;
        }

        @Override
        Reach reach() {
            return new Address(endpoint, Map.copyOf(headers));
        }

        /**
         * Sets a header of each request.
         *
         * @param header its name
         * @param value its value; no log and no error contains it
         * @return this builder
         * @throws IllegalArgumentException if the header is invalid: the name or the value has
         *     characters that a header cannot contain, such as a line break, or only the HTTP
         *     client may set it
         */
        public Http header(String header, String value) {
            if (!isHeader(header, value)) {
                // An invalid name may be an entire header, value included.
                String shown =
                        HEADER.matcher(header).matches() ? "the header " + header : "a header without a proper name";
                throw new IllegalArgumentException(shown + " cannot be sent to the MCP server '" + super.name
                        + "': its name or value has characters that are invalid there, such as a line end, or the HTTP"
                        + " client sets it itself; give name and value separately, without line ends");
            }
            headers.put(header, value);
            return this;
        }

        /**
         * Validates a header with the JDK, but drops the JDK's message, which contains the value.
         */
        private static boolean isHeader(String header, String value) {
            try {
                HttpRequest.newBuilder().header(header, value);
                return true;
            } catch (IllegalArgumentException refused) {
                return false;
            }
        }
    }
}
