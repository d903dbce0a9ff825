package dev.paddock.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaModifier;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Checks that names say one thing, and one thing has one name. */
class NamesTest {
    /** Bounds begin with MAX or MIN, as everywhere. */
    private static final Pattern OTHER_BOUND = Pattern.compile(
            "(?:.*_)?(?:MOST|FEWEST|LEAST|LONGEST|SHORTEST|LARGEST|SMALLEST|BIGGEST|DEEPEST|HIGHEST|LOWEST)(?:_.*)?");

    /** Without the samples, which a reader copies one by one. */
    private static Stream<JavaClass> topLevelClasses() {
        return Product.CLASSES.stream()
                .filter(type -> type.isTopLevelClass()
                        && !type.getSimpleName().endsWith("-info")
                        && !type.getPackageName().startsWith("dev.paddock.samples"));
    }

    @Test
    void noTwoClassesHaveSameName() {
        TreeMap<String, Set<String>> byName = new TreeMap<>();
        topLevelClasses()
                .forEach(type -> byName.computeIfAbsent(type.getSimpleName(), name -> new TreeSet<>())
                        .add(type.getName()));
        assertThat(byName).hasSizeGreaterThan(500);
        assertThat(byName.values()).filteredOn(types -> types.size() > 1).isEmpty();
    }

    @Test
    void constantsThatBoundSomethingBeginWithMaxOrMin() {
        List<JavaField> constants = Product.CLASSES.stream()
                .flatMap(type -> type.getFields().stream())
                .filter(field -> field.getModifiers().contains(JavaModifier.STATIC))
                .toList();
        assertThat(constants).extracting(JavaField::getName).anyMatch(name -> name.startsWith("MAX_"));
        assertThat(constants)
                .filteredOn(field -> OTHER_BOUND.matcher(field.getName()).matches())
                .extracting(JavaField::getFullName)
                .isEmpty();
    }
}
