package dev.paddock.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.FileDescriptor;
import java.io.PrintStream;
import java.util.List;
import java.util.Set;
import java.util.Timer;
import java.util.TreeSet;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Checks that the code of each module avoids certain calls that it could make. */
class HabitsTest {

    /**
     * The modules that may start processes. The TCK starts a JVM to kill it (a clause about the
     * death of the host process needs a host process that may die); it is never part of a running product. Documents are
     * read by a JVM of their own, so that a hostile one can be ended; it runs PDFBox and no command.
     */
    private static final Set<String> STARTERS = Set.of("executor-process", "executor-tck", "harness-pdf");

    /**
     * The types whose interface takes a {@link ProcessBuilder} that an integrator has made, and
     * adapts the process that it starts. They may use one, but not make one: the rule against that
     * also applies to them.
     */
    private static final Set<String> ADAPTERS =
            Set.of("dev.paddock.executor.ProcessLike", "dev.paddock.executor.JdkProcess");

    /** The names under which the C library starts a program or makes a process. */
    private static final Pattern NATIVE_START = Pattern.compile("posix_spawnp?|v?fork|clone3?|exec[lv]p?e?|execvpe");

    /** The modules that may write to standard output: one in the other JVM that it starts. */
    private static final Set<String> SPEAKERS = Set.of("harness-cli", "samples", "harness-pdf");

    /** What tests or shows the product, and is no part of it: each reads the environment in one class. */
    private static final Set<String> TOOLS = Set.of("executor-tck", "samples");

    private static final String ENVIRONMENT = "dev.paddock.executor.caller.CallerEnvironment";

    private static final String PROCESS = "dev.paddock.cli.JvmProcess";

    /** The printer, what makes it, the editor, whose lines escape themselves, and what passes a command's bytes on. */
    private static final Set<String> WRITERS = Set.of(
            "dev.paddock.cli.terminal.SafePrinter",
            "dev.paddock.cli.terminal.Console",
            "dev.paddock.cli.editor.Editor",
            "dev.paddock.cli.Execution");

    private static final String STREAMS = "dev.paddock.cli.terminal.Streams";

    private static final String LATE_LOGGER = "dev.paddock.executor.log.LateLogger";

    private static final String LIBRARY_LOGS = "dev.paddock.cli.LibraryLogs";

    /** The methods of {@link Thread} that create one. */
    private static final Set<String> CREATIONS = Set.of("<init>", "ofPlatform", "ofVirtual", "startVirtualThread");

    /** The class that creates the executors' threads. */
    private static final String THREADS = "dev.paddock.executor.os.io.DaemonThreads";

    /** Does the same for the interface's module, which depends on nothing. */
    private static final String RUN_THREADS = "dev.paddock.executor.RunThreads";

    static List<Module> modules() {
        return Module.ALL;
    }

    @ParameterizedTest
    @MethodSource("modules")
    void startsNoProcess(Module module) {
        if (STARTERS.contains(module.directory())) {
            return;
        }
        Set<String> starts = new TreeSet<>(accesses(module, HabitsTest::startsProcess));
        Product.classesOf(module).stream()
                .flatMap(type -> type.getMethods().stream())
                .filter(method -> NATIVE_START.matcher(method.getName()).matches())
                .forEach(method -> starts.add(method.getFullName() + " binds a native start"));
        Product.classesOf(module).stream()
                .filter(type -> !ADAPTERS.contains(type.getName()))
                .flatMap(type -> type.getDirectDependenciesFromSelf().stream())
                .filter(dependency -> isStarter(dependency.getTargetClass()))
                .map(Dependency::getDescription)
                .forEach(starts::add);
        assertThat(starts)
                .as("%s starts processes; only %s may", module, STARTERS)
                .isEmpty();
    }

    /**
     * Positive control: the rule above would also hold if it detected nothing. It detects its
     * subject where that is allowed.
     */
    @Test
    void startIsRecognised() {
        assertThat(isStarter(new ClassFileImporter().importClass(ProcessBuilder.class)))
                .isTrue();
        assertThat(NATIVE_START.asMatchPredicate()).accepts("posix_spawn", "posix_spawnp", "fork", "vfork", "execve");
        assertThat(NATIVE_START.asMatchPredicate()).rejects("execute", "exec", "forkJoin");
    }

    private static boolean startsProcess(AccessTarget target) {
        JavaClass owner = target.getOwner();
        return (owner.isEquivalentTo(ProcessBuilder.class) && target.getName().equals("<init>"))
                || (owner.isEquivalentTo(Runtime.class) && target.getName().equals("exec"))
                || (Module.isWithin(owner.getPackageName(), "jnr")
                        && NATIVE_START.matcher(target.getName()).matches());
    }

    private static boolean isStarter(JavaClass type) {
        JavaClass base = type.getBaseComponentType();
        return base.isEquivalentTo(ProcessBuilder.class)
                || Module.isWithin(base.getPackageName(), "org.apache.commons.exec");
    }

    /** One class of the product reads the environment, so that a call can have that of its caller. */
    @ParameterizedTest
    @MethodSource("modules")
    void readsEnvironmentOfCaller(Module module) {
        Set<String> readers = Product.classesOf(module).stream()
                .filter(type -> type.getAccessesFromSelf().stream()
                        .map(JavaAccess::getTarget)
                        .anyMatch(target -> isOfSystem(target, "getenv")))
                .map(HabitsTest::topLevelName)
                .collect(Collectors.toCollection(TreeSet::new));
        int most = TOOLS.contains(module.directory()) ? 1 : 0;
        readers.remove(ENVIRONMENT);
        assertThat(readers)
                .as("classes of %s that call System.getenv instead of %s", module, ENVIRONMENT)
                .hasSizeLessThanOrEqualTo(most);
    }

    /** Positive control: the rule above detects the call of the class that it excepts. */
    @Test
    void readerOfEnvironmentIsRecognized() {
        assertThat(Product.CLASSES.get(ENVIRONMENT).getAccessesFromSelf())
                .anyMatch(access -> isOfSystem(access.getTarget(), "getenv"));
    }

    /** The command can be called within another program: one class uses the JVM's streams and its end. */
    @Test
    void commandUsesItsProcessInOneClass() {
        Set<String> users = Product.CLASSES.stream()
                .filter(type -> Module.isWithin(type.getPackageName(), "dev.paddock.cli"))
                .filter(type -> accessesOf(type).anyMatch(access -> isOfProcess(access.getTarget())))
                .map(JavaClass::getName)
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(users).containsExactly(PROCESS);
    }

    /**
     * What the command prints passes through one class that escapes it. Its bytes pass elsewhere: those of a
     * command, and those by which a picture is drawn.
     */
    @Test
    void commandPrintsThroughOneClass() {
        Set<String> makers = Product.CLASSES.stream()
                .filter(type -> Module.isWithin(type.getPackageName(), "dev.paddock.cli"))
                .filter(type -> accessesOf(type).anyMatch(access -> writes(access.getTarget())))
                .map(HabitsTest::topLevelName)
                .collect(Collectors.toCollection(TreeSet::new));
        makers.remove(STREAMS); // the record reads its own fields
        assertThat(makers).containsExactlyInAnyOrderElementsOf(WRITERS);
    }

    private static boolean writes(AccessTarget target) {
        JavaClass owner = target.getOwner();
        return (owner.isEquivalentTo(PrintStream.class) && target.getName().equals("<init>"))
                || (owner.getName().equals(STREAMS) && Set.of("out", "err").contains(target.getName()));
    }

    private static boolean isOfProcess(AccessTarget target) {
        JavaClass owner = target.getOwner();
        return (owner.isEquivalentTo(System.class)
                        && Set.of("in", "out", "err", "exit", "setIn", "setOut", "setErr")
                                .contains(target.getName()))
                || (owner.isEquivalentTo(Runtime.class)
                        && Set.of("exit", "halt", "addShutdownHook").contains(target.getName()))
                || owner.isEquivalentTo(FileDescriptor.class)
                || (owner.isEquivalentTo(Thread.class)
                        && target.getName().equals("setDefaultUncaughtExceptionHandler"));
    }

    @ParameterizedTest
    @MethodSource("modules")
    void keepsOffTerminal(Module module) {
        if (SPEAKERS.contains(module.directory())) {
            return;
        }
        Predicate<AccessTarget> terminal = target -> isOfSystem(target, "out")
                || isOfSystem(target, "err")
                || (target.getOwner().isAssignableTo(Throwable.class)
                        && target.getName().equals("printStackTrace")
                        && target.getFullName().endsWith("()"));
        assertThat(accesses(module, terminal))
                .as("%s writes to the terminal; only %s may", module, SPEAKERS)
                .isEmpty();
    }

    /** The other JVM of harness-pdf needs the jar of the logger that PDFBox calls, and discards what it logs. */
    private static boolean isJarOfPdfBox(Dependency dependency) {
        return dependency.getOriginClass().getName().equals("dev.paddock.harness.pdf.PdfReader")
                && dependency.getTargetClass().getName().equals("org.apache.commons.logging.LogFactory");
    }

    /**
     * Paddock brings no logging library: it logs through {@link System.Logger}, which one class finds.
     * One class of the command receives what libraries log. The JDK shows messages from INFO on unless
     * a program sets levels: those are for what somebody has to act on, so there is none.
     */
    @ParameterizedTest
    @MethodSource("modules")
    void logsThroughPlatformAndOnlyWarnings(Module module) {
        List<String> foreign =
                List.of("org.slf4j", "java.util.logging", "org.apache.commons.logging", "ch.qos.logback");
        Set<String> uses = Product.classesOf(module).stream()
                .filter(type -> !topLevelName(type).equals(LIBRARY_LOGS))
                .flatMap(type -> type.getDirectDependenciesFromSelf().stream())
                .filter(dependency -> !isJarOfPdfBox(dependency))
                .filter(dependency -> foreign.stream().anyMatch(name -> isOf(dependency.getTargetClass(), name)))
                .map(Dependency::getDescription)
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(uses).as("%s logs through none of %s", module, foreign).isEmpty();
        Set<String> others = Product.classesOf(module).stream()
                .filter(type -> !List.of(LATE_LOGGER, LIBRARY_LOGS).contains(topLevelName(type)))
                .flatMap(HabitsTest::accessesOf)
                .filter(access -> isOfSystem(access.getTarget(), "getLogger")
                        || access.getTarget().getName().equals("getLoggerFinder")
                        || isInfo(access.getTarget()))
                .map(JavaAccess::getDescription)
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(others)
                .as("%s finds its loggers by %s and logs nothing at INFO", module, LATE_LOGGER)
                .isEmpty();
    }

    /**
     * One class decides that executors' threads are daemons and inherit no thread-locals. The TCK's
     * threads run in tests alone.
     */
    @ParameterizedTest
    @MethodSource("modules")
    void executorsCreateThreadsInOneClass(Module module) {
        if (!module.isExecutor() || module.directory().equals("executor-tck")) {
            return;
        }
        Set<String> creations = Product.classesOf(module).stream()
                .filter(type -> !List.of(THREADS, RUN_THREADS).contains(type.getName()))
                .flatMap(HabitsTest::accessesOf)
                .filter(access -> createsThread(access.getTarget()))
                .map(JavaAccess::getDescription)
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(creations)
                .as("%s creates threads outside of %s", module, THREADS)
                .isEmpty();
    }

    /** Positive control: the rule above detects the calls of the class that it excepts. */
    @Test
    void threadsCreationIsRecognized() {
        assertThat(Product.CLASSES.get(THREADS).getAccessesFromSelf())
                .filteredOn(access -> createsThread(access.getTarget()))
                .hasSize(2);
    }

    private static boolean createsThread(AccessTarget target) {
        JavaClass owner = target.getOwner();
        String name = target.getName();
        boolean byThread = owner.isAssignableTo(Thread.class) && CREATIONS.contains(name);
        boolean byPool = owner.isEquivalentTo(Executors.class) && name.startsWith("new");
        boolean byDefault = owner.isAssignableTo(ThreadPoolExecutor.class)
                && name.equals("<init>")
                && !target.getFullName().contains(ThreadFactory.class.getName());
        return byThread || byPool || byDefault || owner.isEquivalentTo(Timer.class);
    }

    private static boolean isOf(JavaClass type, String name) {
        return type.getName().equals(name) || Module.isWithin(type.getPackageName(), name);
    }

    private static Set<String> accesses(Module module, Predicate<AccessTarget> forbidden) {
        return Product.classesOf(module).stream()
                .flatMap(HabitsTest::accessesOf)
                .filter(access -> forbidden.test(access.getTarget()))
                .map(JavaAccess::getDescription)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Stream<JavaAccess<?>> accessesOf(JavaClass type) {
        return Stream.concat(type.getAccessesFromSelf().stream(), type.getMethodReferencesFromSelf().stream());
    }

    private static boolean isOfSystem(AccessTarget target, String member) {
        return target.getOwner().isEquivalentTo(System.class)
                && target.getName().equals(member);
    }

    private static boolean isInfo(AccessTarget target) {
        return target.getOwner().isEquivalentTo(System.Logger.Level.class)
                && target.getName().equals("INFO");
    }

    private static String topLevelName(JavaClass type) {
        String name = type.getName();
        int nested = name.indexOf('$');
        return nested < 0 ? name : name.substring(0, nested);
    }
}
