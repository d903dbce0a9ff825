package dev.paddock.harness.tools.files;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.paddock.harness.tools.output.ScreenText;
import java.io.IOException;
import java.util.Optional;

/**
 * A Jupyter notebook as text: its cells in order, each with its output.
 *
 * @param text the cells
 * @param cells how many there are
 */
record Notebook(String text, int cells) {
    static final String SUFFIX = ".ipynb";

    /** Bounds memory: a cell of two characters in the file takes a hundred bytes, and a line of the text. */
    private static final long MAX_TOKENS = 1_000_000;

    private static final ObjectMapper JSON = new ObjectMapper(JsonFactory.builder()
            .streamReadConstraints(
                    StreamReadConstraints.builder().maxTokenCount(MAX_TOKENS).build())
            .build());

    /**
     * Returns the notebook in a file; empty if the file is not one, or has more than {@value
     * #MAX_TOKENS} JSON tokens.
     */
    static Optional<Notebook> of(byte[] file) {
        try {
            JsonNode cells = JSON.readTree(file).path("cells");
            if (!cells.isArray()) {
                return Optional.empty();
            }
            StringBuilder text = new StringBuilder();
            int number = 0;
            for (JsonNode cell : cells) {
                number++;
                add(text, number, cell);
            }
            return Optional.of(new Notebook(text.toString(), number));
        } catch (JsonProcessingException notJson) {
            return Optional.empty();
        } catch (IOException impossible) {
            throw new IllegalStateException("cannot read bytes in memory", impossible);
        }
    }

    private static void add(StringBuilder text, int number, JsonNode cell) {
        text.append("[Cell ")
                .append(number)
                .append(": ")
                .append(cell.path("cell_type").asText("unknown"))
                .append("]\n");
        lines(text, joined(cell.path("source")));
        for (JsonNode output : cell.path("outputs")) {
            text.append("[Output of cell ").append(number).append("]\n");
            lines(text, output(output));
        }
    }

    private static void lines(StringBuilder text, String lines) {
        text.append(lines).append(lines.isEmpty() || lines.endsWith("\n") ? "" : "\n");
    }

    private static String output(JsonNode output) {
        if (output.path("output_type").asText().equals("error")) {
            String trace = joined(output.path("traceback"), "\n");
            String error =
                    output.path("ename").asText() + ": " + output.path("evalue").asText();
            return ScreenText.of(trace.isEmpty() ? error : trace);
        }
        if (output.has("text")) {
            return ScreenText.of(joined(output.path("text")));
        }
        StringBuilder text = new StringBuilder();
        JsonNode data = output.path("data");
        lines(text, ScreenText.of(joined(data.path("text/plain"))));
        data.fieldNames().forEachRemaining(type -> {
            if (!type.equals("text/plain")) {
                text.append("(").append(type).append(", which is not shown)\n");
            }
        });
        return text.toString();
    }

    private static String joined(JsonNode text) {
        return joined(text, "");
    }

    /** Joins a text, which the format stores as one string or as a list of lines. */
    private static String joined(JsonNode text, String between) {
        if (!text.isArray()) {
            return text.asText();
        }
        StringBuilder joined = new StringBuilder();
        for (JsonNode line : text) {
            joined.append(joined.isEmpty() ? "" : between).append(line.asText());
        }
        return joined.toString();
    }
}
