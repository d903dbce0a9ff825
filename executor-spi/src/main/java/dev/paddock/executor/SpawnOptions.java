package dev.paddock.executor;

import dev.paddock.executor.variable.ShellVariables;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The directory, environment, streams, abort signal and kill grace of one command. Immutable, safe
 * for use by several threads; made by {@link #builder} or {@link #in}.
 *
 * <p>Defaults: no extra variables, a signal that is never aborted, 2 seconds of grace, an empty
 * standard input, standard error separate from standard output, no terminal, no published port, the executor's own
 * shell.
 *
 * @since 0.1
 */
public final class SpawnOptions {

    /** The default of {@link #killGrace()}: 2 seconds. */
    public static final Duration DEFAULT_KILL_GRACE = Duration.ofSeconds(2);

    /** The longest grace: an hour. */
    public static final Duration MAX_KILL_GRACE = Duration.ofHours(1);

    /** The source of the command's standard input. */
    public enum Stdin {
        /** No input: the end of input at once. */
        EMPTY,
        /** The bytes written to {@link ProcessLike#stdin()}, until that stream is closed. */
        PIPE
    }

    /** The destination of the command's standard error. */
    public enum Stderr {
        /** To {@link ProcessLike#stderr()}. */
        SEPARATE,
        /** To {@link ProcessLike#stdout()}, in the order written. */
        MERGED
    }

    private final String cwd;
    private final Map<String, String> env;
    private final AbortSignal signal;
    private final Duration killGrace;
    private final Stdin stdin;
    private final Stderr stderr;
    private final Optional<TerminalSize> terminal;
    private final CommandShell shell;
    private final List<PublishedPort> published;

    private SpawnOptions(Builder builder) {
        cwd = builder.cwd;
        env = Map.copyOf(builder.env);
        signal = builder.signal;
        killGrace = builder.killGrace;
        terminal = builder.terminal;
        shell = builder.shell;
        published = List.copyOf(builder.published);
        stdin = terminal.isPresent() ? Stdin.PIPE : builder.stdin;
        stderr = terminal.isPresent() ? Stderr.MERGED : builder.stderr;
        if (!cwd.startsWith("/") || cwd.indexOf('\0') >= 0) {
            throw new SpawnException("the working directory is not an absolute path: '" + printable(cwd) + "'");
        }
        if (killGrace.isNegative() || killGrace.compareTo(MAX_KILL_GRACE) > 0) {
            throw new SpawnException("the kill grace is not within 0 s and 1 h: " + killGrace);
        }
        if (published.size() > PublishedPort.MAX_PORTS) {
            throw new SpawnException("a command publishes at most " + PublishedPort.MAX_PORTS + " ports, not "
                    + published.size() + ": " + published);
        }
        builder.env.forEach(SpawnOptions::requireVariable);
    }

    /**
     * Returns the defaults for a directory.
     *
     * @param cwd the directory on the command's side, absolute
     * @return the options
     * @throws SpawnException if the directory is not an absolute path
     */
    public static SpawnOptions in(String cwd) {
        return builder(cwd).build();
    }

    /**
     * Returns a builder with the defaults.
     *
     * @param cwd the directory on the command's side, absolute
     * @return the builder
     */
    public static Builder builder(String cwd) {
        return new Builder(cwd);
    }

    /**
     * Returns a builder with these options, for a changed copy.
     *
     * @return the builder
     */
    public Builder toBuilder() {
        Builder copy = new Builder(cwd)
                .env(env)
                .signal(signal)
                .killGrace(killGrace)
                .stdin(stdin)
                .stderr(stderr)
                .shell(shell);
        copy.terminal = terminal;
        copy.published.addAll(published);
        return copy;
    }

    /**
     * Returns the directory that the command starts in.
     *
     * @return an absolute path on the command's side; it must exist there (C4)
     */
    public String cwd() {
        return cwd;
    }

    /**
     * Returns the variables that the executor adds to its base environment, replacing those of the
     * same name (C3). Names are identifiers ({@code [A-Za-z_][A-Za-z0-9_]*}), values have no NUL.
     * The shell sets {@code PWD}, {@code OLDPWD}, {@code SHLVL} and {@code _} itself.
     *
     * @return an unmodifiable map
     */
    public Map<String, String> env() {
        return env;
    }

    /**
     * Returns the signal whose abort ends the command: TERM to the tree, KILL after the grace
     * (C10).
     *
     * @return the signal
     */
    public AbortSignal signal() {
        return signal;
    }

    /**
     * Returns how long the tree has between TERM and KILL.
     *
     * @return zero to {@link #MAX_KILL_GRACE}
     */
    public Duration killGrace() {
        return killGrace;
    }

    /**
     * Returns whether the command's standard input is empty or a pipe.
     *
     * @return empty or a pipe
     */
    public Stdin stdin() {
        return stdin;
    }

    /**
     * Returns whether standard error is separate from or merged into standard output.
     *
     * @return separate or merged
     */
    public Stderr stderr() {
        return stderr;
    }

    /**
     * Returns the size of the command's terminal.
     *
     * @return empty unless {@link Builder#terminal} was called
     */
    public Optional<TerminalSize> terminal() {
        return terminal;
    }

    /**
     * Returns the shell that runs the command.
     *
     * @return the shell; an executor whose {@link CommandExecutor#shells()} lack it takes its own
     */
    public CommandShell shell() {
        return shell;
    }

    /**
     * Returns the ports of the command that programs of this machine reach.
     *
     * @return an unmodifiable list, at most {@value PublishedPort#MAX_PORTS}; empty unless {@link Builder#publish}
     *     was called
     */
    public List<PublishedPort> published() {
        return published;
    }

    /**
     * Refuses options that publish a port. Called by an executor without {@link Guarantee#PUBLISHED_PORTS} whose
     * commands have this machine's network, before it starts anything.
     *
     * @param executor the executor's {@linkplain CommandExecutor#name() name}, for the message
     * @throws SpawnException if the options publish a port
     */
    public void refusePublishing(String executor) {
        refusePublishing(
                executor,
                "its commands have this machine's own network, and a port that they listen on is reachable at"
                        + " 127.0.0.1 without it; leave the option out");
    }

    /**
     * Refuses options that publish a port, for another reason.
     *
     * @param executor the executor's {@linkplain CommandExecutor#name() name}, for the message
     * @param reason why it cannot publish a port, and what to do instead
     * @throws SpawnException if the options publish a port
     */
    public void refusePublishing(String executor, String reason) {
        if (!published.isEmpty()) {
            throw new SpawnException("the executor '" + executor + "' cannot publish port "
                    + published.get(0).port() + ": " + reason);
        }
    }

    /**
     * Refuses options that ask for a terminal. Called by an executor without
     * {@link Guarantee#TERMINAL} before it starts anything: a command that expects a terminal must
     * not run without one.
     *
     * @param executor the executor's {@linkplain CommandExecutor#name() name}, for the message
     * @throws SpawnException if the options ask for a terminal
     */
    public void refuseTerminal(String executor) {
        if (terminal.isPresent()) {
            throw new SpawnException("the executor '" + executor
                    + "' gives its commands no terminal: take one that has the guarantee TERMINAL, or start the"
                    + " command without a terminal");
        }
    }

    /** Names the variables, but does not show their values, which may be secret; for logs. */
    @Override
    public String toString() {
        return "SpawnOptions[cwd=" + printable(cwd) + ", env=" + env.keySet() + ", killGrace=" + killGrace + ", stdin="
                + stdin + ", stderr=" + stderr
                + terminal.map(size -> ", terminal=" + size).orElse("")
                + (published.isEmpty() ? "" : ", published=" + published) + "]";
    }

    private static void requireVariable(String name, String value) {
        if (!ShellVariables.isIdentifier(name)) {
            throw new SpawnException("an environment variable's name is not an identifier (" + ShellVariables.IDENTIFIER
                    + "): '" + printable(name) + "'");
        }
        if (ShellVariables.isReadOnly(name) || name.equals(CommandExecutor.MARKER)) {
            throw new SpawnException("the environment variable " + name + " is set by the "
                    + (name.equals(CommandExecutor.MARKER) ? "executor" : "shell") + " and cannot be given");
        }
        if (value.indexOf('\0') >= 0) {
            // The value may be a secret, so the message does not show it.
            throw new SpawnException("the value of the environment variable " + name + " contains NUL");
        }
    }

    private static String printable(String text) {
        return text.replace("\0", "\\0").replace("\n", "\\n");
    }

    /** Collects options. Not safe for use by several threads. */
    public static final class Builder {
        private final String cwd;
        private final Map<String, String> env = new LinkedHashMap<>();
        private AbortSignal signal = AbortSignal.never();
        private Duration killGrace = DEFAULT_KILL_GRACE;
        private Stdin stdin = Stdin.EMPTY;
        private Stderr stderr = Stderr.SEPARATE;
        private Optional<TerminalSize> terminal = Optional.empty();
        private CommandShell shell = CommandShell.OWN;
        private final List<PublishedPort> published = new ArrayList<>();

        private Builder(String cwd) {
            this.cwd = cwd;
        }

        /**
         * Sets one variable.
         *
         * @param name an identifier
         * @param value its value, without NUL
         * @return this builder
         */
        public Builder env(String name, String value) {
            env.put(name, value);
            return this;
        }

        /**
         * Sets several variables.
         *
         * @param variables names and values
         * @return this builder
         */
        public Builder env(Map<String, String> variables) {
            env.putAll(variables);
            return this;
        }

        /**
         * Sets the signal whose abort ends the command.
         *
         * @param value the signal
         * @return this builder
         */
        public Builder signal(AbortSignal value) {
            signal = value;
            return this;
        }

        /**
         * Sets how long the tree has between TERM and KILL.
         *
         * @param value zero (KILL at once) to {@link #MAX_KILL_GRACE}
         * @return this builder
         */
        public Builder killGrace(Duration value) {
            killGrace = value;
            return this;
        }

        /**
         * Sets the source of the command's standard input.
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
         * @param value separate or merged
         * @return this builder
         */
        public Builder stderr(Stderr value) {
            stderr = value;
            return this;
        }

        /**
         * Sets the shell that runs the command.
         *
         * @param value one of the executor's {@link CommandExecutor#shells()}
         * @return this builder
         */
        public Builder shell(CommandShell value) {
            shell = value;
            return this;
        }

        /**
         * Gives the command a controlling terminal of its own (C20): its standard input, output and
         * error. Only an executor with {@link Guarantee#TERMINAL} starts such a command.
         *
         * <p>{@link ProcessLike#stdin()} is then a pipe to the terminal's input and
         * {@link ProcessLike#stdout()} everything that it shows, whatever {@link #stdin} and
         * {@link #stderr} say. {@code TERM} is not set by itself.
         *
         * @param columns characters in a line, 1 to {@value TerminalSize#MAX}
         * @param rows lines, 1 to {@value TerminalSize#MAX}
         * @return this builder
         * @throws SpawnException if the size is out of its range
         */
        public Builder terminal(int columns, int rows) {
            try {
                terminal = Optional.of(new TerminalSize(columns, rows));
            } catch (IllegalArgumentException range) {
                throw new SpawnException("the terminal cannot have this size: " + range.getMessage(), range);
            }
            return this;
        }

        /**
         * Publishes a port of the command, for programs of this machine, on the loopback address {@code 127.0.0.1}
         * alone, until the command ends. Only an executor with {@link Guarantee#PUBLISHED_PORTS} starts
         * such a command; {@link ProcessLike#published()} has the ports of this machine.
         *
         * <p>A connection is accepted from the command's start on, and waits 10 seconds at most for a process of
         * the executor's commands to listen on the port.
         *
         * @param port the port; at most {@value PublishedPort#MAX_PORTS} of a command
         * @return this builder
         */
        public Builder publish(PublishedPort port) {
            published.add(port);
            return this;
        }

        /**
         * Builds the options.
         *
         * @return the options
         * @throws SpawnException if a value is out of its range; the message names it
         */
        public SpawnOptions build() {
            return new SpawnOptions(this);
        }
    }
}
