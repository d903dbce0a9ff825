package dev.paddock.executor.docker;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.paddock.executor.docker.engine.Engine;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PushbackInputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;

/**
 * Serves a registry with one image: as much of the protocol as an engine needs to pull it. An
 * engine accepts a registry on the loopback without TLS.
 */
final class TestRegistry implements AutoCloseable {
    private static final String MANIFEST = "application/vnd.docker.distribution.manifest.v2+json";
    private static final String LAYER = "application/vnd.docker.image.rootfs.diff.tar";
    private static final int LAYER_BYTES = 2 << 20;
    private static final String NAME = "paddock-test/pulled";

    /**
     * The first byte of a TLS connection: an engine tries TLS first, and waits 10 s for an answer.
     */
    private static final int HANDSHAKE = 0x16;

    private final ServerSocket server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Map<String, byte[]> blobs = new HashMap<>();
    private final byte[] manifest;
    private final String layer;
    private final CountDownLatch rest = new CountDownLatch(1);

    private TestRegistry(byte[] config, byte[] base, byte[] layer) throws Exception {
        this.layer = digest(layer);
        this.manifest = """
            {"schemaVersion": 2, "mediaType": "%s", "config": %s, "layers": [%s, %s]}
            """.formatted(
                        MANIFEST,
                        entry("application/vnd.docker.container.image.v1+json", config),
                        entry(LAYER, base),
                        entry(LAYER, layer))
                .getBytes(UTF_8);
        this.server = new ServerSocket(0, 16, InetAddress.getLoopbackAddress());
        threads.execute(this::listen);
    }

    /**
     * Serves an image of two layers: the one layer of an image that an engine has, and over it
     * another layer that no engine has. Only half of the latter is sent until {@link #sendRest} is
     * called.
     */
    static TestRegistry serving(Engine engine, String image) throws Exception {
        Map<String, byte[]> saved = new HashMap<>();
        try (InputStream tar = engine.client().saveImageCmd(image).exec();
                TarArchiveInputStream entries = new TarArchiveInputStream(tar)) {
            for (TarArchiveEntry entry = entries.getNextEntry(); entry != null; entry = entries.getNextEntry()) {
                saved.put(entry.getName(), entries.readAllBytes());
            }
        }
        ObjectMapper mapper = new ObjectMapper();
        JsonNode index = mapper.readTree(saved.get("manifest.json")).get(0);
        JsonNode config = mapper.readTree(saved.get(index.get("Config").asText()));
        byte[] layer = randomLayer();
        ((ArrayNode) config.at("/rootfs/diff_ids")).add(digest(layer));
        return new TestRegistry(
                mapper.writeValueAsBytes(config),
                Objects.requireNonNull(saved.get(index.get("Layers").get(0).asText())),
                layer);
    }

    private String entry(String type, byte[] blob) throws Exception {
        return "{\"mediaType\": \"%s\", \"size\": %d, \"digest\": \"%s\"}".formatted(type, blob.length, put(blob));
    }

    private static byte[] randomLayer() throws IOException {
        byte[] content = new byte[LAYER_BYTES];
        new SecureRandom().nextBytes(content);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (TarArchiveOutputStream tar = new TarArchiveOutputStream(bytes)) {
            TarArchiveEntry entry = new TarArchiveEntry("random");
            entry.setSize(content.length);
            tar.putArchiveEntry(entry);
            tar.write(content);
            tar.closeArchiveEntry();
        }
        return bytes.toByteArray();
    }

    private static String digest(byte[] blob) throws Exception {
        return "sha256:"
                + HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(blob));
    }

    private String put(byte[] blob) throws Exception {
        String digest = digest(blob);
        blobs.put(digest, blob);
        return digest;
    }

    private String host() {
        return "127.0.0.1:" + server.getLocalPort();
    }

    /** Returns the name of the image that exists. */
    String image() {
        return host() + "/" + NAME + ":1";
    }

    /** Returns the name of an image for which the registry answers with a status instead. */
    String refusing(int status) {
        return host() + "/status/" + status + ":1";
    }

    /** Allows the second half of the layer to be sent. */
    void sendRest() {
        rest.countDown();
    }

    private void listen() {
        while (!server.isClosed()) {
            try {
                Socket caller = server.accept();
                threads.execute(() -> serve(caller));
            } catch (IOException closed) {
                return;
            }
        }
    }

    private void serve(Socket caller) {
        try (caller) {
            PushbackInputStream input = new PushbackInputStream(caller.getInputStream());
            int first = input.read();
            if (first < 0 || first == HANDSHAKE) {
                return;
            }
            input.unread(first);
            BufferedReader head = new BufferedReader(new InputStreamReader(input, ISO_8859_1));
            String[] request = head.readLine().split(" ", -1);
            while (!head.readLine().isEmpty()) {
                // The headers are irrelevant.
            }
            answer(caller.getOutputStream(), request[0].equals("HEAD"), request[1]);
        } catch (IOException gone) {
            // The engine has closed the connection, as an aborted pull does.
        } catch (InterruptedException closing) {
            Thread.currentThread().interrupt();
        }
    }

    private void answer(OutputStream out, boolean headOnly, String path) throws IOException, InterruptedException {
        if (path.equals("/v2/")) {
            send(out, headOnly, 200, "application/json", "{}".getBytes(UTF_8));
        } else if (path.startsWith("/v2/" + NAME + "/manifests/")) {
            send(out, headOnly, 200, MANIFEST, manifest);
        } else if (path.startsWith("/v2/" + NAME + "/blobs/")) {
            String digest = path.substring(path.lastIndexOf('/') + 1);
            byte[] blob = blobs.getOrDefault(digest, new byte[0]);
            int at = headOnly || !digest.equals(layer) ? blob.length : blob.length / 2;
            send(out, headOnly, 200, "application/octet-stream", Arrays.copyOf(blob, at), blob.length);
            if (at < blob.length && rest.await(120, TimeUnit.SECONDS)) {
                out.write(blob, at, blob.length - at);
            }
        } else {
            int status = Integer.parseInt(path.split("/", -1)[3]);
            send(out, headOnly, status, "application/json", error(status).getBytes(UTF_8));
        }
    }

    private static String error(int status) {
        String code = switch (status) {
            case 401 -> "UNAUTHORIZED";
            case 403 -> "DENIED";
            case 404 -> "MANIFEST_UNKNOWN";
            case 429 -> "TOOMANYREQUESTS";
            default -> "UNKNOWN";
        };
        return "{\"errors\": [{\"code\": \"" + code + "\", \"message\": \"status " + status + "\"}]}";
    }

    private static void send(OutputStream out, boolean headOnly, int status, String type, byte[] body)
            throws IOException {
        send(out, headOnly, status, type, body, body.length);
    }

    private static void send(OutputStream out, boolean headOnly, int status, String type, byte[] body, int length)
            throws IOException {
        String head = "HTTP/1.1 " + status + " ProcStatus\r\nContent-Type: " + type + "\r\nContent-Length: " + length
                + "\r\nDocker-Distribution-Api-Version: registry/2.0\r\nConnection: close\r\n\r\n";
        out.write(head.getBytes(ISO_8859_1));
        if (!headOnly) {
            out.write(body);
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
        threads.shutdownNow();
    }
}
