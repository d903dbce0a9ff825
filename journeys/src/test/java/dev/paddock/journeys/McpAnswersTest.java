package dev.paddock.journeys;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** What an agent reads in the results of {@code paddock mcp}, with the programs and files of projects. */
@EnabledOnOs(OS.LINUX)
class McpAnswersTest {
    @TempDir
    private Path root;

    private Path project = Path.of("project");
    private Paddock paddock = Paddock.in(project, project);

    @SuppressWarnings("NullAway.Init") // set before each test
    private McpClient client;

    @BeforeEach
    void create() throws Exception {
        Programs.require("git");
        Path real = root.toRealPath();
        project = Files.createDirectory(real.resolve("project"));
        paddock = Paddock.in(project, Files.createDirectory(real.resolve("home")));
        paddock.host("git init -q");
        client = McpClient.start(paddock, "--executor", "bwrap");
    }

    @AfterEach
    void end() throws Exception {
        client.close();
    }

    private void commit() throws Exception {
        paddock.host("git add . && git -c user.name=a -c user.email=a@example.org commit -qm first");
    }

    @Test
    void backgroundShellIsAwaitedAndItsEndTold() throws Exception {
        String build = "echo compiling; until [ -e go ]; do sleep 0.05; done; echo 2 tests failed; exit 3";
        assertThat(client.call("bash", Map.of("command", build, "run_in_background", true)))
                .contains("bash_1");
        assertThat(client.call("bash_output", Map.of("shell_id", "bash_1", "until", "compil")))
                .startsWith("compiling\n")
                .contains("running");
        Files.createFile(project.resolve("go"));
        JsonNode told = client.notification("notifications/message");
        assertThat(told.path("data").asText()).contains("bash_1", "has ended", "exit code 3");
        assertThat(client.call("bash_output", Map.of("shell_id", "bash_1", "wait_seconds", 60)))
                .startsWith("2 tests failed\n")
                .contains("exited with code 3");
    }

    /** Without an image library, as plots are made by hand; a PDF takes a program in the sandbox. */
    @Test
    void imageNotebookAndDocumentAreRead() throws Exception {
        Programs.require("python3");
        assertThat(client.bash("""
                python3 - <<'END'
                import struct, zlib
                def chunk(kind, data):
                    return struct.pack('>I', len(data)) + kind + data + struct.pack('>I', zlib.crc32(kind + data))
                rows = b''.join(b'\\0' + b'\\x10\\x80\\xff' * 64 for row in range(48))
                with open('plot.png', 'wb') as plot:
                    plot.write(b'\\x89PNG\\r\\n\\x1a\\n')
                    plot.write(chunk(b'IHDR', struct.pack('>IIBBBBB', 64, 48, 8, 2, 0, 0, 0)))
                    plot.write(chunk(b'IDAT', zlib.compress(rows)))
                    plot.write(chunk(b'IEND', b''))
                END""")).doesNotStartWith("failed");
        JsonNode image = client.content("read", Map.of("path", "plot.png"));
        assertThat(image.path(0).path("text").asText()).contains("64 × 48 pixels");
        assertThat(image.path(1).path("mimeType").asText()).isEqualTo("image/png");
        assertThat(image.path(1).path("data").binaryValue()).isEqualTo(Files.readAllBytes(project.resolve("plot.png")));

        Files.writeString(project.resolve("a.ipynb"), """
                {"cells": [{"cell_type": "code", "source": ["print(6 * 7)"],
                "outputs": [{"output_type": "stream", "text": ["42\\n"]}]}], "nbformat": 4, "nbformat_minor": 5}""");
        assertThat(client.call("read", Map.of("path", "a.ipynb")))
                .contains("[Cell 1: code]", "print(6 * 7)", "[Output of cell 1]", "42")
                .doesNotContain("cell_type");

        Files.writeString(project.resolve("a.pdf"), "%PDF-1.4\n%\u00e2\u00e3\n");
        assertThat(client.call("read", Map.of("path", "a.pdf")))
                .startsWith("failed")
                .contains("pdftotext -layout -f 1 -l 3 FILE -");
    }

    @Test
    void editOfFileThatIsNotUtf8ChangesOneLine() throws Exception {
        String text = "first line\nGröße und Maße: Übergang für Äpfel\nlast line\n";
        Path latin = Files.write(project.resolve("latin.txt"), text.getBytes(StandardCharsets.ISO_8859_1));
        Path wide = Files.write(project.resolve("wide.txt"), ("\ufeff" + text).getBytes(StandardCharsets.UTF_16LE));
        Files.writeString(
                project.resolve(".gitattributes"), "wide.txt text working-tree-encoding=UTF-16LE-BOM eol=lf\n");
        commit();
        for (String name : new String[] {"latin.txt", "wide.txt"}) {
            Map<String, ?> change = Map.of("path", name, "old_string", "für Äpfel", "new_string", "für Möhren");
            assertThat(client.call("edit", change)).startsWith("Edited " + name + " at line 2, in ");
            assertThat(client.bash("git diff --numstat " + name)).startsWith("1\t1\t" + name + "\n");
        }
        String changed = text.replace("Äpfel", "Möhren");
        assertThat(Files.readAllBytes(latin)).isEqualTo(changed.getBytes(StandardCharsets.ISO_8859_1));
        assertThat(Files.readAllBytes(wide)).isEqualTo(("\ufeff" + changed).getBytes(StandardCharsets.UTF_16LE));
    }

    @Test
    void outputHasNeitherColorsNorStatesOfProgressLine() throws Exception {
        Files.writeString(project.resolve("a"), "before\n");
        commit();
        Files.writeString(project.resolve("a"), "after\n");
        String colored = "git diff --color=always; for n in 25 50 100; do printf '\\r%s %%' $n; done; echo";
        String clean = client.bash(colored);
        assertThat(clean).contains("\n-before\n+after\n", "\n100 %\n").doesNotContain("\u001b", "\r", "25 %");
        assertThat(client.call("bash", Map.of("command", colored, "raw", true)))
                .contains("\u001b[31m-before\u001b[m", "\r25 %\r50 %\r100 %");
    }

    @Test
    void resultHasAsManyCharactersAsUserAndCallWant() throws Exception {
        assertThat(client.bash("seq -f %060g 5000")).hasSizeBetween(28_000, 31_000);
        client.close();
        client = McpClient.start(paddock, "--executor", "bwrap", "--max-output", "200");
        assertThat(client.bash("seq 1000"))
                .startsWith("1\n2\n")
                .contains("[The middle is left out, of 1000 lines")
                .endsWith("\n1000\n")
                .hasSizeLessThan(1_000);
        assertThat(client.call("bash", Map.of("command", "seq 1000", "max_output", 5_000)))
                .contains("\n500\n")
                .doesNotContain("left out");
    }

    @Test
    void toolCalledBashIsBash() throws Exception {
        Programs.require("bash");
        Files.writeString(project.resolve("env.sh"), "export VERSION=v1.2\n");
        assertThat(client.bash(
                        "source env.sh; [[ $VERSION == v* ]] && diff <(echo one) <(echo two); echo ${PIPESTATUS[0]}"))
                .isEqualTo("1c1\n< one\n---\n> two\n1\n");
        assertThat(client.bash("set -o pipefail; false | cat"))
                .startsWith("failed")
                .contains("exited with code 1");
    }

    /** A file is replaced, so that no reader sees half of it. */
    @Test
    void editLeavesFilesOtherNameAsItWas() throws Exception {
        assertThat(client.bash("echo echo one >run; chmod 750 run; ln run kept; stat -c '%a %h' run"))
                .isEqualTo("750 2\n");
        assertThat(client.call("edit", Map.of("path", "run", "old_string", "one", "new_string", "two")))
                .startsWith("Edited run at line 1");
        assertThat(client.bash("./run; ./kept; stat -c '%a %h' run kept; ls"))
                .isEqualTo("two\none\n750 1\n750 1\nkept\nrun\n");
    }
}
