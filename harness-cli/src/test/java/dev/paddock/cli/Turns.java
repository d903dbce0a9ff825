package dev.paddock.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Makes the turns of scripted models, and reads the JSON events of their sessions. */
public final class Turns {
    public static final String DONE = "{\"text\": \"Done.\"}";

    private static final ObjectMapper JSON = new ObjectMapper();

    private Turns() {}

    /** Writes a file for {@code --script}. */
    public static String script(Path directory, String... turns) throws IOException {
        Path file = Files.createTempFile(directory, "script", ".json");
        return Files.writeString(file, "{\"turns\": [" + String.join(",", turns) + "]}")
                .toString();
    }

    public static String bash(String command) throws IOException {
        return "{\"text\": \"I look.\\n\", \"calls\": [{\"tool\": \"bash\", \"arguments\": {\"command\": "
                + JSON.writeValueAsString(command) + "}}]}";
    }

    /** Makes a turn that runs a command in another directory. */
    public static String bash(String command, String cwd) throws IOException {
        return bash(command).replace("{\"command\"", "{\"cwd\": " + JSON.writeValueAsString(cwd) + ", \"command\"");
    }

    /** Parses the lines of {@code --json}, each of which has to be JSON. */
    public static List<JsonNode> events(String output) throws JsonProcessingException {
        List<JsonNode> events = new ArrayList<>();
        for (String line : output.lines().toList()) {
            events.add(JSON.readTree(line));
        }
        return events;
    }

    public static JsonNode event(List<JsonNode> events, String kind) {
        return events.stream()
                .filter(event -> event.path("event").asText().equals(kind))
                .findFirst()
                .orElseThrow(() -> new AssertionError(kind + " in " + events));
    }
}
