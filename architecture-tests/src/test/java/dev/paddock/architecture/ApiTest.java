package dev.paddock.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import dev.paddock.executor.annotation.Api;
import java.io.IOException;
import java.lang.module.ModuleDescriptor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Checks that exported packages declare their audience, and that their API changes only on purpose.
 * The baseline of each module that has an API is a file below {@code src/test/resources/api}; this
 * command writes the baselines again:
 *
 * <pre>{@code
 * mvn -q -pl architecture-tests -am test -Dtest=ApiTest \
 *     -Dsurefire.failIfNoSpecifiedTests=false -Dapi.accept
 * }</pre>
 */
class ApiTest {
    private static final Path BASELINES = Path.of("src", "test", "resources", "api");
    private static final boolean ACCEPT = System.getProperty("api.accept") != null;

    static List<Module> modules() {
        return Module.ALL;
    }

    @ParameterizedTest
    @MethodSource("modules")
    void exportedPackagesSayWhomTheyAreFor(Module module) {
        assertThat(module.descriptor().exports()).allSatisfy(exports -> {
            Optional<Api> api = apiOf(module, exports.source());
            assertThat(api).as("@Api of the package %s", exports.source()).isPresent();
            boolean internal = api.orElseThrow().status() == Api.Status.INTERNAL;
            assertThat(internal)
                    .as("%s is internal, and exported to named modules alone", exports.source())
                    .isEqualTo(exports.isQualified());
            assertThat(api.orElseThrow().audience())
                    .as("the audience of %s", exports.source())
                    .matches(internal ? "Internal: .+" : "(API|SPI): .+");
        });
    }

    @ParameterizedTest
    @MethodSource("modules")
    void apiIsBaseline(Module module) throws IOException {
        NavigableSet<String> now = api(module);
        Path file = BASELINES.resolve(module.directory() + ".txt");
        if (ACCEPT) {
            Files.createDirectories(BASELINES);
            Files.deleteIfExists(file);
            if (!now.isEmpty()) {
                Files.write(file, now);
            }
        }
        NavigableSet<String> baseline = Files.exists(file) ? new TreeSet<>(Files.readAllLines(file)) : new TreeSet<>();
        String changes = Stream.concat(missing("- ", baseline, now), missing("+ ", now, baseline))
                .collect(Collectors.joining("\n"));
        assertThat(changes)
                .as(
                        "the API of %s is not that of %s; if you mean the change, accept it with -Dapi.accept and commit the"
                                + " file",
                        module, file)
                .isEmpty();
    }

    @Test
    void everyBaselineHasItsModule() throws IOException {
        try (Stream<Path> files = Files.list(BASELINES)) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .isNotEmpty()
                    .isSubsetOf(Module.ALL.stream()
                            .map(module -> module.directory() + ".txt")
                            .toList());
        }
    }

    /** Positive control: an empty rendering would also match an empty baseline. */
    @Test
    void methodIsRendered() {
        assertThat(ApiText.of(Api.class))
                .contains("dev.paddock.executor.annotation.Api : public abstract java.lang.String audience()")
                .anyMatch(line -> line.startsWith("dev.paddock.executor.annotation.Api = public @interface"));
    }

    private static Stream<String> missing(String mark, NavigableSet<String> from, NavigableSet<String> in) {
        return from.stream().filter(Predicate.not(in::contains)).map(line -> mark + line);
    }

    private static NavigableSet<String> api(Module module) {
        List<String> packages = module.descriptor().exports().stream()
                .filter(exports -> !exports.isQualified())
                .map(ModuleDescriptor.Exports::source)
                .toList();
        return Product.classesOf(module).stream()
                .filter(type -> packages.contains(type.getPackageName()))
                .map(JavaClass::reflect)
                .filter(ApiText::isApi)
                .flatMap(type -> ApiText.of(type).stream())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Optional<Api> apiOf(Module module, String packageName) {
        return Product.CLASSES.stream()
                .filter(type -> type.getSimpleName().equals("package-info"))
                .filter(type -> type.getPackageName().equals(packageName)
                        && Module.of(type).equals(module))
                .filter(type -> type.isAnnotatedWith(Api.class))
                .map(type -> type.getAnnotationOfType(Api.class))
                .findFirst();
    }
}
