package dev.paddock.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.Guarantee;
import dev.paddock.executor.Signal;
import dev.paddock.executor.annotation.Api;
import dev.paddock.executor.policy.Enforcement;
import java.io.IOException;
import java.lang.module.ModuleDescriptor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.GenericDeclaration;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.lang.reflect.WildcardType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Checks what the signatures of the API mention: what an integrator cannot use without. */
class SignaturesTest {
    private static final String OWN = "dev.paddock.";
    private static final List<String> JACKSON = List.of("com.fasterxml.jackson.", "tools.jackson.");
    private static final Pattern QUESTION = Pattern.compile("(?:is|has|[a-z]+s|succeeded|completed)(?:[A-Z].*)?");

    /** JSON's own value, what removes a session, and what an interface of Spring AI's asks. */
    private static final Set<String> NO_QUESTIONS = Set.of("flag", "remove", "shouldCleanupOnClose");

    /** The types of packages for programs, and those of packages for authors of executors alone. */
    private static final int MAX_API = 200;

    private static final int MAX_SPI = 30;

    /** The types that are public for Paddock's own modules. */
    private static final int MAX_SHARED = 215;

    /** The members in question are for Paddock's own modules: protected methods, and supertypes with tests. */
    private static final Set<String> OF_OUR_MODULES = Set.of(
            "dev.paddock.executor.process.supervise.Supervisor",
            "dev.paddock.executor.remote.builder.RemoteExecutorBuilder",
            "dev.paddock.executor.sandbox.local.SandboxBuilder",
            "dev.paddock.executor.tck.CommandExecutorContract",
            "dev.paddock.executor.tck.EscapeContract");

    private static final Path RECORDS = Path.of("src", "test", "resources", "records.txt");

    @Test
    void noStableTypeMentionsExperimentalOne() {
        NavigableSet<String> found = exported()
                .filter(type -> statusOf(type) == Api.Status.STABLE)
                .flatMap(type -> mentioned(type)
                        .filter(other -> other.getName().startsWith(OWN) && statusOf(other) == Api.Status.EXPERIMENTAL)
                        .map(other -> type.getName() + " -> " + other.getName()))
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(found).isEmpty();
    }

    /** Users could neither name it nor keep what it says. */
    @Test
    void noSignatureMentionsTypeThatUsersCannotName() {
        NavigableSet<String> found = exported()
                .filter(type -> !OF_OUR_MODULES.contains(type.getName()))
                .flatMap(type -> mentioned(type)
                        .filter(other -> other.getName().startsWith(OWN) && statusOf(other) == Api.Status.INTERNAL)
                        .map(other -> type.getName() + " -> " + other.getName()))
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(found).isEmpty();
    }

    @Test
    void noSignatureMentionsJackson() {
        assertThat(exported()
                        .filter(type -> mentioned(type)
                                .anyMatch(other -> JACKSON.stream().anyMatch(other.getName()::startsWith)))
                        .map(Class::getName))
                .isEmpty();
    }

    @Test
    void noModuleRequiresJacksonOfItsUsers() {
        assertThat(Module.ALL)
                .allSatisfy(module -> assertThat(module.descriptor().requires())
                        .as(module.directory())
                        .noneMatch(required -> JACKSON.stream().anyMatch(required.name()::startsWith)
                                && required.modifiers().contains(ModuleDescriptor.Requires.Modifier.TRANSITIVE)));
    }

    /**
     * A record's constructor is its API, and so is its list of components: options, results and what else may grow
     * are classes with factories, such as {@code ResourceLimits}. The file has the exceptions: those that a program
     * may rely on are values that their components define, such as {@code Signal}.
     */
    @Test
    void recordsAreSealedDataOrListed() throws IOException {
        assertThat(records(Api.Status.STABLE)).startsWith("# stable").contains("dev.paddock.executor.Signal");
        assertThat(records(Api.Status.STABLE) + "\n" + records(Api.Status.EXPERIMENTAL))
                .isEqualTo(String.join("\n", Files.readAllLines(RECORDS)));
    }

    private static String records(Api.Status status) {
        Stream<String> names = exported()
                .filter(type -> type.isRecord() && statusOf(type) == status)
                .filter(type -> Stream.of(type.getInterfaces()).noneMatch(Class::isSealed))
                .map(Class::getName)
                .sorted();
        return Stream.concat(Stream.of("# " + status.name().toLowerCase(Locale.ROOT)), names)
                .collect(Collectors.joining("\n"));
    }

    @Test
    void eachTypeSaysSinceWhenItExists() {
        assertThat(exported().filter(type -> type.getEnclosingClass() == null))
                .allSatisfy(type -> assertThat(source(type))
                        .as("the source of %s", type.getName())
                        .content()
                        .containsPattern("(?m)^ \\* @since \\d+\\.\\d+$"));
    }

    /**
     * A question begins with is, has or a verb. An option that is set, and a record's component, have the name
     * by which it is set.
     */
    @Test
    void booleanAccessorsAreQuestionsOrOptions() {
        List<Class<?>> types = exported().toList();
        Set<String> options = visibleMethods(types)
                .filter(method -> List.of(method.getParameterTypes()).equals(List.of(boolean.class)))
                .map(Method::getName)
                .collect(Collectors.toSet());
        List<Method> accessors = visibleMethods(types)
                .filter(method -> method.getReturnType() == boolean.class && method.getParameterCount() == 0)
                .filter(method -> !method.getDeclaringClass().isRecord())
                .toList();
        assertThat(accessors).extracting(Method::getName).contains("isDisposed", "unixSockets");
        assertThat(accessors)
                .filteredOn(method -> !QUESTION.matcher(method.getName()).matches()
                        && !options.contains(method.getName())
                        && !NO_QUESTIONS.contains(method.getName()))
                .isEmpty();
    }

    private static Stream<Method> visibleMethods(List<Class<?>> types) {
        return types.stream()
                .flatMap(type -> Arrays.stream(type.getDeclaredMethods()))
                .filter(SignaturesTest::isVisible);
    }

    /** The less is exported, the less cannot be changed: a type more needs a reason, and a larger number here. */
    @Test
    void noMoreTypesAreExported() {
        List<Class<?>> api =
                exported().filter(type -> type.getEnclosingClass() == null).toList();
        assertThat(api).filteredOn(SignaturesTest::isForPrograms).hasSizeBetween(1, MAX_API);
        assertThat(api).filteredOn(type -> !isForPrograms(type)).hasSizeBetween(1, MAX_SPI);
        assertThat(Module.ALL.stream().flatMap(SignaturesTest::shared)).hasSizeBetween(1, MAX_SHARED);
    }

    private static boolean isForPrograms(Class<?> type) {
        return packageOf(type).orElseThrow().audience().startsWith("API");
    }

    /** Returns the types that are public for other modules of Paddock alone: by their package, or by their status. */
    private static Stream<Class<?>> shared(Module module) {
        return Stream.concat(
                        inPackages(module, ModuleDescriptor.Exports::isQualified),
                        inPackages(module, exports -> !exports.isQualified()).filter(type -> !ApiText.isApi(type)))
                .filter(type -> type.getEnclosingClass() == null && Modifier.isPublic(type.getModifiers()));
    }

    private static Path source(Class<?> type) {
        String module = Module.of(Product.CLASSES.get(type)).directory();
        return Path.of("..", module, "src", "main", "java", type.getName().replace('.', '/') + ".java");
    }

    /** Positive control: parameters, results, their arguments, bounds and supertypes are all seen. */
    @Test
    void mentionedTypesAreFound() {
        assertThat(mentioned(Bounded.class)).contains(Signal.class, Guarantee.class, Enforcement.class);
        assertThat(mentioned(CommandExecutor.class).map(Class::getSimpleName))
                .contains("ProcessLike", "SpawnOptions", "Guarantee", "AutoCloseable");
    }

    abstract static class Hidden {
        public abstract <T extends Signal> void inherited(T value);
    }

    abstract static class Bounded<T extends Comparable<Guarantee>> extends Hidden {
        public abstract Map<String, ? super Enforcement[]> nested();
    }

    private static Stream<Class<?>> exported() {
        return Module.ALL.stream()
                .flatMap(module -> inPackages(module, exports -> !exports.isQualified()))
                .filter(ApiText::isApi);
    }

    private static Stream<Class<?>> inPackages(Module module, Predicate<ModuleDescriptor.Exports> which) {
        List<String> packages = module.descriptor().exports().stream()
                .filter(which)
                .map(ModuleDescriptor.Exports::source)
                .toList();
        return Product.classesOf(module).stream()
                .filter(type -> packages.contains(type.getPackageName()))
                .filter(type -> !type.getSimpleName().equals("package-info"))
                .map(JavaClass::reflect);
    }

    /** Returns the status of a type: its own, or that of the type around it, or of its package. */
    private static Api.Status statusOf(Class<?> type) {
        Optional<Api> own = Optional.ofNullable(type.getAnnotation(Api.class));
        if (own.isPresent()) {
            return own.get().status();
        }
        Class<?> outer = type.getEnclosingClass();
        return outer != null
                ? statusOf(outer)
                : packageOf(type).map(Api::status).orElse(Api.Status.INTERNAL);
    }

    private static Optional<Api> packageOf(Class<?> type) {
        return Optional.ofNullable(type.getPackage().getAnnotation(Api.class));
    }

    private static Stream<Class<?>> mentioned(Class<?> type) {
        Stream<Class<?>> inherited = Stream.ofNullable(type.getSuperclass())
                .filter(parent -> !Modifier.isPublic(parent.getModifiers()))
                .flatMap(SignaturesTest::mentioned);
        Stream<Type> above = Stream.of(
                        Stream.ofNullable(type.getGenericSuperclass()),
                        Arrays.stream(type.getGenericInterfaces()),
                        bounds(type))
                .flatMap(types -> types);
        Stream<Type> fields = Arrays.stream(type.getDeclaredFields())
                .filter(SignaturesTest::isVisible)
                .map(Field::getGenericType);
        Stream<Type> executables = Stream.<Executable>concat(
                        Arrays.stream(type.getDeclaredConstructors()), Arrays.stream(type.getDeclaredMethods()))
                .filter(SignaturesTest::isVisible)
                .flatMap(SignaturesTest::ofExecutable);
        Stream<Type> components = type.isRecord()
                ? Arrays.stream(type.getRecordComponents()).map(RecordComponent::getGenericType)
                : Stream.empty();
        Stream<Class<?>> own = Stream.of(above, fields, executables, components)
                .flatMap(types -> types)
                .flatMap(SignaturesTest::classes);
        return Stream.concat(inherited, own).distinct();
    }

    private static Stream<Type> bounds(GenericDeclaration declaration) {
        return Arrays.stream(declaration.getTypeParameters())
                .flatMap(parameter -> Arrays.stream(parameter.getBounds()));
    }

    private static Stream<Type> ofExecutable(Executable executable) {
        Stream<Type> result =
                executable instanceof Method method ? Stream.of(method.getGenericReturnType()) : Stream.empty();
        return Stream.of(
                        result,
                        bounds(executable),
                        Arrays.stream(executable.getGenericParameterTypes()),
                        Arrays.stream(executable.getGenericExceptionTypes()))
                .flatMap(types -> types);
    }

    private static boolean isVisible(Member member) {
        return (member.getModifiers() & (Modifier.PUBLIC | Modifier.PROTECTED)) != 0 && !member.isSynthetic();
    }

    private static Stream<Class<?>> classes(Type type) {
        return switch (type) {
            case Class<?> plain -> Stream.of(plain.isArray() ? elementOf(plain) : plain);
            case ParameterizedType generic ->
                Stream.concat(Stream.of(generic.getRawType()), Arrays.stream(generic.getActualTypeArguments()))
                        .flatMap(SignaturesTest::classes);
            case GenericArrayType array -> classes(array.getGenericComponentType());
            case WildcardType wildcard ->
                Stream.concat(Arrays.stream(wildcard.getUpperBounds()), Arrays.stream(wildcard.getLowerBounds()))
                        .flatMap(SignaturesTest::classes);
            default -> Stream.empty();
        };
    }

    private static Class<?> elementOf(Class<?> array) {
        Class<?> element = array.getComponentType();
        return element.isArray() ? elementOf(element) : element;
    }
}
