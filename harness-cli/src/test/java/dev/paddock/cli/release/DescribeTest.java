package dev.paddock.cli.release;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.paddock.cli.Cli;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** What the release's workflow adds to the files of both platforms: descriptions, sums and notes. */
@EnabledOnOs(OS.LINUX)
class DescribeTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final String URL = "https://example.org/v1.2.3";
    private static final String X64 = "paddock-1.2.3-linux-x64.tar.gz";
    private static final String ARM64 = "paddock-1.2.3-linux-arm64.tar.gz";

    @TempDir
    private Path directory;

    @BeforeEach
    void makeFiles() throws Exception {
        for (String name : List.of(X64, ARM64, "paddock-1.2.3-linux-x64-image.tar.gz", "paddock_1.2.3_amd64.deb")) {
            Files.writeString(directory.resolve(name), name);
        }
    }

    private Cli.Result describe() throws Exception {
        return ReleaseTest.run(ROOT.resolve("build/release/describe").toString(), directory.toString(), URL + "/");
    }

    /** Returns the sum of a file that contains its name. */
    private static String sum(String name) throws Exception {
        return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(name.getBytes(UTF_8)));
    }

    @Test
    void describesArchivesOfBothPlatforms() throws Exception {
        Cli.Result result = describe();
        assertThat(result.exitCode()).as("%s", result).isZero();

        JsonNode requests =
                new ObjectMapper().readTree(directory.resolve("sdkman.json").toFile());
        String formula = Files.readString(directory.resolve("paddock.rb"));
        assertThat(requests.findValuesAsText("platform")).containsExactlyInAnyOrder("LINUX_64", "LINUX_ARM64");
        for (JsonNode request : requests) {
            String archive = request.at("/platform").asText().equals("LINUX_64") ? X64 : ARM64;
            assertThat(request.at("/version").asText()).isEqualTo("1.2.3");
            assertThat(request.at("/url").asText()).isEqualTo(URL + "/" + archive);
            assertThat(request.at("/checksums/SHA-256").asText()).isEqualTo(sum(archive));
            assertThat(formula).contains("url \"" + URL + "/" + archive + "\"\n    sha256 \"" + sum(archive) + "\"");
        }

        Cli.Result checked =
                ReleaseTest.run("sh", "-ec", "cd \"$0\"; sha256sum --check --quiet SHA256SUMS", directory.toString());
        assertThat(checked.exitCode()).as("%s", checked).isZero();
        assertThat(Files.readAllLines(directory.resolve("SHA256SUMS"))).hasSize(6);
    }

    @Test
    void refusesOnePlatformAlone() throws Exception {
        Files.delete(directory.resolve(ARM64));
        Cli.Result result = describe();
        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.stderr()).contains("lacks " + ARM64);
    }

    /** The workflow's own line. */
    @Test
    void notesAreEntryOfChangelog() throws Exception {
        String line = Files.readAllLines(ROOT.resolve(".github/workflows/release.yml")).stream()
                .map(String::strip)
                .filter(text -> text.startsWith("awk "))
                .findFirst()
                .orElseThrow();
        Files.writeString(
                directory.resolve("CHANGELOG.md"),
                "# Changelog\n\n## 1.3.0, unreleased\n\n* Later.\n\n## 1.2.3, 2026-11-30\n\n* This.\n\n## 1.2.2, 2026-10-01\n");
        ProcessBuilder bash = new ProcessBuilder("bash", "-euc", line).directory(directory.toFile());
        bash.environment().put("GITHUB_REF_NAME", "v1.2.3");
        Cli.Result result = Cli.finish(bash.start());
        assertThat(result.exitCode()).as("%s", result).isZero();
        assertThat(directory.resolve("notes.md")).content().isEqualToIgnoringWhitespace("* This.");
    }
}
