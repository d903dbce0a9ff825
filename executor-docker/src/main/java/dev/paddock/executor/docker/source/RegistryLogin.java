package dev.paddock.executor.docker.source;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.github.dockerjava.api.model.AuthConfig;
import com.github.dockerjava.core.DefaultDockerClientConfig;
import dev.paddock.executor.process.launch.HelperCommand;
import dev.paddock.executor.process.launch.HostEnvironment;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Holds the login of an image's registry that {@code docker login} stored in the docker command's configuration, or
 * with the credential helper that it names.
 *
 * @param registry the registry, as the stored logins name it
 * @param credentials the registry's login; empty if none is stored
 */
record RegistryLogin(String registry, Optional<AuthConfig> credentials) {
    /** The name of a login at Docker Hub. */
    private static final String DOCKER_HUB = AuthConfig.DEFAULT_SERVER_ADDRESS;

    private static final List<String> HUB_NAMES = List.of("docker.io", "index.docker.io", "registry-1.docker.io");

    /** A helper may ask the system's key ring, or a cloud's service. */
    private static final Duration HELPER_BOUND = Duration.ofSeconds(30);

    /** Rejects a helper name that contains a path. */
    private static final Pattern HELPER_NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]*");

    /** Replaces the user name if the secret is an identity token. */
    private static final String TOKEN_USER = "<token>";

    private static final String NOT_FOUND = "credentials not found";

    /**
     * Finds the login of an image's registry.
     *
     * @param config docker-java's, which names the docker command's directory
     * @throws IOException if the configuration or the helper's answer cannot be read; the message says which
     */
    static RegistryLogin of(DefaultDockerClientConfig config, String image) throws IOException {
        String registry = registryOf(image);
        String directory = config.getDockerConfigPath();
        Optional<String> helper =
                directory == null ? Optional.empty() : helper(Path.of(directory, "config.json"), registry);
        return new RegistryLogin(
                registry,
                helper.isPresent()
                        ? ask(helper.get(), registry)
                        : Optional.ofNullable(config.getDockerConfig().resolveAuthConfig(registry))
                                .filter(RegistryLogin::isComplete));
    }

    /** Returns the registry that an image's name begins with; Docker Hub's images have none. */
    static String registryOf(String image) {
        int slash = image.indexOf('/');
        String first = slash < 0 ? "" : image.substring(0, slash);
        boolean isHost = first.contains(".") || first.contains(":") || first.equals("localhost");
        return !isHost || HUB_NAMES.contains(first) ? DOCKER_HUB : first;
    }

    /** An entry without a secret only shows that a helper has one. */
    private static boolean isComplete(AuthConfig stored) {
        return stored.getUsername() != null || stored.getIdentitytoken() != null || stored.getRegistrytoken() != null;
    }

    /** Returns the name of the helper for a registry: its own, or that of all registries. */
    private static Optional<String> helper(Path file, String registry) throws IOException {
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        JsonNode config = new ObjectMapper().readTree(Files.readString(file));
        String own = config.path("credHelpers").path(registry).asText("");
        String name = own.isEmpty() ? config.path("credsStore").asText("") : own;
        if (!name.isEmpty() && !HELPER_NAME.matcher(name).matches()) {
            throw new IOException(file + " names a credential helper that is no program's name: '" + name + "'");
        }
        return Optional.of(name).filter(text -> !text.isEmpty());
    }

    private static Optional<AuthConfig> ask(String helper, String registry) throws IOException {
        String program = "docker-credential-" + helper;
        HelperCommand.Result answer = HelperCommand.filter(
                List.of(program, "get"),
                HostEnvironment.all(),
                HELPER_BOUND,
                registry.getBytes(StandardCharsets.UTF_8));
        if (!answer.succeeded()) {
            if (answer.output().contains(NOT_FOUND)) {
                return Optional.empty();
            }
            throw new IOException("the credential helper " + program + " failed"
                    + answer.exitCode().map(code -> " with " + code).orElse("") + ": "
                    + answer.output().strip());
        }
        JsonNode found;
        try {
            found = new ObjectMapper().readTree(answer.output());
        } catch (JsonProcessingException malformed) {
            // Neither its message nor a cause, which quote the secret.
            throw new IOException("the credential helper " + program + " did not answer in JSON");
        }
        String user = found.path("Username").asText("");
        String secret = found.path("Secret").asText("");
        if (secret.isEmpty()) {
            return Optional.empty();
        }
        AuthConfig credentials = new AuthConfig().withRegistryAddress(registry);
        return Optional.of(
                user.equals(TOKEN_USER)
                        ? credentials.withIdentityToken(secret)
                        : credentials.withUsername(user).withPassword(secret));
    }

    /** Returns the remedy if the registry refuses this login, or refuses to serve without one. */
    String remedy() {
        String command = registry.equals(DOCKER_HUB) ? "docker login" : "docker login " + registry;
        if (credentials.isEmpty()) {
            return "Check its name; if it is private, log in first: " + command;
        }
        String user = credentials.get().getUsername();
        return "Check its name; the stored login" + (user == null ? "" : " of '" + user + "'")
                + " may lack the right to it, or have expired: " + command;
    }
}
