package dev.paddock.cli.release;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.module.ModuleDescriptor;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The module that a release's jars become. */
class ReleaseModuleTest {
    private static final Map<String, String> SOURCES = Map.of(
            "program/Main.java",
            """
                    package program;
                    import java.util.ServiceLoader;
                    public class Main {
                        public static void main(String[] arguments) {
                            ServiceLoader.load(Direct.class);
                            services.Finder.find(services.ByHelper.class);
                        }
                        interface Direct {}
                    }
                    """,
            "services/Finder.java",
            """
                    package services;
                    import java.util.ServiceLoader;
                    import java.util.function.Function;
                    public class Finder {
                        public static void find(Class<?> service) {
                            load(service, ServiceLoader::load);
                        }
                        static void load(Class<?> service, Function<Class<?>, ServiceLoader<?>> how) {
                            how.apply(service);
                        }
                        static Class<?> unrelated() {
                            return Finder.class;
                        }
                    }
                    """,
            "services/ByHelper.java",
            "package services; public interface ByHelper {}",
            "services/Listed.java",
            """
                    package services;
                    public interface Listed {
                        class First implements Listed {}
                    }
                    """);

    @TempDir
    private Path directory;

    private final Map<String, byte[]> entries = new TreeMap<>();

    @BeforeEach
    void compile() throws IOException {
        List<String> arguments = new ArrayList<>(
                List.of("--release", "21", "-d", directory.resolve("classes").toString()));
        for (Map.Entry<String, String> source : SOURCES.entrySet()) {
            Path file = directory.resolve("sources").resolve(source.getKey());
            Files.createDirectories(file.resolveSibling("."));
            arguments.add(Files.writeString(file, source.getValue()).toString());
        }
        assertThat(ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments.toArray(String[]::new)))
                .isZero();
        Path classes = directory.resolve("classes");
        try (Stream<Path> files = Files.walk(classes)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                entries.put(classes.relativize(file).toString(), Files.readAllBytes(file));
            }
        }
    }

    private ModuleDescriptor describe(ReleaseModule module) throws IOException {
        return ModuleDescriptor.read(new ByteArrayInputStream(
                module.describe("the.module", "1.2", List.of("java.sql"), "program.Main", entries)));
    }

    @Test
    void itIsOpenStartsItsMainClassAndHasAllDirectoriesAsPackages() throws Exception {
        entries.put("services/data/words.txt", new byte[0]);
        entries.put("not-a-package/words.txt", new byte[0]);
        entries.put("META-INF/LICENSE", new byte[0]);

        ModuleDescriptor descriptor = describe(new ReleaseModule());

        assertThat(descriptor.toNameAndVersion()).isEqualTo("the.module@1.2");
        assertThat(descriptor.isOpen()).isTrue();
        assertThat(descriptor.mainClass()).contains("program.Main");
        assertThat(descriptor.packages()).containsExactlyInAnyOrder("program", "services", "services.data");
        assertThat(descriptor.requires())
                .extracting(ModuleDescriptor.Requires::name)
                .containsExactlyInAnyOrder("java.base", "java.sql");
        assertThat(descriptor.exports())
                .extracting(ModuleDescriptor.Exports::source)
                .containsExactly("program");
    }

    @Test
    void itUsesWhatItsCodeMaySearchFor() throws Exception {
        assertThat(describe(new ReleaseModule()).uses())
                .containsExactlyInAnyOrder("program.Main$Direct", "services.ByHelper");
    }

    @Test
    void itUsesWhatItsPartsUseAndProvidesWhatTheyListAsFarAsServiceExists() throws Exception {
        entries.put("META-INF/services/services.Listed", text("# one\nservices.Listed$First # first\n"));
        entries.put("META-INF/services/absent.Service", text("services.Listed$First"));
        entries.put("META-INF/services/a/directory/of/a/library", text("class = x"));
        ReleaseModule module = new ReleaseModule();
        byte[] part = new ReleaseModule()
                .describe(
                        "part",
                        "1",
                        List.of(),
                        "services.Main",
                        Map.of("META-INF/services/java.sql.Driver", text("services.A"), "services/A.txt", text("")));
        module.addDescriptor(new ByteArrayInputStream(part));

        ModuleDescriptor descriptor = describe(module);

        assertThat(descriptor.uses())
                .contains("services.Listed", "java.sql.Driver")
                .doesNotContain("absent.Service");
        assertThat(descriptor.provides()).containsExactly(provided("services.Listed", "services.Listed$First"));
    }

    private static ModuleDescriptor.Provides provided(String service, String provider) {
        return ModuleDescriptor.newModule("a")
                .packages(Set.of("services"))
                .provides(service, List.of(provider))
                .build()
                .provides()
                .iterator()
                .next();
    }

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
