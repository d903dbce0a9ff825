package dev.paddock.executor.process;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.paddock.executor.AbortSignal;
import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.ExecutorDisposedException;
import dev.paddock.executor.Guarantee;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.SpawnException;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.process.launch.ChildDescriptor;
import dev.paddock.executor.process.launch.ChildProcess;
import dev.paddock.executor.process.launch.HostEnvironment;
import dev.paddock.executor.process.launch.LaunchSpec;
import dev.paddock.executor.process.launch.Terminal;
import dev.paddock.executor.process.supervise.ProcessTableMark;
import dev.paddock.executor.process.supervise.Supervisor;
import dev.paddock.executor.process.warm.CommandRequest;
import dev.paddock.executor.process.warm.CommandRequest.Transport;
import dev.paddock.executor.process.warm.ShellStub;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Runs commands on this machine behind a program that its caller chooses, such as {@code nice},
 * {@code unshare}, {@code setpriv}, {@code firejail} or {@code ip netns exec}: the smallest custom
 * executor.
 *
 * <pre>{@code
 * CommandExecutor executor = WrappedExecutor.of("nice", List.of("nice", "-n", "19"));
 * }</pre>
 *
 * <p>The wrapper is started with {@code /bin/sh} and its arguments appended to its own, and has to run
 * that program with its own standard streams; for a command with a terminal it also has to pass on the
 * descriptors 3 and 4. The shell then enters the command's directory and executes the command, which
 * appears on no command line before that.
 *
 * <p>Commands have the environment of {@code HostExecutor}, the variables of
 * {@link Builder#env(String, String)} and their own. Their processes end with them, with an abort,
 * with the executor, and with the JVM: those of the session, of the process group, of the parent
 * chain, and those with the marker in their environment. The executor claims no guarantee by itself,
 * since guarantees depend on the wrapper; {@link Builder#claim} claims them, and the contract suite tests them.
 *
 * @since 0.1
 */
public final class WrappedExecutor implements CommandExecutor {
    private static final int MAX_COMPLAINT = 4096;

    private final String name;
    private final List<String> wrapper;
    private final Map<String, String> env;
    private final Set<Guarantee> claimed;
    private final Supervisor supervisor;

    private WrappedExecutor(Builder builder) {
        name = builder.name;
        wrapper = builder.program();
        env = Map.copyOf(builder.env);
        claimed = Set.copyOf(builder.claimed);
        supervisor = Supervisor.create(name, /* keepsLeftovers */ false);
    }

    /**
     * Creates an executor with the defaults.
     *
     * @param name its name, for messages
     * @param wrapper the program, as a path or a name on {@code PATH}, and its arguments
     * @return the executor; the caller disposes of it
     * @throws IllegalArgumentException if the list is empty
     * @throws SpawnException if the program does not exist
     */
    public static WrappedExecutor of(String name, List<String> wrapper) {
        return builder(name, wrapper).build();
    }

    /**
     * Returns a builder with the defaults.
     *
     * @param name the executor's name, for messages
     * @param wrapper the program, as a path or a name on {@code PATH}, and its arguments
     * @return the builder
     * @throws IllegalArgumentException if the list is empty
     */
    public static Builder builder(String name, List<String> wrapper) {
        return new Builder(name, wrapper);
    }

    @Override
    public ProcessLike spawn(String command, SpawnOptions options) {
        if (options.terminal().isPresent() && supervisor.terminals().isEmpty()) {
            options.refuseTerminal(name);
        }
        options.refusePublishing(name, "it is not known which network its program gives to commands");
        options.signal().throwIfAborted();
        CommandRequest request = new CommandRequest(
                HostEnvironment.SHELL, command, options.cwd(), options.env(), options.stdin(), options.stderr());
        Optional<Terminal> terminal =
                options.terminal().flatMap(size -> supervisor.terminals().map(source -> source.open(size)));
        // A terminal would echo a request on its input.
        Transport transport = terminal.isPresent() ? Transport.DESCRIPTORS : Transport.STANDARD_STREAMS;
        String marker = supervisor.newMarker();
        ProcessTableMark before = supervisor.now();
        ChildProcess shell = launch(stub(transport, terminal, options, marker), terminal);
        AbortSignal.Registration abort = options.signal().onAbort(() -> supervisor.discard(shell));
        try {
            execute(shell, request, transport);
        } catch (SpawnException refused) {
            options.signal().throwIfAborted();
            throw refused;
        } finally {
            abort.close();
        }
        return supervisor.supervise(shell, options, supervisor.hostTree(shell, marker, before));
    }

    private LaunchSpec stub(Transport transport, Optional<Terminal> terminal, SpawnOptions options, String marker) {
        List<String> argv = new ArrayList<>(wrapper);
        argv.addAll(List.of(HostEnvironment.SHELL, "-c", transport.bootstrap(), "sh"));
        LaunchSpec.Builder spec = LaunchSpec.builder(argv)
                .env(env)
                .env(MARKER, marker)
                .stdin(SpawnOptions.Stdin.PIPE) // carries the request
                .stderr(options.stderr());
        if (terminal.isPresent()) {
            spec.terminal(terminal.get())
                    .descriptor(CommandRequest.REQUEST_DESCRIPTOR, new ChildDescriptor.Reads())
                    .descriptor(CommandRequest.ANSWER_DESCRIPTOR, new ChildDescriptor.Writes(true));
        }
        return spec.build();
    }

    private ChildProcess launch(LaunchSpec spec, Optional<Terminal> terminal) {
        try {
            return supervisor.launch(spec);
        } catch (RuntimeException fault) {
            terminal.ifPresent(Terminal::close);
            throw fault;
        }
    }

    private void execute(ChildProcess shell, CommandRequest request, Transport transport) {
        try {
            ShellStub.execute(shell, request, transport).requireReady(request);
            if (request.stdin() == SpawnOptions.Stdin.EMPTY) {
                shell.stdin().close();
            }
        } catch (IOException fault) {
            supervisor.discard(shell);
            throw supervisor.isDisposed()
                    ? new ExecutorDisposedException(name)
                    : new SpawnException(
                            "the wrapper " + wrapper.get(0) + " did not run its shell: " + fault.getMessage()
                                    + complaint(shell),
                            fault);
        } catch (SpawnException refused) {
            supervisor.discard(shell);
            throw supervisor.isDisposed() ? new ExecutorDisposedException(name) : refused;
        }
    }

    /** Returns the wrapper's messages on standard error, a stream that {@link Supervisor#discard} has ended. */
    private static String complaint(ChildProcess shell) {
        try {
            String text = new String(shell.stderr().readNBytes(MAX_COMPLAINT), UTF_8).strip();
            return text.isEmpty() ? "" : ". It wrote: " + text;
        } catch (IOException unreadable) {
            return ""; // standard error is the caller's, or closed
        }
    }

    @Override
    public Set<Guarantee> guarantees() {
        return claimed;
    }

    @Override
    public void dispose() {
        supervisor.close();
    }

    @Override
    public boolean isDisposed() {
        return supervisor.isDisposed();
    }

    @Override
    public String toString() {
        return "WrappedExecutor[" + name + ": " + String.join(" ", wrapper) + "]";
    }

    /** Collects an executor's options. Not thread-safe. */
    public static final class Builder {
        private final String name;
        private final List<String> wrapper;
        private final Map<String, String> env = new LinkedHashMap<>(HostEnvironment.minimal());
        private final Set<Guarantee> claimed = EnumSet.noneOf(Guarantee.class);

        private Builder(String name, List<String> wrapper) {
            if (wrapper.isEmpty()) {
                throw new IllegalArgumentException("the wrapper of the executor " + name + " is empty: name a program");
            }
            this.name = name;
            this.wrapper = List.copyOf(wrapper);
        }

        /**
         * Sets a variable of the wrapper and of every command.
         *
         * @param variable its name
         * @param value its value
         * @return this builder
         */
        public Builder env(String variable, String value) {
            CommandRequest.requireVariable(variable, value);
            env.put(variable, value);
            return this;
        }

        /**
         * Claims a guarantee that this wrapper gives; the contract suite tests it.
         *
         * @param guarantee the guarantee, such as {@link Guarantee#EXACT_STATUS} of a wrapper that replaces itself by
         *     the shell
         * @return this builder
         */
        public Builder claim(Guarantee guarantee) {
            claimed.add(guarantee);
            return this;
        }

        private List<String> program() {
            String program = HostEnvironment.findProgram(wrapper.get(0))
                    .orElseThrow(() -> new SpawnException("the wrapper of the executor " + name
                            + " is neither a program on PATH nor the path of one: '" + wrapper.get(0) + "'"));
            List<String> found = new ArrayList<>(wrapper);
            found.set(0, program);
            return List.copyOf(found);
        }

        /**
         * Creates the executor.
         *
         * @return the executor; the caller disposes of it
         * @throws SpawnException if the program does not exist
         */
        public WrappedExecutor build() {
            return new WrappedExecutor(this);
        }
    }
}
