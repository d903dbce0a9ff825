package dev.paddock.harness.mcp;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.ExecutorProviders;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.harness.mcp.client.RemoteTools;
import dev.paddock.harness.mcp.client.ServerLink;
import dev.paddock.harness.mcp.wire.Json;
import dev.paddock.harness.mcp.wire.MessageReader;
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
    private static final Pattern HEADER = Pattern.compile("[A-Za-z0-9_-]+");
    private static final Duration LONGEST_TIMEOUT = Duration.ofDays(1);

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
     * A server that is a program, spoken to over its standard input and output.
     *
     * @param name what the server is called in its tools' names: 1 to 24 letters, digits and {@code -}
     * @param command what starts it, as a shell command
     * @return a builder with the defaults
     * @throws IllegalArgumentException if the name cannot be
     */
    public static Stdio stdio(String name, String command) {
        return new Stdio(name, command);
    }

    /**
     * A server that is reached by streamable HTTP, from the host.
     *
     * @param name what the server is called in its tools' names: 1 to 24 letters, digits and {@code -}
     * @param endpoint its address, of http or https, with the path and without a user
     * @return a builder with the defaults
     * @throws IllegalArgumentException if the name or the address cannot be
     */
    public static Http http(String name, URI endpoint) {
        boolean isHttp = List.of("http", "https").contains(String.valueOf(endpoint.getScheme()));
        if (!isHttp || endpoint.getHost() == null || endpoint.getUserInfo() != null) {
            // With a user in it, it may hold a password.
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
        public List<String> problems() {
            return List.of("the MCP server " + name + " is left out: " + why + ". Mend it, or do without it");
        }

        @Override
        public void close() {}
    }

    /** How a server is reached, and where the effect of its tools lands. */
    sealed interface Reach {
        ExecutionSite effect();

        ServerLink to(Place place);
    }

    private record Program(String name, String command, Map<String, String> env, boolean inSandbox) implements Reach {

        @Override
        public ExecutionSite effect() {
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
        public ExecutionSite effect() {
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
                    .jsonMapper(Json.MAPPER)
                    .maxResponseSize(MessageReader.LONGEST)
                    .build());
        }
    }

    /**
     * Collects what all servers have in common. Not safe for use by several threads.
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
                        "an MCP server's name is not of 1 to 24 letters, digits and '-': '" + name + "'");
            }
            this.name = name;
        }

        abstract B self();

        abstract Reach reach();

        /**
         * Sets how long the server may take until it has told its tools.
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
         * Sets what becomes of a session whose server cannot be had: it is not built, or it is built without the server's tools,
         * and its model and its listeners told so.
         *
         * @param value true by default
         * @return this builder
         */
        public B required(boolean value) {
            required = value;
            return self();
        }

        private static Duration requireTimeout(String what, Duration value) {
            if (value.isNegative() || value.isZero() || value.compareTo(LONGEST_TIMEOUT) > 0) {
                throw new IllegalArgumentException(what + " is not more than 0 and at most a day: " + value);
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

    /** Collects how a program is started. Not safe for use by several threads. */
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
         * Sets a variable of the program's environment, over those that a command has where it runs.
         *
         * @param variable its name, as {@link SpawnOptions#env()} takes it
         * @param value its value, without NUL, which no log and no error names
         * @return this builder
         * @throws dev.paddock.executor.SpawnException if the name or the value cannot be; the message names the variable
         */
        public Stdio env(String variable, String value) {
            // What it refuses is refused here, and not when the program is started.
            SpawnOptions.builder("/").env(variable, value).build();
            env.put(variable, value);
            return this;
        }

        /**
         * Starts the program where the session's commands run, through its executor, and not on the host.
         *
         * @param value whether it runs there; false by default
         * @return this builder
         */
        public Stdio inSandbox(boolean value) {
            inSandbox = value;
            return this;
        }
    }

    /** Collects what is sent to a server on the network. Not safe for use by several threads. */
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
         * @param value its value, which no log and no error names
         * @return this builder
         * @throws IllegalArgumentException if there is no such header: the name or the value has characters that cannot stand in
         *     one, a line end above all, or the HTTP client alone sets it
         */
        public Http header(String header, String value) {
            if (!isHeader(header, value)) {
                // A name that is none may be the header as a whole.
                String shown =
                        HEADER.matcher(header).matches() ? "the header " + header : "a header without a proper name";
                throw new IllegalArgumentException(shown + " cannot be sent to the MCP server '" + super.name
                        + "': its name or its value has characters that cannot stand in one, such as a line end, or the HTTP"
                        + " client alone sets it; give name and value apart, without line ends");
            }
            headers.put(header, value);
            return this;
        }

        /** As the JDK finds, but without its word for what it refuses, which shows the value. */
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
