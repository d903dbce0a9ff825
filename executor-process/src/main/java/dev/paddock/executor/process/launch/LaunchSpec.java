package dev.paddock.executor.process.launch;

import dev.paddock.executor.SpawnException;
import dev.paddock.executor.SpawnOptions.Stderr;
import dev.paddock.executor.SpawnOptions.Stdin;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One process to start: an argument list, exactly this environment, a directory, chosen descriptors. Immutable; created
 * by {@link #builder}.
 *
 * <p>Defaults: no environment, the directory {@code /}, an empty standard input, separate standard error, no descriptor
 * above 2. Every process gets its own session, default signal dispositions and an empty signal mask. Passes all texts
 * as UTF-8, whatever the JVM's locale.
 *
 * @since 0.1
 */
public final class LaunchSpec {

    private static final int MAX_DESCRIPTOR = 255;

    private final List<String> argv;
    private final Map<String, String> env;
    private final String directory;
    private final Stdin stdin;
    private final Stderr stderr;
    private final Map<Integer, ChildDescriptor> descriptors;
    private final Optional<Terminal> terminal;

    private LaunchSpec(
            List<String> argv,
            Map<String, String> env,
            String directory,
            Stdin stdin,
            Stderr stderr,
            Map<Integer, ChildDescriptor> descriptors,
            Optional<Terminal> terminal) {
        argv = List.copyOf(argv);
        env = Map.copyOf(env);
        descriptors = Map.copyOf(descriptors);
        if (argv.isEmpty() || !argv.get(0).startsWith("/")) {
            throw new SpawnException("the program is not an absolute path: " + (argv.isEmpty() ? "none" : argv.get(0)));
        }
        if (!directory.startsWith("/")) {
            throw new SpawnException("the working directory is not an absolute path: '" + directory + "'");
        }
        requireNoNul("an argument of " + argv.get(0), argv);
        requireNoNul("the working directory", List.of(directory));
        requireNoNul("a variable of the environment", env.keySet());
        requireNoNul("a variable of the environment", env.values());
        for (int number : descriptors.keySet()) {
            if (number < 3 || number > MAX_DESCRIPTOR) {
                throw new SpawnException("a descriptor is not within 3 to " + MAX_DESCRIPTOR + ": " + number);
            }
        }
        this.argv = argv;
        this.env = env;
        this.directory = directory;
        this.stdin = stdin;
        this.stderr = stderr;
        this.descriptors = descriptors;
        this.terminal = terminal;
    }

    private static void requireNoNul(String subject, Iterable<String> texts) {
        for (String text : texts) {
            if (text.indexOf('\0') >= 0) {
                throw new SpawnException(subject + " contains NUL");
            }
        }
    }

    /**
     * Returns a builder with the defaults.
     *
     * @param argv the program's absolute path, and its arguments
     * @return the builder
     */
    public static Builder builder(String... argv) {
        return new Builder(List.of(argv));
    }

    /**
     * Returns a builder with the defaults.
     *
     * @param argv the program's absolute path, and its arguments
     * @return the builder
     */
    public static Builder builder(List<String> argv) {
        return new Builder(argv);
    }

    /** {@return the program's absolute path, and its arguments} */
    public List<String> argv() {
        return argv;
    }

    /** {@return the whole environment; nothing is inherited} */
    public Map<String, String> env() {
        return env;
    }

    /** {@return the directory to start in, an absolute host path} */
    public String directory() {
        return directory;
    }

    /** {@return the source of standard input: empty or a pipe} */
    public Stdin stdin() {
        return stdin;
    }

    /** {@return the destination of standard error: separate, or in one pipe with standard output} */
    public Stderr stderr() {
        return stderr;
    }

    /** {@return the descriptors from 3 on by number; numbers between them are closed} */
    public Map<Integer, ChildDescriptor> descriptors() {
        return descriptors;
    }

    /** {@return the controlling terminal of the process, which replaces its standard streams} */
    public Optional<Terminal> terminal() {
        return terminal;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof LaunchSpec that && parts().equals(that.parts());
    }

    @Override
    public int hashCode() {
        return parts().hashCode();
    }

    /** Names the variables, but does not show their values, which may be secret; for logs. */
    @Override
    public String toString() {
        return "LaunchSpec" + List.of(argv, env.keySet(), directory, stdin, stderr, descriptors, terminal);
    }

    private List<Object> parts() {
        return List.of(argv, env, directory, stdin, stderr, descriptors, terminal);
    }

    /** Collects a specification. Not thread-safe. */
    public static final class Builder {
        private final List<String> argv;
        private final Map<String, String> env = new TreeMap<>();
        private final Map<Integer, ChildDescriptor> descriptors = new TreeMap<>();
        private String directory = "/";
        private Stdin stdin = Stdin.EMPTY;
        private Stderr stderr = Stderr.SEPARATE;
        private Optional<Terminal> terminal = Optional.empty();

        private Builder(List<String> argv) {
            this.argv = new ArrayList<>(argv);
        }

        /**
         * Adds variables.
         *
         * @param variables names and values
         * @return this builder
         */
        public Builder env(Map<String, String> variables) {
            env.putAll(variables);
            return this;
        }

        /**
         * Adds one variable.
         *
         * @param name its name
         * @param value its value
         * @return this builder
         */
        public Builder env(String name, String value) {
            env.put(name, value);
            return this;
        }

        /**
         * Sets the directory to start in.
         *
         * @param path an absolute host path
         * @return this builder
         */
        public Builder directory(String path) {
            directory = path;
            return this;
        }

        /**
         * Sets the source of the process's standard input.
         *
         * @param value empty or a pipe
         * @return this builder
         */
        public Builder stdin(Stdin value) {
            stdin = value;
            return this;
        }

        /**
         * Sets the destination of standard error.
         *
         * @param value separate, or in one pipe with standard output
         * @return this builder
         */
        public Builder stderr(Stderr value) {
            stderr = value;
            return this;
        }

        /**
         * Adds a descriptor.
         *
         * @param number its number on the process's side, 3 to 255
         * @param descriptor the file that it refers to
         * @return this builder
         */
        public Builder descriptor(int number, ChildDescriptor descriptor) {
            descriptors.put(number, descriptor);
            return this;
        }

        /**
         * Gives the process a controlling terminal, which replaces its standard input, output and error.
         *
         * @param value the terminal; owned by the process after its launch, by the caller before
         * @return this builder
         */
        public Builder terminal(Terminal value) {
            terminal = Optional.of(value);
            return this;
        }

        /**
         * Builds the specification.
         *
         * @return the specification
         * @throws SpawnException if a value is out of range; the message names it
         */
        public LaunchSpec build() {
            return new LaunchSpec(argv, env, directory, stdin, stderr, descriptors, terminal);
        }
    }
}
