package dev.paddock.harness.guest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.paddock.executor.tck.subject.Prerequisite;
import dev.paddock.harness.bindings.AgentContainer;
import dev.paddock.harness.guest.session.GuestSession;
import dev.paddock.harness.tools.text.JsonNodes;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** URLs of a guest in QuickJS, compared with those of Node. */
class GuestUrlTest {
    private static final GuestOptions OPTIONS =
            GuestOptions.standard().backend("bwrap", Map.of("warmSlots", "0")).timeout(Duration.ofSeconds(60));

    @TempDir
    private Path directory;

    private static String table() throws Exception {
        try (InputStream in = Optional.ofNullable(GuestUrlTest.class.getResourceAsStream("urls.js"))
                .orElseThrow()) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private JsonNode ofNode(String table) throws Exception {
        Path script =
                Files.writeString(directory.resolve("table.cjs"), "console.log(JSON.stringify((" + table + ")()));\n");
        Process node = new ProcessBuilder("node", script.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        JsonNode answers = new ObjectMapper().readTree(node.getInputStream());
        assertThat(node.waitFor()).isZero();
        return answers;
    }

    @Test
    void urlsAndParametersAreThoseOfNode() throws Exception {
        Prerequisite.require(
                Files.isExecutable(Path.of("/usr/bin/node")) || Files.isExecutable(Path.of("/usr/local/bin/node")),
                "no program node");
        String table = table();
        JsonNode expected = ofNode(table);
        assertThat(expected.size()).isGreaterThan(1000);
        Path root = Files.createDirectory(directory.toRealPath().resolve("project"));
        try (AgentContainer container = AgentContainer.builder(root).build();
                GuestSession guests = GuestSession.open(container, OPTIONS)) {
            JsonNode found =
                    JsonNodes.node(guests.run(GuestCode.js("export const run =\n" + table.stripTrailing() + ";\n"))
                            .result());
            expected.properties()
                    .forEach(answer -> assertThat(found.path(answer.getKey()))
                            .as(answer.getKey())
                            .isEqualTo(answer.getValue()));
            assertThat(found).hasSameSizeAs(expected);
        }
    }
}
