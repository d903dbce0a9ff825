package dev.paddock.architecture;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMethod;
import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.tck.CommandExecutorContract;
import dev.paddock.executor.tck.layer.Layer;
import dev.paddock.executor.tck.layer.Run;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Checks that the short run tests each method of an executor, or of its processes, that a module implements. */
class LayersTest {

    /** The row that says which tests of the contract the module's executor runs. Seatbelt's runs every test. */
    private static final Map<String, Layer> ROWS = Map.ofEntries(
            entry("executor-process", Layer.BUBBLEWRAP),
            entry("executor-sandbox", Layer.BUBBLEWRAP),
            entry("executor-bwrap", Layer.BUBBLEWRAP),
            entry("executor-remote", Layer.CHANNELS),
            entry("executor-host", Layer.HOST),
            entry("executor-landlock", Layer.LANDLOCK),
            entry("executor-docker", Layer.CONTAINER),
            entry("executor-kubernetes", Layer.POD),
            entry("executor-ssh", Layer.SSH),
            entry("harness-audit", Layer.WRAPPER),
            entry("harness-micrometer", Layer.WRAPPER));

    /** The clauses that the methods keep. */
    private static final Map<String, String> CLAUSES = Map.ofEntries(
            entry("spawn", "C1_"),
            entry("run", "C19_"),
            entry("dispose", "C11_"),
            entry("isDisposed", "C11_"),
            entry("close", "C11_"),
            entry("shells", "C2_bash"),
            entry("copiesFiles", "C18_"),
            entry("awaitedFiles", "C18_"),
            entry("worktree", "C4_"),
            entry("isKept", "G_PROTECTED_PATHS_onePathThatCommandsMayNot"),
            entry("guarantees", "G_"),
            entry("name", "C14_"),
            entry("pid", "C7_"),
            entry("published", "G_PUBLISHED_PORTS_"),
            entry("stdin", "C5_"),
            entry("stdout", "C6_"),
            entry("stderr", "C6_"),
            entry("onExit", "C7_"),
            entry("onClosed", "C18_"),
            entry("kill", "C9_"),
            entry("resize", "C20_"));

    static Stream<JavaClass> implementers() {
        return Product.CLASSES.stream()
                .filter(type -> type.isAssignableTo(CommandExecutor.class) || type.isAssignableTo(ProcessLike.class))
                .filter(type -> ROWS.containsKey(Module.of(type).directory()));
    }

    @ParameterizedTest
    @MethodSource("implementers")
    void shortRunTestsWhatExecutorImplements(JavaClass type) {
        Layer row = Optional.ofNullable(ROWS.get(Module.of(type).directory())).orElseThrow();
        assertThat(type.getMethods().stream().filter(LayersTest::isOfTheContract))
                .allSatisfy(method -> assertThat(CLAUSES)
                        .as("the clause of %s", method.getFullName())
                        .hasEntrySatisfying(
                                method.getName(),
                                clause -> assertThat(tests(clause))
                                        .as("tests of %s in the short run of %s", clause, row)
                                        .anyMatch(row.in(Run.SHORT)::include)));
    }

    private static boolean isOfTheContract(JavaMethod method) {
        return Stream.of(CommandExecutor.class, ProcessLike.class)
                .flatMap(contract -> Stream.of(contract.getMethods()))
                .filter(promised -> !Modifier.isStatic(promised.getModifiers()))
                .anyMatch(promised -> promised.getName().equals(method.getName())
                        && promised.getParameterCount()
                                == method.getRawParameterTypes().size());
    }

    private static Stream<String> tests(String clause) {
        return Stream.of(CommandExecutorContract.class.getMethods())
                .map(Method::getName)
                .filter(name -> name.startsWith(clause));
    }
}
