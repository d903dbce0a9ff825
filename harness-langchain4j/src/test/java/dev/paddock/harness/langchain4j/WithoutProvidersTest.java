package dev.paddock.harness.langchain4j;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Tests JVMs that have none of the providers' artifacts on the class path, or one of them. */
class WithoutProvidersTest {
    private static String need(Provider provider, String artifact) {
        return provider.label() + ": models of the provider '" + provider.label()
                + "' need the artifact dev.langchain4j:langchain4j-" + artifact
                + ", which is not on the class path or the module path; add it as a dependency, in the version of"
                + " dev.langchain4j:langchain4j-core";
    }

    /** Runs the program without the artifacts whose names match. */
    private static List<String> run(String absent) throws Exception {
        Pattern jar = Pattern.compile("langchain4j-(" + absent + ")-[0-9].*\\.jar");
        String[] entries = System.getProperty("java.class.path").split(File.pathSeparator, -1);
        List<String> kept = List.of(entries).stream()
                .filter(entry -> !jar.matcher(String.valueOf(Path.of(entry).getFileName()))
                        .matches())
                .toList();
        assertThat(entries.length - kept.size())
                .as("entries of the class path that are left out")
                .isEqualTo(absent.split("\\|", -1).length);
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-cp",
                        kept.stream().collect(Collectors.joining(File.pathSeparator)),
                        WithoutProvidersProgram.class.getName())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try {
            String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor()).as(printed).isZero();
            return printed.lines()
                    .filter(line -> line.startsWith("an answer") || line.matches("[a-z-]+: .*"))
                    .toList();
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    void modelOfProgramNeedsNoProviderAndNamedProviderNamesItsArtifact() throws Exception {
        assertThat(run("anthropic|ollama|open-ai|http-client-jdk"))
                .containsExactly(
                        "an answer of my own",
                        need(Provider.ANTHROPIC, "anthropic"),
                        need(Provider.OPENAI, "open-ai"),
                        need(Provider.OLLAMA, "ollama"),
                        need(Provider.OPENAI_COMPATIBLE, "open-ai"));
    }

    @Test
    void oneProviderDoesNotNeedOthers() throws Exception {
        assertThat(run("anthropic|ollama"))
                .containsExactly(
                        "an answer of my own",
                        need(Provider.ANTHROPIC, "anthropic"),
                        "openai: UNREACHABLE",
                        need(Provider.OLLAMA, "ollama"),
                        "openai-compatible: UNREACHABLE");
        assertThat(run("open-ai"))
                .contains("anthropic: UNREACHABLE", need(Provider.OPENAI, "open-ai"), "ollama: UNREACHABLE");
    }
}
