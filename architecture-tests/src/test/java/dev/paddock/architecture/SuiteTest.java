package dev.paddock.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.module.ModuleDescriptor.Provides;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Checks what the contract suite brings into the tests of those who extend it. */
class SuiteTest {
    private static final Path REPOSITORY = Path.of("..");
    private static final Pattern EXTENDS =
            Pattern.compile("extends (?:CommandExecutor|Conformance|LocalConformance|Escape)Contract\\b");

    /** A service acts on the whole JVM. This one selects tests, by an annotation that integrators have no use for. */
    @Test
    void suiteBringsNoServiceButFilterOfItsLayers() {
        Module suite = Module.ALL.stream()
                .filter(module -> module.directory().equals("executor-tck"))
                .findFirst()
                .orElseThrow();
        assertThat(suite.descriptor().provides().stream().map(Provides::service))
                .containsExactly("org.junit.platform.launcher.PostDiscoveryFilter");
        assertThat(REPOSITORY.resolve("executor-tck/src/main/resources/META-INF/services"))
                .isDirectoryContaining("glob:**/org.junit.platform.launcher.PostDiscoveryFilter")
                .satisfies(directory -> assertThat(directory.toFile().list()).hasSize(1));
    }

    /** Integrators have no use for the servers, links and names of Paddock's own tests. */
    @Test
    void fixturesAreNotPublished() {
        assertThat(REPOSITORY.resolve("test-fixtures/pom.xml"))
                .content()
                .containsPattern("maven-deploy-plugin</artifactId>\\s*<configuration>\\s*<skip>true</skip>");
        assertThat(List.of("bom/pom.xml", "executor-tck/pom.xml"))
                .allSatisfy(
                        pom -> assertThat(REPOSITORY.resolve(pom)).content().doesNotContain("paddock-test-fixtures"));
    }

    /** Without the fixtures, the tests of allowed hosts would be skipped. */
    @Test
    void eachModuleThatExtendsSuiteHasFixtures() throws IOException {
        try (Stream<Path> modules = Files.list(REPOSITORY)) {
            List<Path> extending = modules.filter(module -> Files.isDirectory(module.resolve("src/test")))
                    .filter(module -> !module.endsWith("executor-tck") && !module.endsWith("architecture-tests"))
                    .filter(SuiteTest::extendsTheSuite)
                    .toList();
            assertThat(extending)
                    .hasSizeGreaterThan(5)
                    .allSatisfy(module -> assertThat(module.resolve("pom.xml"))
                            .content()
                            .contains("<artifactId>paddock-test-fixtures</artifactId>"));
        }
    }

    private static boolean extendsTheSuite(Path module) {
        try (Stream<Path> files = Files.walk(module.resolve("src/test"))) {
            return files.filter(file -> file.toString().endsWith(".java")).anyMatch(SuiteTest::isOfTheSuite);
        } catch (IOException unreadable) {
            throw new AssertionError(unreadable);
        }
    }

    private static boolean isOfTheSuite(Path file) {
        try {
            return EXTENDS.matcher(Files.readString(file)).find();
        } catch (IOException unreadable) {
            throw new AssertionError(unreadable);
        }
    }
}
