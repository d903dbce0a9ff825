package dev.paddock.executor.docker.engine;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;

/** Creates execs with a terminal; docker-java's command for it cannot override the detach keys. */
final class TerminalExec {
    private static final int HTTP_CREATED = 201;
    private static final int MAX_ANSWER = 64 << 10;
    private static final int DETACH_KEYS = 16;
    private static final int LETTERS = 26;
    private static final SecureRandom RANDOM = new SecureRandom();

    private TerminalExec() {}

    static String create(EngineAddress address, String container, String user, List<String> argv) throws IOException {
        String path = "/containers/" + container + "/exec";
        EngineConnection connection = address.connect();
        EngineTransport.Watchdog watchdog = EngineTransport.Watchdog.over(connection, EngineTransport.CALL_TIMEOUT);
        try {
            HttpCall call = HttpCall.send(
                    connection,
                    address.host(),
                    "POST",
                    path,
                    Map.of("Content-Type", "application/json"),
                    request(user, argv).toString().getBytes(StandardCharsets.UTF_8),
                    false);
            byte[] answer = call.body().readNBytes(MAX_ANSWER);
            if (call.status() != HTTP_CREATED) {
                throw new HijackedConnection.EngineRefusal(
                        call.status(), Engine.message(new String(answer, StandardCharsets.UTF_8)));
            }
            return new ObjectMapper().readTree(answer).path("Id").asText();
        } catch (IOException fault) {
            throw watchdog.explain(fault, "POST " + path, EngineTransport.CALL_TIMEOUT);
        } finally {
            watchdog.stop();
            connection.close();
        }
    }

    private static ObjectNode request(String user, List<String> argv) {
        ObjectNode request = JsonNodeFactory.instance
                .objectNode()
                .put("AttachStdin", true)
                .put("AttachStdout", true)
                .put("AttachStderr", true)
                .put("Tty", true)
                .put("DetachKeys", detachKeys())
                .put("WorkingDir", "/");
        if (!user.isEmpty()) {
            request.put("User", user);
        }
        argv.forEach(request.putArray("Cmd")::add);
        return request;
    }

    /**
     * Returns a detach sequence that nobody types. An engine withholds each key that may begin the sequence until the
     * next one arrives, by default {@code ^P}, and detaches at its end. Its keys must be ASCII, so one is withheld:
     * NUL, which a terminal sends for Ctrl-Space, and which hardly any program answers alone.
     */
    private static String detachKeys() {
        StringBuilder keys = new StringBuilder("ctrl-@");
        for (int count = 1; count < DETACH_KEYS; count++) {
            keys.append(',').append((char) ('a' + RANDOM.nextInt(LETTERS)));
        }
        return keys.toString();
    }
}
