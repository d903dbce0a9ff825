package dev.paddock.executor.docker.engine;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.github.dockerjava.transport.DockerHttpClient;
import dev.paddock.executor.remote.shell.CloseQuietly;
import java.io.Closeable;
import java.io.IOException;
import java.util.function.Consumer;

/** A streamed answer of the engine: JSON objects until the engine ends it or the caller closes it. */
public final class JsonStream implements Closeable {
    private final DockerHttpClient.Response response;

    JsonStream(DockerHttpClient.Response response) {
        this.response = response;
    }

    /**
     * Passes each object on, until the engine ends the answer or this is closed.
     *
     * @throws IOException if the connection fails, or is closed here
     */
    public void forEach(Consumer<JsonNode> receiver) throws IOException {
        ObjectMapper mapper = Engine.JSON;
        try (JsonParser parser = mapper.createParser(response.getBody())) {
            for (JsonNode next = mapper.readTree(parser); next != null; next = mapper.readTree(parser)) {
                receiver.accept(next);
            }
        }
    }

    @Override
    public void close() {
        CloseQuietly.close(response);
    }
}
