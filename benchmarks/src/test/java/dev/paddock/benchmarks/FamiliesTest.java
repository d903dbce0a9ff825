package dev.paddock.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checks that single families are measured; their figures are not checked. */
@Tag("full")
@NullMarked
class FamiliesTest {

    @Test
    void programsAreMeasuredAtATerminal(@TempDir Path files) throws IOException {
        Path json = files.resolve("figures.json");
        Path terminal = files.resolve("terminal");
        Path launcher = Files.writeString(files.resolve("paddock"), "#!/bin/sh\ntest -t 0 && tty >" + terminal + "\n");
        assertThat(launcher.toFile().setExecutable(true)).isTrue();
        Main.run(Main.settings(
                "--rounds",
                "1",
                "--only",
                "terminal,host-release",
                "--release",
                launcher.toString(),
                "--json",
                json.toString()));
        JsonNode family = families(json).get(0);
        assertThat(family.get("rows").findValuesAsText("row")).containsExactly("host-release");
        assertThat(family.get("rows").get(0).get("ms, p50").asDouble()).isPositive();
        assertThat(terminal).content().startsWith("/dev/pts/");
    }

    @Test
    void featuresAndAuditRecordsAreMeasured(@TempDir Path files) throws IOException {
        Path json = files.resolve("figures.json");
        Path launcher = Files.writeString(files.resolve("paddock"), "#!/bin/sh\nexit 0\n");
        assertThat(launcher.toFile().setExecutable(true)).isTrue();
        Main.run(Main.settings(
                "--quick",
                "--rounds",
                "1",
                "--only",
                "features,audit,bwrap",
                "--release",
                launcher.toString(),
                "--json",
                json.toString()));
        JsonNode families = families(json);
        assertThat(families.get(0).get("rows").findValuesAsText("row")).containsExactly("bwrap-without", "bwrap-with");
        assertThat(families.get(0).get("rows").get(0).get("more, ms, p50").isNumber())
                .isFalse();
        assertThat(families.get(0).get("rows").get(1).get("more, ms, p50").isNumber())
                .isTrue();
        assertThat(families.get(1).get("rows").findValuesAsText("row")).containsExactly("append", "verify");
        assertThat(families.get(1).get("rows"))
                .allSatisfy(row ->
                        assertThat(row.get("records a second, p50").asDouble()).isPositive());
    }

    @Test
    void guestsAreMeasuredBesideOtherPrograms(@TempDir Path files) throws IOException {
        Path json = files.resolve("figures.json");
        Main.run(Main.settings("--rounds", "1", "--only", "guests", "--json", json.toString()));
        JsonNode family = families(json).get(0);
        assertThat(family.get("rows").findValuesAsText("row")).contains("guest-warm", "guest-cold", "guest-typescript");
        assertThat(family.get("rows"))
                .allSatisfy(row -> assertThat(row.get("ms, p50").asDouble()).isPositive());
        assertThat(family.get("rows").size() + family.get("notMeasured").size()).isEqualTo(5);
    }

    @Test
    void allowedHostsAreMeasuredBesideTheHost(@TempDir Path files) throws IOException {
        Path json = files.resolve("figures.json");
        Main.run(Main.settings("--quick", "--rounds", "1", "--only", "network,bwrap", "--json", json.toString()));
        JsonNode family = families(json).get(0);
        assertThat(family.get("rows").findValuesAsText("row"))
                .containsExactly("host", "bubblewrap, network off", "bubblewrap, allowed hosts");
        assertThat(family.get("rows").get(2).get("connection, µs").asDouble()).isPositive();
    }

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

    @Test
    void aHostIsMeasuredBesideSsh(@TempDir Path files) throws IOException {
        Path json = files.resolve("figures.json");
        Main.run(Main.settings("--rounds", "1", "--files", "50", "--only", "remote,ssh", "--json", json.toString()));
        JsonNode remote = families(json).get(0);
        List<String> rows = remote.get("rows").findValuesAsText("row");
        if (Files.isExecutable(Path.of("/usr/sbin/sshd"))) {
            assertThat(rows).contains("ssh-warm", "ssh-warm-program", "ssh-same", "ssh-many-program", "ssh-large");
            assertThat(remote.get("rows"))
                    .allSatisfy(row -> assertThat(row.get("ms, p50").asDouble()).isPositive());
        } else {
            assertThat(rows).isEmpty();
            assertThat(remote.get("notMeasured").get("ssh").asText()).contains("openssh-server");
        }
    }

    private static JsonNode families(Path json) throws IOException {
        return new ObjectMapper().readTree(json.toFile()).get("families");
    }
}
