package dev.paddock.executor.docker.engine;

import com.github.dockerjava.core.DefaultDockerClientConfig;
import com.github.dockerjava.core.DockerContextMetaFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * The directory with the keys of a TLS connection to the engine: {@code ca.pem}, {@code cert.pem} and {@code key.pem}.
 * Reads them with the JDK alone; docker-java's own reader needs 10 MiB of libraries.
 */
record EngineKeys(Path directory) {
    private static final char[] PASSWORD = new char[0];

    /**
     * Returns the keys that docker's client would use: those of DOCKER_CERT_PATH if DOCKER_TLS_VERIFY is set, otherwise
     * those of the current context, if the engine's address comes from it.
     *
     * @param config docker-java's configuration
     * @param explicitHost whether the address was given, and comes from no context
     * @param environment the variables
     * @return empty for a connection without TLS
     */
    static Optional<EngineKeys> of(
            DefaultDockerClientConfig config, boolean explicitHost, Map<String, String> environment) {
        if (isTrue(environment.getOrDefault(DefaultDockerClientConfig.DOCKER_TLS_VERIFY, ""))) {
            String named = environment.get(DefaultDockerClientConfig.DOCKER_CERT_PATH);
            return Optional.of(new EngineKeys(named == null ? configuration(config) : Path.of(named)));
        }
        return explicitHost ? Optional.empty() : ofContext(config, environment);
    }

    private static boolean isTrue(String value) {
        return value.equals("1") || value.equalsIgnoreCase("true");
    }

    private static Optional<EngineKeys> ofContext(DefaultDockerClientConfig config, Map<String, String> environment) {
        return Optional.ofNullable(environment.getOrDefault(
                        DefaultDockerClientConfig.DOCKER_CONTEXT,
                        config.getDockerConfig().getCurrentContext()))
                .flatMap(context -> DockerContextMetaFile.resolveContextTLSFile(
                        configuration(config).toFile(), context))
                .map(file -> new EngineKeys(file.toPath()));
    }

    private static Path configuration(DefaultDockerClientConfig config) {
        String path = config.getDockerConfigPath();
        return path == null ? Path.of(System.getProperty("user.home", ""), ".docker") : Path.of(path);
    }

    /**
     * Reads the keys.
     *
     * @throws IllegalArgumentException if one of them cannot be read; the message names it
     */
    SSLContext context() {
        try {
            KeyManagerFactory own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            own.init(keyStore(), PASSWORD);
            TrustManagerFactory trusted = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trusted.init(trustStore());
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(own.getKeyManagers(), trusted.getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException | IOException fault) {
            throw new IllegalArgumentException(
                    "the keys for the engine's TLS connection in '" + directory + "' cannot be read: " + fault
                            + "; let DOCKER_CERT_PATH name a directory with ca.pem, cert.pem and key.pem",
                    fault);
        }
    }

    private KeyStore keyStore() throws GeneralSecurityException, IOException {
        KeyStore store = emptyStore();
        Certificate[] chain = certificates("cert.pem").toArray(Certificate[]::new);
        store.setKeyEntry("docker", PrivateKeyFile.read(directory.resolve("key.pem")), PASSWORD, chain);
        return store;
    }

    private KeyStore trustStore() throws GeneralSecurityException, IOException {
        KeyStore store = emptyStore();
        int number = 0;
        for (Certificate authority : certificates("ca.pem")) {
            store.setCertificateEntry("ca-" + number++, authority);
        }
        return store;
    }

    private static KeyStore emptyStore() throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, PASSWORD);
        return store;
    }

    private Collection<? extends Certificate> certificates(String file) throws GeneralSecurityException, IOException {
        try (InputStream input = Files.newInputStream(directory.resolve(file))) {
            return CertificateFactory.getInstance("X.509").generateCertificates(input);
        }
    }
}
