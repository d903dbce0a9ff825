package dev.paddock.cli.release;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JarMergeTest {
    private static final String TIME = "1700000000";

    @TempDir
    Path directory;

    private Path jar(String name, String attribute, String value, Map<String, String> entries) throws IOException {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().putValue(attribute, value);
        Path file = directory.resolve(name);
        try (OutputStream output = Files.newOutputStream(file);
                JarOutputStream jar = new JarOutputStream(output, manifest)) {
            for (Map.Entry<String, String> entry : new TreeMap<>(entries).entrySet()) {
                jar.putNextEntry(new JarEntry(entry.getKey()));
                jar.write(entry.getValue().getBytes(StandardCharsets.UTF_8));
                jar.closeEntry();
            }
        }
        return file;
    }

    private Path merge(String name, Path... jars) throws IOException {
        Path merged = directory.resolve(name);
        List<String> arguments = new ArrayList<>(List.of(
                merged.toString(),
                TIME,
                "the.module",
                "1.2",
                "java.sql,java.xml",
                "a.Main",
                "native/(?!linux/).*",
                "none",
                "none",
                "none"));
        for (Path jar : jars) {
            arguments.add(jar.toString());
        }
        JarMerge.main(arguments.toArray(String[]::new));
        return merged;
    }

    private static Map<String, String> contents(Path file) throws IOException {
        Map<String, String> contents = new TreeMap<>();
        try (JarFile jar = new JarFile(file.toFile())) {
            for (JarEntry entry : jar.stream().toList()) {
                assertThat(entry.getTime() / 1000).as(entry.getName()).isEqualTo(Long.parseLong(TIME));
                contents.put(
                        entry.getName(), new String(jar.getInputStream(entry).readAllBytes(), StandardCharsets.UTF_8));
            }
        }
        return contents;
    }

    @Test
    void mergedJarHasWhatThisJavaWouldTakeFromJars() throws Exception {
        Path first =
                jar("first.jar", "Implementation-Version", "7", Map.of("a/A.txt", "A", "META-INF/services/s", "a.A"));
        Path second = jar(
                "second.jar",
                "Multi-Release",
                "true",
                Map.of(
                        "b/B.txt",
                        "for old Javas",
                        "META-INF/versions/9/b/B.txt",
                        "B",
                        "META-INF/versions/99/b/B.txt",
                        "for Javas to come",
                        "META-INF/services/s",
                        "b.B\n",
                        "META-INF/LICENSE",
                        "free",
                        "META-INF/maven/b/pom.xml",
                        "pom"));

        Map<String, String> contents = contents(merge("merged.jar", first, second));

        assertThat(contents)
                .containsEntry("a/A.txt", "A")
                .containsEntry("b/B.txt", "B")
                .containsEntry("META-INF/services/s", "a.A\nb.B\n")
                .containsEntry("META-INF/second.jar/LICENSE", "free")
                .containsEntry("META-INF/maven/b/pom.xml", "pom")
                .containsKeys("META-INF/second.jar/MANIFEST.MF", "module-info.class")
                .hasSize(8);
        assertThat(contents.get("META-INF/MANIFEST.MF")).contains("Implementation-Version: 7");
        assertThat(merge("again.jar", first, second)).hasSameBinaryContentAs(directory.resolve("merged.jar"));
    }

    @Test
    void omitsEntriesThatExpressionNames() throws Exception {
        Path jar =
                jar("jar.jar", "A", "1", Map.of("native/linux/a.so", "A", "native/other/a.so", "A", "native.txt", "A"));

        assertThat(contents(merge("merged.jar", jar)))
                .containsOnlyKeys("META-INF/MANIFEST.MF", "module-info.class", "native.txt", "native/linux/a.so");
    }

    @Test
    void twoEntriesOfOneNameAreRefused() throws Exception {
        Path one = jar("one.jar", "A", "1", Map.of("a/A.txt", "A"));
        Path other = jar("other.jar", "A", "1", Map.of("a/A.txt", "another A"));
        assertThatIllegalStateException()
                .isThrownBy(() -> merge("merged.jar", one, other))
                .withMessageContaining("other.jar has a/A.txt");
    }
}
