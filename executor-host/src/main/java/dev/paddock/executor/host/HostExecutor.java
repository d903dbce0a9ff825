package dev.paddock.executor.host;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.Guarantee;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.SpawnException;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.process.launch.HostEnvironment;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * Runs commands on the host itself. Nothing isolates them: they may do what the user may do. The
 * integrator has to choose it by name; no other backend falls back to it.
 *
 * <p>Defaults: the shell {@code /bin/sh}; of the host's environment {@code PATH}, {@code HOME},
 * {@code LANG}, {@code LC_*}, {@code TERM}, {@code TZ}, {@code USER}, {@code LOGNAME} and
 * {@code SHELL}; the supervisor ends the processes that a command leaves running; two warm slots,
 * which start with the first command.
 *
 * <p>A command's process tree is every process of its session, of its process group, of its parent
 * chain, and every process with its marker in the environment. A daemon that escapes all four is
 * not found, so that {@link Guarantee#TREE_KILL} is not claimed. {@link Guarantee#EXACT_STATUS} is
 * claimed where processes can be started through the C library (glibc 2.34 or later, macOS 11 or
 * later); elsewhere an exit code of 128 + n is reported as death by signal n.
 *
 * <p>An environment variable of 128 KiB or more is rejected: the kernel would start no program with
 * it.
 */
public final class HostExecutor implements CommandExecutor {
    private final HostCommands commands;

    private HostExecutor(Builder builder) {
        commands = builder.commands();
    }

    /**
     * Creates an executor with the defaults.
     *
     * @return the executor; owned by the caller
     */
    public static HostExecutor create() {
        return builder().build();
    }

    /**
     * Returns a builder with the defaults.
     *
     * @return the builder
     */
    public static Builder builder() {
        return new Builder();
    }

    @Override
    public ProcessLike spawn(String command, SpawnOptions options) {
        return commands.spawn(command, options);
    }

    @Override
    public void dispose() {
        commands.dispose();
    }

    @Override
    public Set<Guarantee> guarantees() {
        return commands.isExact() ? Set.of(Guarantee.EXACT_STATUS) : Set.of();
    }

    @Override
    public String name() {
        return HostProvider.NAME;
    }

    /** Collects an executor's options. Not safe for use by several threads. */
    public static final class Builder {
        private final Map<String, String> env = new LinkedHashMap<>(HostEnvironment.minimal());
        private String shell = HostEnvironment.SHELL;
        private boolean keepLeftovers;
        private int warmSlots = 2;
        private HostCommands.Means means = HostCommands.Means.BEST;

        private Builder() {}

        /**
         * Sets a variable of every command's environment.
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
         * Sets variables of every command's environment.
         *
         * @param variables names and values
         * @return this builder
         */
        public Builder env(Map<String, String> variables) {
            env.putAll(variables);
            return this;
        }

        /**
         * Passes host variables to every command, if they are set.
         *
         * @param names their names
         * @return this builder
         */
        public Builder inherit(String... names) {
            Map<String, String> host = HostEnvironment.all();
            for (String name : names) {
                if (host.containsKey(name)) {
                    env.put(name, host.get(name));
                }
            }
            return this;
        }

        /**
         * Passes all host variables to every command, including those that hold secrets.
         *
         * @return this builder
         */
        public Builder inheritAll() {
            env.putAll(HostEnvironment.all());
            return this;
        }

        /**
         * Empties the commands' environment: drops the defaults and every variable set or inherited
         * so far.
         *
         * @return this builder
         */
        public Builder clearEnv() {
            env.clear();
            return this;
        }

        /**
         * Sets the commands' shell.
         *
         * @param program a POSIX shell: an absolute path, or a name to look up on the JVM's
         *     {@code PATH}
         * @return this builder
         */
        public Builder shell(String program) {
            shell = program;
            return this;
        }

        /**
         * Keeps the processes that a command leaves running until the executor is disposed of. By
         * default the supervisor ends them when the command's main process has exited (C8). With
         * {@code true}, the streams stay open while such a process holds them.
         *
         * @param value whether to keep them
         * @return this builder
         */
        public Builder keepLeftovers(boolean value) {
            keepLeftovers = value;
            return this;
        }

        /**
         * Sets the number of warm slots: shells that are started beforehand and wait for a command.
         *
         * @param number 0 for none
         * @return this builder
         * @throws IllegalArgumentException if it is negative
         */
        public Builder warmSlots(int number) {
            if (number < 0) {
                throw new IllegalArgumentException("the number of warm slots is negative: " + number);
            }
            warmSlots = number;
            return this;
        }

        /** Starts processes by another mechanism than this machine's best. */
        Builder means(HostCommands.Means value) {
            means = value;
            return this;
        }

        /**
         * Creates the executor.
         *
         * @return the executor; owned by the caller
         * @throws SpawnException if the shell does not exist, or a variable cannot be passed to a
         *     program
         */
        public HostExecutor build() {
            return new HostExecutor(this);
        }

        private HostCommands commands() {
            String program = HostEnvironment.findProgram(shell)
                    .orElseThrow(
                            () -> new SpawnException("the shell is not there, or may not be run: '" + shell + "'"));
            return HostCommands.create(new HostPlan(program, HostPlan.passable(env)), keepLeftovers, warmSlots, means);
        }
    }
}
