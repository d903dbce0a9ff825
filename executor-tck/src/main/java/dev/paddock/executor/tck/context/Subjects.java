package dev.paddock.executor.tck.context;

import dev.paddock.executor.Availability;
import dev.paddock.executor.ExecutorProvider;
import dev.paddock.executor.Guarantee;
import dev.paddock.executor.ShellQuoting;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.tck.subject.ContractEnvironment;
import dev.paddock.executor.tck.subject.ContractSubject;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * Manages the subjects of one test class: the one that most tests share, and a factory for others.
 */
public final class Subjects implements AutoCloseable {
    private final Class<?> implementer;
    private final Factory factory;
    private final Class<?> childProgram;
    private final ContractEnvironment environment;
    private final Map<String, Boolean> tools = new ConcurrentHashMap<>();
    private final Map<ExecutorProvider, Set<Guarantee>> probed = new ConcurrentHashMap<>();
    private Optional<ContractSubject> shared = Optional.empty();
    private Optional<ContractSubject> other = Optional.empty();
    private int directories;

    /** Makes a new subject. */
    @FunctionalInterface
    public interface Factory {
        ContractSubject make(ContractEnvironment environment) throws Exception;
    }

    /**
     * Creates the directory that host and commands share, and the one for the files that executors
     * keep.
     *
     * @param implementer the implementer's class
     * @param factory the implementer's factory
     * @param childProgram the main class of a JVM that creates its own subject
     */
    public Subjects(Class<?> implementer, Factory factory, Class<?> childProgram) throws IOException {
        this.implementer = implementer;
        this.factory = factory;
        this.childProgram = childProgram;
        Path directory = Files.createTempDirectory("contract-").toRealPath();
        openToAll(directory);
        Path kept = Files.createTempDirectory("contract-kept-").toRealPath();
        this.environment = ContractEnvironment.of(directory, kept);
    }

    ContractEnvironment environment() {
        return environment;
    }

    Class<?> implementer() {
        return implementer;
    }

    Class<?> childProgram() {
        return childProgram;
    }

    ContractSubject shared() {
        return shared.orElseThrow(() -> new IllegalStateException("no test is running"));
    }

    ContractSubject make() throws Exception {
        return factory.make(environment);
    }

    /** Returns the class's second subject, for tests that need two executors and do not dispose of them. */
    synchronized ContractSubject other() throws Exception {
        if (other.isEmpty()) {
            other = Optional.of(make());
        }
        return other.get();
    }

    /** Tells the subject that a test was skipped. */
    public synchronized void skipped(String test, String reason) {
        shared.ifPresent(subject -> subject.onSkipped().accept(test, reason));
    }

    /** Creates the context of a test that begins, and tells the subject. */
    public synchronized ContractContext context(String test) throws Exception {
        if (shared.isEmpty()) {
            shared = Optional.of(make());
        }
        shared().onStarted().accept(test);
        directories++;
        Path directory = Files.createDirectory(environment.sharedDirectory().resolve("t" + directories));
        openToAll(directory);
        if (!shared().sharesFiles()) {
            shared().farSide().makeDirectory(commandPath(directory));
        }
        return new ContractContext(this, directory);
    }

    String commandPath(Path path) {
        return shared().shared()
                .toCommand(path)
                .orElseThrow(() -> new IllegalStateException("the subject's mapping " + shared().shared()
                        + " does not cover the shared directory " + environment.sharedDirectory()));
    }

    Set<Guarantee> probed(ExecutorProvider provider) {
        return probed.computeIfAbsent(provider, Subjects::probe);
    }

    private static Set<Guarantee> probe(ExecutorProvider provider) {
        return switch (provider.probe()) {
            case Availability.Usable usable -> usable.guarantees();
            case Availability.Unusable unusable ->
                throw new AssertionError("the subject's provider cannot be used: " + unusable);
        };
    }

    boolean hasTool(String program) throws InterruptedException {
        Boolean known = tools.get(program);
        if (known == null) {
            SpawnOptions options = SpawnOptions.in(commandPath(environment.sharedDirectory()));
            String query = "command -v " + ShellQuoting.posix(program) + " >/dev/null";
            // Waits for its close: an executor that protects paths would attribute the files that the test creates
            // next to the command.
            known = new Running(shared().executor().spawn(query, options), shared().patience())
                    .outcome()
                    .status()
                    .isSuccess();
            tools.put(program, known);
        }
        return known;
    }

    @Override
    public void close() throws IOException {
        try {
            other.ifPresent(subject -> subject.executor().dispose());
            shared.ifPresent(subject -> subject.executor().dispose());
        } finally {
            remove(environment.sharedDirectory(), environment.keptDirectory());
        }
    }

    /** Removes directories with {@code rm}: a test's paths may exceed the kernel's limit. */
    public static void remove(Path... directories) throws IOException {
        List<String> command = new ArrayList<>(List.of("rm", "-rf", "--"));
        Stream.of(directories).map(Path::toString).forEach(command::add);
        Process rm = new ProcessBuilder(command).inheritIO().start();
        try {
            if (rm.waitFor() != 0) {
                throw new IOException(List.of(directories) + " cannot be removed");
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException(List.of(directories) + " could not be removed: interrupted");
        }
    }

    /** Opens a directory to every user: commands may run as another user than this JVM. */
    private static void openToAll(Path directory) throws IOException {
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxrwxrwx"));
    }
}
