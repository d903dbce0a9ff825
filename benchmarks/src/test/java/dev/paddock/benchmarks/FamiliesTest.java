package dev.paddock.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checks that single families are measured; their figures are not checked. */
@Tag("full")
@NullMarked
class FamiliesTest {

    @Test
    void workspacesAreMeasuredBesideOtherPrograms(@TempDir Path files) throws IOException {
        Path json = files.resolve("figures.json");
        Main.run(Main.settings(
                "--rounds", "1", "--files", "200", "--only", "workspaces,host", "--json", json.toString()));
        JsonNode family = families(json).get(0);
        assertThat(family.get("rows").findValuesAsText("row"))
                .contains("host", "host-executor", "branch", "branch-cp", "large", "large-cp")
                .contains("first", "first-git", "unchanged", "unchanged-jvm", "unchanged-git")
                .contains("changes", "changes-git", "restore", "restore-git");
        assertThat(family.get("rows"))
                .allSatisfy(row -> assertThat(row.get("ms, p50").asDouble()).isPositive());
        assertThat(family.get("rows").findValuesAsText("÷ git")).anyMatch(ratio -> !ratio.equals("not measured"));
    }

    private static JsonNode families(Path json) throws IOException {
        return new ObjectMapper().readTree(json.toFile()).get("families");
    }
}
