package dev.paddock.executor.tck.subject;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The suite's input to the implementer's factory of executors.
 *
 * @since 0.1
 */
public final class ContractEnvironment {
    private final Path sharedDirectory;
    private final Path keptDirectory;

    private ContractEnvironment(Path sharedDirectory, Path keptDirectory) {
        this.sharedDirectory = sharedDirectory;
        this.keptDirectory = keptDirectory;
    }

    /**
     * Returns an environment.
     *
     * @param sharedDirectory a directory that the executor's commands must be able to read and write
     * @param keptDirectory a directory for files that the executor keeps for its user
     * @return the environment
     */
    public static ContractEnvironment of(Path sharedDirectory, Path keptDirectory) {
        return new ContractEnvironment(sharedDirectory, keptDirectory);
    }

    /**
     * {@return a directory of the host, real and absolute, that the executor's commands must be able to
     * read and write, at whatever path they see it} The suite makes one per test class, writable for every
     * user, and removes it. No other directory of the host needs to be shared.
     */
    public Path sharedDirectory() {
        return sharedDirectory;
    }

    /**
     * {@return a directory of the host, real and absolute, for files that the executor keeps for its user,
     * such as a quarantine} The suite makes one per test class and removes it, including trees too deep
     * for a single path.
     */
    public Path keptDirectory() {
        return keptDirectory;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ContractEnvironment that && parts().equals(that.parts());
    }

    @Override
    public int hashCode() {
        return parts().hashCode();
    }

    @Override
    public String toString() {
        return "ContractEnvironment" + parts();
    }

    private List<Object> parts() {
        return List.of(sharedDirectory, keptDirectory);
    }
}
