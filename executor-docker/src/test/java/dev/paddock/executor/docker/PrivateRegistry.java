package dev.paddock.executor.docker;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.github.dockerjava.api.exception.NotFoundException;
import com.github.dockerjava.api.model.AuthConfig;
import dev.paddock.executor.docker.engine.Engine;
import dev.paddock.executor.tck.subject.Prerequisite;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Runs Debian's registry on the loopback, with one user, and an image that only that user may fetch.
 * An engine accepts a registry on the loopback without TLS.
 */
final class PrivateRegistry implements AutoCloseable {
    static final String USER = "ada";
    static final String PASSWORD = "secret";

    /** The password's bcrypt hash, of a low cost. */
    private static final String HASH = "$2b$05$abcdefghijklmnopqrstuuOQiyCxlgf/oeuTqixKmWdcYUh4Hjl0a";

    private static final Pattern ADDRESS = Pattern.compile("listening on (127\\.0\\.0\\.1:\\d+)");

    private final Engine engine;
    private final Process process;
    private final String host;

    private PrivateRegistry(Engine engine, Process process, String host) {
        this.engine = engine;
        this.process = process;
        this.host = host;
    }

    static PrivateRegistry start(Engine engine, Path directory) throws Exception {
        Files.writeString(directory.resolve("users"), USER + ":" + HASH + "\n");
        Path settings = Files.writeString(directory.resolve("registry.yml"), """
                version: 0.1
                storage: { filesystem: { rootdirectory: %s } }
                http: { addr: 127.0.0.1:0, secret: x }
                auth: { htpasswd: { realm: test, path: %s } }
                """.formatted(
                        directory.resolve("data"), directory.resolve("users")));
        Process process;
        try {
            process = new ProcessBuilder("docker-registry", "serve", settings.toString())
                    .redirectErrorStream(true)
                    .start();
        } catch (IOException absent) {
            Prerequisite.require(false, "there is no docker-registry: " + absent.getMessage());
            throw absent;
        }
        try {
            PrivateRegistry registry = new PrivateRegistry(engine, process, address(process));
            registry.publish();
            return registry;
        } catch (Exception | Error fault) {
            process.destroyForcibly().onExit().join();
            throw fault;
        }
    }

    /** Reads the log up to the line with the port, and the rest aside. */
    private static String address(Process process) throws IOException {
        BufferedReader log = process.inputReader(UTF_8);
        StringBuilder said = new StringBuilder();
        for (String line = log.readLine(); line != null; line = log.readLine()) {
            said.append(line).append('\n');
            Matcher matcher = ADDRESS.matcher(line);
            if (matcher.find()) {
                Thread.ofVirtual().start(() -> log.lines().forEach(rest -> {}));
                return matcher.group(1);
            }
        }
        throw new IOException("the registry ended: " + said);
    }

    private void publish() throws InterruptedException {
        engine.client()
                .tagImageCmd(TestEngine.BUSYBOX, host + "/private/busybox", "1")
                .exec();
        engine.client()
                .pushImageCmd(image())
                .withAuthConfig(new AuthConfig()
                        .withRegistryAddress(host)
                        .withUsername(USER)
                        .withPassword(PASSWORD))
                .start()
                .awaitCompletion();
        forget();
    }

    /** Removes the engine's copy of the image. */
    void forget() {
        try {
            engine.client().removeImageCmd(image()).exec();
        } catch (NotFoundException absent) {
            // as it should be
        }
    }

    String host() {
        return host;
    }

    String image() {
        return host + "/private/busybox:1";
    }

    /** Returns the docker command's configuration after a login, without a credential helper. */
    String login(String user, String password) {
        String both = Base64.getEncoder().encodeToString((user + ":" + password).getBytes(UTF_8));
        return "{\"auths\": {\"" + host + "\": {\"auth\": \"" + both + "\"}}}";
    }

    @Override
    public void close() {
        forget();
        process.destroyForcibly().onExit().join();
    }
}
