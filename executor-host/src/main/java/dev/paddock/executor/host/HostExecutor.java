package dev.paddock.executor.host;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.Guarantee;
import dev.paddock.executor.SpawnException;
import dev.paddock.executor.process.launch.HostEnvironment;
import dev.paddock.executor.sandbox.local.ExecutorBuilder;
import dev.paddock.executor.sandbox.local.LocalExecutor;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Runs commands on the host itself. Nothing isolates them: they may do what the user may do. The
 * integrator must choose it by name; no other backend falls back to it.
 *
 * <p>Defaults: the shell {@code /bin/sh}; of the host's environment {@code PATH}, {@code HOME},
 * {@code LANG}, {@code LC_*}, {@code TERM}, {@code TZ}, {@code USER}, {@code LOGNAME} and
 * {@code SHELL}; the supervisor ends the processes that a command leaves running; two warm slots,
 * which start with the first command.
 *
 * <p>A command's process tree is every process of its session, of its process group, of its parent
 * chain, and every process with its marker in the environment. A daemon that escapes all four is
 * not found, so {@link Guarantee#TREE_KILL} is not claimed. {@link Guarantee#EXACT_STATUS} is
 * claimed where processes can be started through the C library (glibc 2.34 or later, macOS 11 or
 * later); elsewhere an exit code of 128 + n is reported as death by signal n.
 *
 * <p>An environment variable of 128 KiB or more is rejected: the kernel would start no program with
 * it.
 *
 * @since 0.1
 */
public final class HostExecutor extends LocalExecutor {

    private HostExecutor(CommandExecutor commands) {
        super(commands);
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

    /** Collects an executor's options. Not safe for use by several threads. */
    public static final class Builder extends ExecutorBuilder<Builder> {
        private final Map<String, String> env = new LinkedHashMap<>(HostEnvironment.minimal());
        private boolean keepLeftovers;
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
            String program = HostEnvironment.findProgram(shell())
                    .orElseThrow(() -> new SpawnException(
                            "the shell '" + shell() + "' does not exist, or may not be executed: set another one"));
            HostPlan plan = new HostPlan(program, HostPlan.passable(env));
            return new HostExecutor(HostCommands.create(plan, keepLeftovers, warmSlots(), means));
        }

        @Override
        protected Builder self() {
            return this;
        }
    }
}
