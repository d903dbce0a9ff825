package dev.paddock.executor.tck;

import dev.paddock.executor.Guarantee;
import dev.paddock.executor.tck.context.Subjects;
import dev.paddock.executor.tck.escape.AllowedHostEscapes;
import dev.paddock.executor.tck.escape.Escape;
import dev.paddock.executor.tck.escape.FileEscapes;
import dev.paddock.executor.tck.escape.KernelEscapes;
import dev.paddock.executor.tck.escape.ProcessEscapes;
import dev.paddock.executor.tck.escape.ProtectionEscapes;
import dev.paddock.executor.tck.escape.SocketEscapes;
import dev.paddock.executor.tck.subject.ContractEnvironment;
import dev.paddock.executor.tck.subject.ContractSubject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Attempts to escape from a sandbox, each named after a real failure of such a system. An
 * implementer extends this class in addition to {@link CommandExecutorContract} and implements the
 * same method.
 *
 * <p>A test is skipped if the executor does not claim the {@linkplain Guarantee guarantee} that it
 * tests. Each attempt blocked inside is also made outside, where nothing blocks it, as a positive
 * control. The tests need a shell and the usual small programs on the command's side, and perl for
 * actions that a shell cannot express; tests that need perl are skipped without it.
 *
 * @since 0.1
 */
@Tag("contract")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@SuppressWarnings("exports") // how the suite runs does not concern implementers
public abstract class EscapeContract
        implements FileEscapes, ProtectionEscapes, ProcessEscapes, SocketEscapes, AllowedHostEscapes, KernelEscapes {

    /** Creates an {@link Escape} for each test, and closes it afterwards. */
    @RegisterExtension
    @SuppressWarnings("unused") // JUnit reads it
    final ParameterResolver escapes = new EscapeResolver();

    private Optional<ContractSubject> subject = Optional.empty();
    private Optional<Path> shared = Optional.empty();
    private Optional<Path> ungranted = Optional.empty();
    private Optional<Path> kept = Optional.empty();
    private int number;

    /** Called by the implementer's class. */
    protected EscapeContract() {}

    /**
     * Creates a new executor with the default policy, as for {@link CommandExecutorContract}.
     *
     * @param environment provides the directories that the executor must share
     * @return the executor and its properties that the suite needs
     * @throws Exception if it cannot be made; the tests fail with it
     */
    protected abstract ContractSubject subject(ContractEnvironment environment) throws Exception;

    /**
     * Returns whether the executor restores protected paths before it reports a command's result,
     * although it does not claim {@link Guarantee#PROTECTED_PATHS}. False by default: then the
     * attempts to change protected paths are skipped.
     *
     * @return whether it does
     */
    protected boolean putsProtectedPathsRight() {
        return false;
    }

    /**
     * Returns whether the executor can grant directories of this machine other than the worktree. True by
     * default: then a refusal is a failure.
     *
     * @return whether it can
     */
    protected boolean hasMounts() {
        return true;
    }

    @BeforeAll
    final void makeDirectories() throws Exception {
        Path directory = openToAll(Files.createTempDirectory("escape-inside-").toRealPath());
        shared = Optional.of(directory);
        ungranted = Optional.of(
                openToAll(Files.createTempDirectory("escape-outside-").toRealPath()));
        Path keptDirectory = Files.createTempDirectory("escape-kept-").toRealPath();
        kept = Optional.of(keptDirectory);
        subject = Optional.of(subject(ContractEnvironment.of(directory, keptDirectory)));
    }

    @AfterAll
    final void removeDirectories() throws IOException {
        subject.ifPresent(made -> made.executor().dispose());
        Subjects.remove(
                Stream.of(shared, ungranted, kept).flatMap(Optional::stream).toArray(Path[]::new));
    }

    /** Opens a directory to every user: commands may run as another user than this JVM. */
    private static Path openToAll(Path directory) throws IOException {
        return Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxrwxrwx"));
    }

    private synchronized Escape newEscape() throws IOException {
        number++;
        String name = "e" + number;
        return new Escape(
                subject.orElseThrow(),
                putsProtectedPathsRight(),
                hasMounts(),
                openToAll(Files.createDirectory(shared.orElseThrow().resolve(name))),
                openToAll(Files.createDirectory(ungranted.orElseThrow().resolve(name))));
    }

    private final class EscapeResolver implements ParameterResolver {
        private static final ExtensionContext.Namespace NAMESPACE = ExtensionContext.Namespace.create(Escape.class);

        @Override
        public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
            return parameter.getParameter().getType().equals(Escape.class);
        }

        @Override
        public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
            return context.getStore(NAMESPACE).computeIfAbsent(Escape.class, key -> made(), Escape.class);
        }

        private Escape made() {
            try {
                return newEscape();
            } catch (IOException fault) {
                throw new java.io.UncheckedIOException("a test's directories could not be made", fault);
            }
        }
    }
}
