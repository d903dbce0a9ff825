package dev.paddock.executor.bwrap;

import static dev.paddock.executor.CommandExecutor.MARKER;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.paddock.executor.ExitStatus;
import dev.paddock.executor.SandboxUnavailableException;
import dev.paddock.executor.SpawnOptions.Stderr;
import dev.paddock.executor.TerminalSize;
import dev.paddock.executor.os.table.PidfdProcess;
import dev.paddock.executor.process.launch.ChildDescriptor;
import dev.paddock.executor.process.launch.ChildProcess;
import dev.paddock.executor.process.launch.LaunchSpec;
import dev.paddock.executor.process.launch.LaunchThread;
import dev.paddock.executor.process.launch.Terminal;
import dev.paddock.executor.process.supervise.Supervisor;
import dev.paddock.executor.process.warm.CommandLauncher;
import dev.paddock.executor.process.warm.CommandRequest;
import dev.paddock.executor.process.warm.NativeStub;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/**
 * Starts bubblewrap with a stub in the sandbox that waits for a {@link CommandRequest}: the native stub, or a shell
 * where that cannot run.
 *
 * <p>Bubblewrap itself has a marker in its environment, as a command has. Its process in the sandbox waits for the
 * outer one to write the user namespace's maps, and only later asks to die with it: if the outer one is killed in
 * between, with the JVM, the inner one blocks forever. The reaper or the next sweep finds it by the marker.
 *
 * <p>The command's streams are separate descriptors, which bubblewrap passes on and does not keep open: when the
 * command closes one, it is closed. Bubblewrap's own standard output and error carry messages of failures before the
 * command.
 */
final class SandboxLauncher {
    static final int STDIN = 7;
    static final int STDOUT = 8;
    static final int STDERR = 9;

    private static final int INFORMATION = 10;
    private static final int ARGUMENTS = 11;
    private static final int FILTER = 12;
    private static final int PROGRAM = 13;
    private static final int PROGRAMS_FIRST_CGROUP = 14;
    private static final int MAX_CGROUPS = 8;

    /** A shell script can name only one-digit descriptors, and most of them are taken. */
    private static final int SHELLS_FIRST_CGROUP = 5;

    private static final int MAX_SHELL_CGROUPS = 2;
    private static final String UP = "up";

    /**
     * The shell takes its streams and then reports ready, so that the host can find its process before it continues.
     */
    private static final String SCRIPT = "exec <&" + STDIN + " >&" + STDOUT + " 2>&" + STDERR + " " + STDIN + "<&- "
            + STDOUT + ">&- " + STDERR + ">&-\necho " + UP + " >&" + CommandRequest.ANSWER_DESCRIPTOR + "\n"
            + CommandRequest.Transport.DESCRIPTORS.bootstrap();

    private static final int MAX_MESSAGE_LENGTH = 2000;

    private final Bubblewrap programs;
    private final Supervisor supervisor;
    private final LaunchThread thread;
    private final byte[] filter;
    private final List<ChildDescriptor> cgroupProcs;
    private final Optional<NativeStub> program = NativeStub.as(PROGRAM);
    private final CommandLauncher commands;

    /**
     * Creates a launcher.
     *
     * @param thread starts bubblewrap, which dies with that thread; it must outlive the sandboxes
     * @param filter the system-call filter
     * @param cgroupProcs the {@code cgroup.procs} descriptors through which the stub enters its cgroup; {@link
     *     #mostCgroupProcs} at most
     */
    SandboxLauncher(
            Bubblewrap programs,
            Supervisor supervisor,
            LaunchThread thread,
            byte[] filter,
            List<ChildDescriptor> cgroupProcs) {
        this.programs = programs;
        this.supervisor = supervisor;
        this.commands = CommandLauncher.of(supervisor, PROGRAM);
        this.thread = thread;
        this.filter = filter.clone();
        this.cgroupProcs = List.copyOf(cgroupProcs);
    }

    boolean entersCgroup() {
        return !cgroupProcs.isEmpty();
    }

    /** Returns whether commands can have a terminal: a shell cannot lead a session and open one. */
    boolean givesTerminals() {
        return program.isPresent() && supervisor.terminals().isPresent();
    }

    /** Returns how many cgroup hierarchies a sandbox can enter by itself. */
    static int mostCgroupProcs() {
        return NativeStub.as(PROGRAM).isPresent() ? MAX_CGROUPS : MAX_SHELL_CGROUPS;
    }

    /**
     * Starts a sandbox. Returns when bubblewrap is launched; its setup continues.
     *
     * @param plan the sandbox's namespaces and mounts
     * @param holder the process whose network namespace it joins; empty for the host's
     * @param variables its environment, besides the command's
     * @param terminal the size of the command's terminal; empty for none
     * @return the sandbox, to be awaited or discarded
     */
    Starting start(
            BwrapPlan plan,
            Optional<NetworkNamespaceHolder> holder,
            Map<String, String> variables,
            Optional<TerminalSize> terminal) {
        Optional<LaunchThread> within = holder.flatMap(NetworkNamespaceHolder::within);
        LaunchSpec.Builder spec = spec(within.isPresent() ? Optional.empty() : holder, plan, variables);
        if (terminal.isEmpty()) {
            spec.descriptor(STDIN, new ChildDescriptor.Reads())
                    .descriptor(STDOUT, new ChildDescriptor.Writes())
                    .descriptor(STDERR, new ChildDescriptor.Writes());
        }
        ChildProcess child = supervisor.launch(spec.build(), within.orElse(thread));
        try {
            setUpStub(child, terminal.isPresent() ? Map.of() : Map.of(STDIN, 0, STDOUT, 1, STDERR, 2));
            return new Starting(child, terminal);
        } catch (RuntimeException fault) {
            supervisor.discard(child);
            throw fault;
        }
    }

    /** A bubblewrap process that is setting its sandbox up. */
    final class Starting {
        private final ChildProcess child;
        private final Optional<TerminalSize> terminal;

        private Starting(ChildProcess child, Optional<TerminalSize> terminal) {
            this.child = child;
            this.terminal = terminal;
        }

        /**
         * Waits until the sandbox can take its command.
         *
         * @throws SandboxUnavailableException if its setup fails, with bubblewrap's message
         */
        BwrapTree await() {
            try {
                // Bubblewrap writes this before it sets the sandbox up, so that the pidfd of the first process is open
                // when the stub waits.
                String information = BwrapTree.information(child.from(INFORMATION));
                if (information.isEmpty()) {
                    throw refused(child);
                }
                BwrapTree sandbox = inside(child, BwrapTree.first(information));
                return terminal.isPresent() ? withTerminal(sandbox, terminal.get()) : sandbox;
            } catch (IOException fault) {
                throw new SandboxUnavailableException(
                        BwrapProvider.NAME, Diagnosis.refused(String.valueOf(fault.getMessage())));
            }
        }

        /** Ends a bubblewrap process whose sandbox was not awaited, or whose setup failed. */
        void discard() {
            supervisor.discard(child);
        }
    }

    private LaunchSpec.Builder spec(
            Optional<NetworkNamespaceHolder> joined, BwrapPlan plan, Map<String, String> variables) {
        LaunchSpec.Builder spec = LaunchSpec.builder(commandLine(joined))
                .env(MARKER, supervisor.newMarker())
                .stderr(Stderr.MERGED)
                .descriptor(CommandRequest.REQUEST_DESCRIPTOR, new ChildDescriptor.Reads())
                .descriptor(CommandRequest.ANSWER_DESCRIPTOR, new ChildDescriptor.Writes(true))
                .descriptor(ARGUMENTS, new ChildDescriptor.Content(arguments(plan, variables)))
                .descriptor(FILTER, new ChildDescriptor.Content(filter))
                .descriptor(INFORMATION, new ChildDescriptor.Writes(true));
        program.ifPresent(waiting -> spec.descriptor(PROGRAM, waiting.descriptor()));
        for (int index = 0; index < cgroupProcs.size(); index++) {
            spec.descriptor(cgroupDescriptor(index), cgroupProcs.get(index));
        }
        return spec;
    }

    /** Sends the native stub its setup before it starts; a shell's script does its setup. */
    private void setUpStub(ChildProcess child, Map<Integer, Integer> streams) {
        if (program.isEmpty()) {
            return;
        }
        List<Integer> descriptors = IntStream.range(0, cgroupProcs.size())
                .map(this::cgroupDescriptor)
                .boxed()
                .toList();
        try {
            program.get().setUp(child, streams, descriptors);
        } catch (IOException ended) {
            // Bubblewrap has exited, and its message says more.
        }
    }

    /** Returns the sandbox once its stub waits; closes the first process's pidfd on failure. */
    private BwrapTree inside(ChildProcess child, Optional<PidfdProcess> first) throws IOException {
        try {
            boolean there = program.isPresent()
                    ? program.get().awaitSetUp(child)
                    : readLine(child.from(CommandRequest.ANSWER_DESCRIPTOR)).equals(UP);
            if (!there) {
                throw refused(child);
            }
            return BwrapTree.of(child, first);
        } catch (IOException | RuntimeException fault) {
            first.ifPresent(PidfdProcess::close);
            throw fault;
        }
    }

    /**
     * Gives a stub a terminal of its sandbox's own: one of the host's would have no name there. The stub opens it as
     * leader of a session, since it inherits no controlling terminal from bubblewrap's first process.
     */
    private BwrapTree withTerminal(BwrapTree sandbox, TerminalSize size) throws IOException {
        boolean given = false;
        try {
            long main = sandbox.main().pid();
            Terminal terminal = supervisor.terminals().orElseThrow().open("/proc/" + main + "/root/dev/ptmx", size);
            sandbox.outside().attach(terminal);
            if (sandbox.main().awaitEnd(Duration.ZERO)) {
                throw new IOException("process " + main + " of a sandbox ended before its command");
            }
            program.orElseThrow().takeTerminal(sandbox.outside(), terminal.path());
            given = true;
            return sandbox;
        } finally {
            if (!given) {
                sandbox.close();
            }
        }
    }

    private static SandboxUnavailableException refused(ChildProcess child) throws IOException {
        return new SandboxUnavailableException(BwrapProvider.NAME, Diagnosis.refused(message(child)));
    }

    private List<String> commandLine(Optional<NetworkNamespaceHolder> joined) {
        List<String> line = new ArrayList<>();
        joined.ifPresent(holder -> line.addAll(programs.joining(holder.pid())));
        line.addAll(List.of(
                programs.bwrap().toString(),
                "--args",
                Integer.toString(ARGUMENTS),
                "--seccomp",
                Integer.toString(FILTER),
                "--info-fd",
                Integer.toString(INFORMATION),
                "--"));
        line.addAll(program.map(NativeStub::argv).orElseGet(() -> List.of("/bin/sh", "-c", enter() + SCRIPT, "sh")));
        return line;
    }

    private int cgroupDescriptor(int index) {
        return (program.isPresent() ? PROGRAMS_FIRST_CGROUP : SHELLS_FIRST_CGROUP) + index;
    }

    private String enter() {
        StringBuilder script = new StringBuilder();
        for (int index = 0; index < cgroupProcs.size(); index++) {
            script.append(
                    "echo 0 >&" + cgroupDescriptor(index) + " && exec " + cgroupDescriptor(index) + ">&- || exit 1\n");
        }
        return script.toString();
    }

    CommandLauncher commands() {
        return commands;
    }

    /**
     * Encodes bubblewrap's options as strings that end with NUL, so that no path and no value appears on a command
     * line.
     */
    private static byte[] arguments(BwrapPlan plan, Map<String, String> variables) {
        List<String> arguments = new ArrayList<>(plan.arguments());
        new TreeMap<>(variables).forEach((name, value) -> arguments.addAll(List.of("--setenv", name, value)));
        return String.join("\0", arguments).concat("\0").getBytes(UTF_8);
    }

    private static String message(ChildProcess child) throws IOException {
        String written = new String(child.stdout().readNBytes(MAX_MESSAGE_LENGTH), UTF_8);
        return written.isBlank() ? withoutMessage(child) : written;
    }

    /** For a bubblewrap without a message, says whether it was killed, for instance for lack of memory. */
    static String withoutMessage(ChildProcess child) {
        ExitStatus unknown = new ExitStatus.Exited(0);
        ExitStatus status = child.ended()
                .copy()
                .completeOnTimeout(unknown, 1, TimeUnit.SECONDS)
                .exceptionally(fault -> unknown)
                .join();
        return status.code() > 128 ? "it was killed, with the status " + status.code() : "";
    }

    static String readLine(InputStream from) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int next = from.read(); next >= 0 && next != '\n'; next = from.read()) {
            line.write(next);
        }
        return line.toString(UTF_8);
    }
}
