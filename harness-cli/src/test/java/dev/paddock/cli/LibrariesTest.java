package dev.paddock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Checks which libraries the program has on its class path: this module's, without those of its
 * tests. It has none of those that applications bring for the adapters to their loops. Each of them
 * is called, or a library that is called cannot be loaded without it; a new one is an entry here,
 * with its reason in the module that declares it.
 */
class LibrariesTest {
    private static final Pattern JAR = Pattern.compile("(.+?)-[0-9].*?(-native)?\\.jar");

    /** The libraries of the program. */
    private static final Set<String> ALLOWED = Set.of(
            // Processes: the C library's calls, signals where Paddock has no bindings, helper programs.
            "jffi",
            "jffi-native",
            "jnr-posix",
            "jnr-ffi",
            "jnr-constants",
            "asm",
            "commons-exec",
            // Containers: the engine's interface, and what its classes call.
            "docker-java-api",
            "docker-java-core",
            "docker-java-transport",
            "commons-io",
            "commons-lang3",
            "guava",
            "failureaccess",
            // Pods: the cluster's interface, and what its classes call.
            "kubernetes-client",
            "kubernetes-client-api",
            "kubernetes-httpclient-jdk",
            "kubernetes-model-apps",
            "kubernetes-model-autoscaling",
            "kubernetes-model-batch",
            "kubernetes-model-certificates",
            "kubernetes-model-common",
            "kubernetes-model-core",
            "kubernetes-model-extensions",
            "kubernetes-model-networking",
            "zjsonpatch",
            "jackson-dataformat-yaml",
            "jackson-datatype-jsr310",
            "snakeyaml",
            // Sessions: JSON, tools; the log of other libraries.
            "jackson-annotations",
            "jackson-core",
            "jackson-databind",
            "slf4j-api",
            "java-diff-utils",
            "jsoup",
            "juniversalchardet",
            "snakeyaml-engine",
            "jspecify",
            // The audit store.
            "sqlite-jdbc",
            // The settings of codex.
            "tomlj",
            "antlr4-runtime",
            // The line editor.
            "jline-reader",
            "jline-terminal",
            // Models.
            "langchain4j-anthropic",
            "langchain4j-core",
            "langchain4j-http-client",
            "langchain4j-http-client-jdk",
            "langchain4j-ollama",
            "langchain4j-open-ai",
            // Guest code: the engine, which is used in the guests' own processes alone.
            "quickjs-kt-jvm",
            "kotlin-stdlib",
            "kotlinx-coroutines-core-jvm",
            // Editors.
            "acp-annotations",
            "acp-core",
            // MCP.
            "mcp-core",
            "mcp-json-jackson2",
            "reactive-streams",
            "reactor-core");

    /** The libraries of this module's tests. */
    private static final Set<String> OF_TESTS =
            Set.of("assertj-core", "awaitility", "byte-buddy", "hamcrest", "opentest4j", "apiguardian-api");

    @Test
    void programHasOnlyLibrariesThatItCalls() {
        Set<String> present = Stream.of(
                        System.getProperty("java.class.path", "").split(File.pathSeparator))
                .map(entry -> String.valueOf(Path.of(entry).getFileName()))
                .map(JAR::matcher)
                .filter(Matcher::matches)
                .map(jar -> jar.group(1) + (jar.group(2) == null ? "" : jar.group(2)))
                .filter(name -> !isOfTests(name))
                .collect(Collectors.toCollection(TreeSet::new));

        assertThat(present).isEqualTo(new TreeSet<>(ALLOWED));
    }

    private static boolean isOfTests(String name) {
        return OF_TESTS.contains(name) || name.startsWith("junit-") || name.startsWith("paddock-");
    }
}
