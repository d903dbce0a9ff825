package dev.paddock.architecture;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import java.io.InputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Checks each module's descriptor and dependencies. */
class ModuleTest {

    static List<Module> modules() {
        return Module.ALL;
    }

    /**
     * A rule over no classes holds: without this test, a mistake in the import would pass for a
     * clean product.
     */
    @ParameterizedTest
    @MethodSource("modules")
    void wasImported(Module module) {
        assertThat(Product.classesOf(module)).as("classes of %s", module).isNotEmpty();
    }

    @Test
    void everyClassBelongsToKnownModule() {
        assertThat(Product.CLASSES)
                .isNotEmpty()
                .allSatisfy(type -> assertThat(Module.ALL).contains(Module.of(type)));
    }

    @ParameterizedTest
    @MethodSource("modules")
    void dependsOnNothingButItsArrows(Module module) {
        Set<String> strangers = Product.classesOf(module).stream()
                .flatMap(type -> type.getDirectDependenciesFromSelf().stream())
                .filter(dependency -> !mayUse(module, dependency))
                .map(Dependency::getDescription)
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(strangers)
                .as("%s may use modules %s and libraries %s", module, module.modules(), module.libraries())
                .isEmpty();
    }

    private static boolean mayUse(Module module, Dependency dependency) {
        JavaClass target = dependency.getTargetClass().getBaseComponentType();
        String packageName = target.getPackageName();
        if (target.isPrimitive()
                || Stream.of("java", "javax", "org.jspecify")
                        .anyMatch(prefix -> Module.isWithin(packageName, prefix))) {
            return true;
        }
        return Module.isWithin(packageName, Product.ROOT)
                ? module.mayUse(Module.of(target))
                : module.mayUseLibrary(packageName);
    }

    @ParameterizedTest
    @MethodSource("modules")
    void hasDescriptor(Module module) {
        assertThat(module.descriptor().isAutomatic())
                .as("%s has no module-info", module)
                .isFalse();
        assertThat(module.descriptor().name()).isEqualTo(module.name());
    }

    /** Without its file, a service is found on the module path only. */
    @ParameterizedTest
    @MethodSource("modules")
    void mirrorsItsServicesForClassPath(Module module) {
        assertThat(module.descriptor().provides()).allSatisfy(provides -> {
            URL[] root = {
                Module.root(Product.classesOf(module).getFirst()).toUri().toURL()
            };
            try (URLClassLoader loader = new URLClassLoader(root, null);
                    InputStream file = loader.getResourceAsStream("META-INF/services/" + provides.service())) {
                assertThat(file).as("%s of %s", provides.service(), module).isNotNull();
                assertThat(new String(file.readAllBytes(), StandardCharsets.UTF_8)
                                .strip()
                                .lines())
                        .containsExactlyInAnyOrderElementsOf(provides.providers());
            }
        });
    }

    @Test
    void packagesHaveNoCycles() {
        slices().matching(Product.ROOT + ".(**)").should().beFreeOfCycles().check(Product.CLASSES);
    }

    @Test
    void everyPackageIsNullMarked() {
        Set<String> packages =
                Product.CLASSES.stream().map(JavaClass::getPackageName).collect(Collectors.toCollection(TreeSet::new));
        Set<String> marked = Product.CLASSES.stream()
                .filter(type -> type.getSimpleName().equals("package-info"))
                .filter(type -> type.isAnnotatedWith(NullMarked.class))
                .map(JavaClass::getPackageName)
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(packages).isNotEmpty().isEqualTo(marked);
    }
}
