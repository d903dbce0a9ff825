package dev.paddock.executor.docker.engine;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.exception.ConflictException;
import com.github.dockerjava.api.exception.DockerException;
import com.github.dockerjava.api.exception.NotFoundException;
import com.github.dockerjava.core.DefaultDockerClientConfig;
import com.github.dockerjava.core.DockerClientImpl;
import com.github.dockerjava.transport.DockerHttpClient;
import dev.paddock.executor.Availability;
import dev.paddock.executor.SandboxUnavailableException;
import dev.paddock.executor.os.io.DaemonThreads;
import dev.paddock.executor.process.launch.HostEnvironment;
import dev.paddock.executor.remote.shell.ExecSerializer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import javax.net.ssl.SSLException;

/** Represents one engine: its client, and the mapping of its failures to exceptions. */
public final class Engine {
    /** The name of the backend. */
    public static final String BACKEND = "docker";

    static final ObjectMapper JSON = new ObjectMapper();
    private static final int NOT_FOUND = 404;
    private static final int MIN_REFUSAL = 400;

    private final EngineAddress address;
    private final EngineTransport transport;
    private final DockerClient client;
    private final DefaultDockerClientConfig config;
    private final ExecSerializer execs = new ExecSerializer();

    private Engine(EngineAddress address, EngineTransport transport, DefaultDockerClientConfig config) {
        this.address = address;
        this.transport = transport;
        this.config = config;
        this.client = DockerClientImpl.getInstance(config, transport);
    }

    /**
     * Returns the engine that the environment names, as the docker command finds it: DOCKER_HOST, DOCKER_TLS_VERIFY,
     * DOCKER_CERT_PATH, the current context, the default socket.
     */
    public static Engine ofEnvironment() {
        return of(DefaultDockerClientConfig.createDefaultConfigBuilder(), EngineTransport.CALL_TIMEOUT);
    }

    /** Returns the engine at an address, in DOCKER_HOST's form. */
    public static Engine at(String host) {
        return at(host, EngineTransport.CALL_TIMEOUT);
    }

    /** Returns the engine at an address, with another bound for its answers. */
    static Engine at(String host, Duration callTimeout) {
        return of(DefaultDockerClientConfig.createDefaultConfigBuilder().withDockerHost(host), callTimeout);
    }

    private static Engine of(DefaultDockerClientConfig.Builder builder, Duration callTimeout) {
        boolean explicitHost = builder.isDockerHostSetExplicitly();
        // Any custom value keeps docker-java from reading the keys.
        DefaultDockerClientConfig config =
                builder.withCustomSslConfig(() -> null).build();
        EngineAddress address = EngineAddress.of(config, EngineKeys.of(config, explicitHost, HostEnvironment.all()));
        return new Engine(address, new EngineTransport(address, callTimeout), config);
    }

    /**
     * Initializes the JSON reader on another thread while the first answer is awaited: Jackson's number parsing makes
     * the JDK compute powers of five, which takes 20 ms.
     */
    public static void preloadReader() {
        DaemonThreads.virtual("paddock-docker-reader").start(() -> {
            try {
                JsonNode unused = JSON.readTree(new byte[] {'{', '}'});
            } catch (IOException impossible) {
                throw new UncheckedIOException(impossible);
            }
        });
    }

    /** Returns docker-java's configuration, read from the docker command's files. */
    public DefaultDockerClientConfig config() {
        return config;
    }

    EngineAddress address() {
        return address;
    }

    /** Returns the engine's address in DOCKER_HOST's form, for messages. */
    public String where() {
        return address.text();
    }

    /** Returns the engine's product, as far as the address shows, and the address, for messages. */
    public String described() {
        return "the " + EngineProduct.at(where()).title() + " engine at " + where();
    }

    /** Returns the name of the program that manages the engine, for messages. */
    public String program() {
        return EngineProduct.at(where()).program();
    }

    /** Returns how to inspect a silent engine. */
    public String look() {
        return EngineProduct.at(where()).look();
    }

    /** Returns whether the engine listens on a unix socket, so most likely on this machine. */
    public boolean isLocal() {
        return address instanceof EngineAddress.Unix;
    }

    public DockerClient client() {
        return client;
    }

    /**
     * Makes a call, and maps a failure to get an answer to {@link SandboxUnavailableException}. The caller handles the
     * engine's answers, including refusals.
     */
    public <T> T call(Function<DockerClient, T> call) {
        try {
            return call.apply(client);
        } catch (NotFoundException | ConflictException answer) {
            throw answer;
        } catch (RuntimeException fault) {
            throw unreachable(fault).orElseThrow(() -> fault);
        }
    }

    /**
     * Queries the engine and returns its answer as a tree. Queries that every JVM makes at its start avoid
     * docker-java's types for the larger answers: introspecting three of them takes Jackson 100 ms.
     *
     * @param path the call's path, encoded, such as {@code /containers/1a2b/json}
     * @return empty if the object does not exist
     * @throws SandboxUnavailableException if the engine does not answer
     * @throws DockerException if it refuses
     */
    public Optional<JsonNode> ask(String path) {
        return send(DockerHttpClient.Request.builder()
                .method(DockerHttpClient.Request.Method.GET)
                .path(path)
                .build());
    }

    /**
     * Creates an object, without docker-java's types, as {@link #ask}.
     *
     * @param path the call's path, encoded
     * @param object what to create
     * @return the id of the created object
     * @throws SandboxUnavailableException if the engine does not answer
     * @throws DockerException if it refuses
     */
    public String create(String path, JsonNode object) {
        DockerHttpClient.Request request = DockerHttpClient.Request.builder()
                .method(DockerHttpClient.Request.Method.POST)
                .path(path)
                .putHeader("Content-Type", "application/json")
                .bodyBytes(object.toString().getBytes(StandardCharsets.UTF_8))
                .build();
        return required(path, send(request)).path("Id").asText();
    }

    /**
     * Makes a call without a body, and returns the engine's answer as a tree.
     *
     * @param path the call's path, encoded
     * @return empty if the object does not exist
     * @throws SandboxUnavailableException if the engine does not answer
     * @throws DockerException if it refuses
     */
    public Optional<JsonNode> post(String path) {
        return send(DockerHttpClient.Request.builder()
                .method(DockerHttpClient.Request.Method.POST)
                .path(path)
                .build());
    }

    /**
     * Removes an object.
     *
     * @param path the call's path, encoded
     * @return whether the object existed
     * @throws SandboxUnavailableException if the engine does not answer
     * @throws DockerException if it refuses
     */
    public boolean delete(String path) {
        return send(DockerHttpClient.Request.builder()
                        .method(DockerHttpClient.Request.Method.DELETE)
                        .path(path)
                        .build())
                .isPresent();
    }

    /**
     * Requests a streamed answer.
     *
     * @param path the call's path, encoded
     * @return the answer, which has begun; the caller closes it
     * @throws SandboxUnavailableException if the engine does not answer
     * @throws DockerException if it refuses
     */
    public JsonStream follow(String path) {
        return call(unused -> {
            DockerHttpClient.Response response = transport.execute(DockerHttpClient.Request.builder()
                    .method(DockerHttpClient.Request.Method.GET)
                    .path(path)
                    .build());
            if (response.getStatusCode() < MIN_REFUSAL) {
                return new JsonStream(response);
            }
            try (response) {
                throw refusal(response, response.getBody().readAllBytes());
            } catch (IOException fault) {
                throw new UncheckedIOException(fault);
            }
        });
    }

    /**
     * Reads a file of a container, which need not run.
     *
     * @param container its id
     * @param path the file's path, absolute, without characters that a query would have to encode
     * @param limit the most bytes to read
     * @return empty if it does not exist, is no regular file, or a longer one
     * @throws SandboxUnavailableException if the engine does not answer
     * @throws DockerException if it refuses
     */
    public Optional<byte[]> file(String container, String path, int limit) {
        DockerHttpClient.Request request = DockerHttpClient.Request.builder()
                .method(DockerHttpClient.Request.Method.GET)
                .path("/containers/" + container + "/archive?path=" + path)
                .build();
        return send(request, archive -> ArchivedFile.read(archive, limit));
    }

    private Optional<JsonNode> send(DockerHttpClient.Request request) {
        return send(request, body -> Optional.of(JSON.readTree(body.readAllBytes())));
    }

    private <T> Optional<T> send(DockerHttpClient.Request request, Reader<T> reader) {
        return call(unused -> {
            try (DockerHttpClient.Response response = transport.execute(request)) {
                if (response.getStatusCode() == NOT_FOUND && request.bodyBytes() == null) {
                    return Optional.empty();
                }
                if (response.getStatusCode() >= MIN_REFUSAL) {
                    throw refusal(response, response.getBody().readAllBytes());
                }
                return reader.read(response.getBody());
            } catch (IOException fault) {
                throw new UncheckedIOException(fault);
            }
        });
    }

    @FunctionalInterface
    private interface Reader<T> {
        Optional<T> read(InputStream body) throws IOException;
    }

    private static DockerException refusal(DockerHttpClient.Response response, byte[] body) {
        return new DockerException(new String(body, StandardCharsets.UTF_8), response.getStatusCode());
    }

    /** Queries something that every engine has, and returns the answer as a tree. */
    public JsonNode require(String path) {
        return required(path, ask(path));
    }

    private static JsonNode required(String path, Optional<JsonNode> answer) {
        return answer.orElseThrow(() -> new DockerException("there is no " + path, NOT_FOUND));
    }

    public ExecSerializer execs() {
        return execs;
    }

    /** Returns the engine's refusal in its own words. */
    public static String message(DockerException answer) {
        return message(String.valueOf(answer.getMessage()));
    }

    /** Returns the message of a refusal: JSON after a status, or plain text. */
    static String message(String answer) {
        int json = answer.indexOf('{');
        if (json < 0) {
            return answer.strip();
        }
        try {
            JsonNode message = JSON.readTree(answer.substring(json)).path("message");
            return (message.isTextual() ? message.asText().replace('\n', ' ') : answer).strip();
        } catch (JsonProcessingException plain) {
            return answer.strip();
        }
    }

    /** Returns the exception to throw if the engine does not answer; empty for any other fault. */
    public Optional<SandboxUnavailableException> unreachable(Throwable fault) {
        for (Throwable cause = fault; cause != null; cause = cause.getCause()) {
            if (cause instanceof IOException io && !(io instanceof HijackedConnection.EngineRefusal)) {
                SandboxUnavailableException unavailable = new SandboxUnavailableException(BACKEND, why(io));
                unavailable.initCause(fault);
                return Optional.of(unavailable);
            }
        }
        return Optional.empty();
    }

    private Availability.Unusable why(IOException fault) {
        String detail = String.valueOf(fault.getMessage()).toLowerCase(Locale.ROOT);
        EngineProduct product = EngineProduct.at(address.text());
        String where = described();
        if (detail.contains("permission denied")) {
            return new Availability.Unusable(
                    where + " may not be used by this user (permission denied)", product.permit());
        }
        if (fault instanceof SocketTimeoutException) {
            return new Availability.Unusable(
                    where + " is silent: " + fault.getMessage(),
                    "Check the engine (" + product.look() + ") and restart it if it hangs.",
                    Availability.Outlook.UNDECIDED);
        }
        if (fault instanceof SSLException) {
            return new Availability.Unusable(
                    where + " and this client failed their TLS handshake: " + fault.getMessage(),
                    "Let DOCKER_CERT_PATH name the directory with the engine's ca.pem and this client's cert.pem and"
                            + " key.pem.");
        }
        if (fault instanceof UnknownHostException) {
            return new Availability.Unusable(where + " has an unknown host name", "Correct DOCKER_HOST.");
        }
        if (fault instanceof ConnectException
                || fault instanceof java.nio.file.NoSuchFileException
                || detail.contains("no such file")
                || detail.contains("refused")) {
            return new Availability.Unusable(
                    where + " cannot be reached: " + fault.getMessage(), product.start(), true);
        }
        return new Availability.Unusable(
                where + " failed: " + fault.getMessage(), product.start(), Availability.Outlook.UNDECIDED);
    }
}
