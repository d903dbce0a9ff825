package dev.paddock.executor.docker.engine;

import com.github.dockerjava.core.DockerClientConfig;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/** The address at which the engine listens: a unix socket, TCP, or TLS. */
sealed interface EngineAddress {

    /** The timeout for connecting. A unix socket answers at once or not at all. */
    Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);

    EngineConnection connect() throws IOException;

    String host();

    String text();

    /**
     * Returns the address that docker-java's configuration names.
     *
     * @param keys the keys of a TLS connection; empty for a plain one
     * @throws IllegalArgumentException for a scheme that is none of these, or keys that cannot be
     *     read
     */
    static EngineAddress of(DockerClientConfig config, Optional<EngineKeys> keys) {
        URI uri = config.getDockerHost();
        return switch (String.valueOf(uri.getScheme())) {
            case "unix" -> new Unix(Path.of(uri.getPath()));
            case "tcp", "http", "https" ->
                new Tcp(uri, keys.map(EngineKeys::context).orElse(null));
            default ->
                throw new IllegalArgumentException("the engine's address is neither unix:// nor tcp://: '" + uri + "'");
        };
    }

    record Unix(Path path) implements EngineAddress {
        @Override
        public EngineConnection connect() throws IOException {
            return EngineConnection.unix(UnixDomainSocketAddress.of(path));
        }

        @Override
        public String host() {
            return "docker";
        }

        @Override
        public String text() {
            return "unix://" + path;
        }
    }

    /** TCP, with TLS if there is a context for it. */
    record Tcp(URI uri, @Nullable SSLContext tls) implements EngineAddress {
        private static final int PLAIN_PORT = 2375;
        private static final int TLS_PORT = 2376;

        @Override
        public EngineConnection connect() throws IOException {
            int port = uri.getPort() >= 0 ? uri.getPort() : tls == null ? PLAIN_PORT : TLS_PORT;
            Socket socket = new Socket();
            try {
                socket.connect(new InetSocketAddress(uri.getHost(), port), (int) CONNECT_TIMEOUT.toMillis());
                socket.setTcpNoDelay(true);
                socket.setKeepAlive(true);
                return EngineConnection.of(tls == null ? socket : encrypted(tls, socket, port));
            } catch (IOException fault) {
                socket.close();
                throw fault;
            }
        }

        private Socket encrypted(SSLContext context, Socket socket, int port) throws IOException {
            SSLSocket secure = (SSLSocket) context.getSocketFactory().createSocket(socket, uri.getHost(), port, true);
            SSLParameters parameters = secure.getSSLParameters();
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
            secure.setSSLParameters(parameters);
            secure.setSoTimeout((int) CONNECT_TIMEOUT.toMillis());
            secure.startHandshake();
            secure.setSoTimeout(0);
            return secure;
        }

        @Override
        public String host() {
            return uri.getHost();
        }

        @Override
        public String text() {
            return uri.toString();
        }
    }
}
