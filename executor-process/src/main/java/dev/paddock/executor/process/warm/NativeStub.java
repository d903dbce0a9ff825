package dev.paddock.executor.process.warm;

import static dev.paddock.executor.process.warm.SyscallTrampoline.ANSWERS;
import static dev.paddock.executor.process.warm.SyscallTrampoline.REQUESTS;

import dev.paddock.executor.SpawnException;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.log.LateLogger;
import dev.paddock.executor.os.posix.Architecture;
import dev.paddock.executor.os.posix.Errno;
import dev.paddock.executor.os.posix.LibC;
import dev.paddock.executor.os.posix.NativeFault;
import dev.paddock.executor.os.posix.Posix;
import dev.paddock.executor.os.posix.Spawner;
import dev.paddock.executor.process.launch.ChildDescriptor;
import dev.paddock.executor.process.launch.ChildProcess;
import dev.paddock.executor.process.launch.HostEnvironment;
import dev.paddock.executor.process.launch.LaunchSpec;
import java.io.IOException;
import java.io.InputStream;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;

/**
 * Starts and controls the native stub, which waits in a sandbox for its command: a program of a few instructions that
 * makes the system calls that it receives, the last of which executes the command's shell. It needs a kernel that
 * executes Paddock's anonymous file. A shell stub, the alternative, takes four times as long to start, reserves some
 * variables, and can only report that the command's shell existed, not that it has started.
 *
 * <p>The program is a sealed anonymous file of the JVM, passed as a descriptor, so that it is available in any file
 * system of the sandbox. For a command that is too long for an argument, it executes a shell stub, which evaluates the
 * command.
 *
 * @since 0.1
 */
public final class NativeStub {
    private static final String ENDED = "the native stub has ended before its command";

    private final Architecture architecture;
    private final int descriptor;
    private final int number;

    private NativeStub(Architecture architecture, int descriptor, int number) {
        this.architecture = architecture;
        this.descriptor = descriptor;
        this.number = number;
    }

    private static final class OfThisMachine {
        static final OptionalInt DESCRIPTOR = LibC.isLinux() ? make() : OptionalInt.empty();
    }

    /**
     * Returns the stub for this machine.
     *
     * @param number the descriptor number of the program's file
     * @return empty where no program for the architecture exists, or the kernel does not execute it: execution of
     *     anonymous files may be disabled ({@code vm.memfd_noexec}, or a security module)
     */
    public static Optional<NativeStub> as(int number) {
        OptionalInt made = OfThisMachine.DESCRIPTOR;
        return made.isEmpty()
                ? Optional.empty()
                : Architecture.current().map(architecture -> new NativeStub(architecture, made.getAsInt(), number));
    }

    private static OptionalInt make() {
        Optional<Posix> posix = Posix.instance();
        Optional<Architecture> architecture = Architecture.current();
        if (posix.isEmpty() || architecture.isEmpty()) {
            return OptionalInt.empty();
        }
        try {
            return make(posix.get(), SyscallTrampoline.of(architecture.get()));
        } catch (NativeFault refused) {
            LateLogger.of(NativeStub.class)
                    .log(
                            Level.DEBUG,
                            "Shell stubs wait for commands here: the kernel does not execute the native stub's file",
                            refused);
            return OptionalInt.empty();
        }
    }

    private static OptionalInt make(Posix posix, SyscallTrampoline program) throws NativeFault {
        int descriptor = posix.descriptors().program(program.image());
        boolean runs = false;
        try {
            runs = runs(posix, descriptor);
        } finally {
            if (!runs) {
                posix.descriptors().close(descriptor);
            }
        }
        return runs ? OptionalInt.of(descriptor) : OptionalInt.empty();
    }

    /** Tests whether the program runs: it exits, since its input ends at once. */
    private static boolean runs(Posix posix, int program) throws NativeFault {
        int empty = posix.descriptors().emptyInput();
        int own = ANSWERS + 1;
        String path = path(own);
        long pid = posix.spawner()
                .start(new Spawner.Request(
                        path, List.of(path), List.of(), "/", List.of(empty, empty, empty, empty, -1, program)));
        try {
            return posix.children()
                    .end(pid, true)
                    .filter(end -> end.exited() && end.number() == 0)
                    .isPresent();
        } finally {
            posix.children().reap(pid);
        }
    }

    private static String path(int number) {
        return "/proc/self/fd/" + number;
    }

    /**
     * Describes the process of the stub, without a sandbox around it.
     *
     * @return a builder; the caller adds the environment, standard input and standard error
     */
    LaunchSpec.Builder launch() {
        return LaunchSpec.builder(argv())
                .descriptor(REQUESTS, new ChildDescriptor.Reads())
                .descriptor(ANSWERS, new ChildDescriptor.Writes(true))
                .descriptor(number, descriptor());
    }

    /**
     * Returns the descriptor of the program's file.
     *
     * @return the descriptor, to be passed under this stub's descriptor number
     */
    public ChildDescriptor descriptor() {
        return new ChildDescriptor.Ours(descriptor);
    }

    /**
     * Returns the command line that starts the program inside a sandbox.
     *
     * @return the command line; its second part describes the process in process listings
     */
    public List<String> argv() {
        return List.of(path(number), "paddock: waits for a command");
    }

    /**
     * Makes the program enter its cgroups and move the descriptors that were passed under other
     * numbers.
     *
     * @param child the program's process, with pipes at the descriptors that a command request and
     *     its answer use
     * @param streams the descriptors to move, each to its new number
     * @param cgroups {@code cgroup.procs} descriptors of the cgroups to enter; the program closes
     *     them
     * @throws IOException if the process has ended
     */
    public void setUp(ChildProcess child, Map<Integer, Integer> streams, List<Integer> cgroups) throws IOException {
        SyscallBatch calls = new SyscallBatch(architecture);
        cgroups.forEach(cgroup -> calls.write(cgroup, new byte[] {'0'}).close(cgroup));
        streams.forEach(calls::move);
        send(child, calls.report());
    }

    /**
     * Waits until the program has entered its cgroups and moved its descriptors.
     *
     * @param child the process
     * @return false if it has exited before that
     * @throws IOException if it could not; the message gives the reason
     */
    public boolean awaitSetUp(ChildProcess child) throws IOException {
        Optional<SyscallBatch.Answer> answer = SyscallBatch.Answer.read(child.from(ANSWERS));
        if (answer.isPresent() && !answer.get().isGood()) {
            throw new IOException("the native stub could not enter its cgroup or take its streams: "
                    + Errno.text(answer.get().error()));
        }
        return answer.isPresent();
    }

    /**
     * Makes the program lead a session, with a terminal as its controlling terminal and standard streams. Call it after
     * {@link #awaitSetUp}.
     *
     * @param child the process, which must not lead a process group yet
     * @param path the terminal's path, in the program's file system
     * @throws IOException if it could not; the message gives the reason
     */
    public void takeTerminal(ChildProcess child, String path) throws IOException {
        send(child, new SyscallBatch(architecture).terminal(path).report());
        SyscallBatch.Answer answer =
                SyscallBatch.Answer.read(child.from(ANSWERS)).orElseThrow(() -> new IOException(ENDED));
        if (!answer.isGood()) {
            throw new IOException("the native stub could not open " + path + ": " + Errno.text(answer.error()));
        }
    }

    /**
     * Makes the program open IPv4 sockets in its network namespace, in this order.
     *
     * @param child the process, in which no socket is open yet
     * @param types the types of the sockets
     * @throws IOException if it could not; the message gives the reason
     */
    void openSockets(ChildProcess child, List<Integer> types) throws IOException {
        SyscallBatch calls = new SyscallBatch(architecture);
        types.forEach(calls::socket);
        send(child, calls.report());
        SyscallBatch.Answer answer =
                SyscallBatch.Answer.read(child.from(ANSWERS)).orElseThrow(() -> new IOException(ENDED));
        if (!answer.isGood()) {
            throw new IOException("the native stub could not open a socket: " + Errno.text(answer.error()));
        }
    }

    /**
     * Makes the program enter the request's directory, take its streams, and execute its command.
     *
     * @param child the program's process, with pipes at the descriptors that a command request and
     *     its answer use
     * @param env the variables of every command in the sandbox; the request's are added to them
     * @param request the command request
     * @return the answer; a command that is not reported as ready has not run
     * @throws IOException if the program has ended; nothing has run
     * @throws SpawnException if the request is longer than the system accepts, or the command
     *     cannot be started for a reason that no {@link CommandRequest.Answer} names
     */
    CommandRequest.Answer execute(ChildProcess child, Map<String, String> env, CommandRequest request)
            throws IOException {
        if (!request.fitsArgument()) {
            return evaluate(child, env, request);
        }
        send(child, commandOf(request, env));
        child.to(REQUESTS).close();
        try (InputStream answers = child.from(ANSWERS)) {
            SyscallBatch.Answer first = SyscallBatch.Answer.read(answers).orElseThrow(() -> new IOException(ENDED));
            // Executing the command closes the descriptor, so that a second answer means failure.
            Optional<SyscallBatch.Answer> last =
                    first.isGood() ? SyscallBatch.Answer.read(answers) : Optional.of(first);
            return last.isEmpty() ? CommandRequest.Answer.READY : failure(last.get(), request);
        }
    }

    private SyscallBatch commandOf(CommandRequest request, Map<String, String> env) {
        SyscallBatch calls = new SyscallBatch(architecture)
                .close(number)
                .closeOnExecute(ANSWERS)
                .enter(request.cwd());
        if (request.stdin() == SpawnOptions.Stdin.EMPTY) {
            calls.emptyInput();
        }
        if (request.stderr() == SpawnOptions.Stderr.MERGED) {
            calls.duplicate(1, 2);
        }
        return calls.close(REQUESTS)
                .report()
                .execute(List.of(request.shell(), "-c", "--", request.command()), variables(env, request));
    }

    private static List<String> variables(Map<String, String> env, CommandRequest request) {
        Map<String, String> all = new TreeMap<>(env);
        all.put("PWD", request.cwd());
        all.putAll(request.env());
        List<String> variables = new ArrayList<>(all.size());
        all.forEach((name, value) -> variables.add(name + "=" + value));
        return variables;
    }

    /** Executes a shell stub with the variables in its environment, not in its request. */
    private CommandRequest.Answer evaluate(ChildProcess child, Map<String, String> env, CommandRequest request)
            throws IOException {
        CommandRequest.Transport transport = CommandRequest.Transport.DESCRIPTORS;
        List<String> shell = List.of(HostEnvironment.SHELL, "-c", transport.bootstrap(), request.shell());
        send(child, new SyscallBatch(architecture).close(number).execute(shell, variables(env, request)));
        CommandRequest withoutVariables = new CommandRequest(
                request.shell(), request.command(), request.cwd(), Map.of(), request.stdin(), request.stderr());
        return ShellStub.execute(child, withoutVariables, transport);
    }

    private static void send(ChildProcess child, SyscallBatch batch) throws IOException {
        byte[] encoded = batch.encode();
        try {
            child.to(REQUESTS).write(encoded);
        } catch (IOException broken) {
            throw new IOException(ENDED, broken);
        }
    }

    private static CommandRequest.Answer failure(SyscallBatch.Answer answer, CommandRequest request)
            throws IOException {
        String reason = Errno.text(answer.error());
        return switch (answer.purpose()) {
            case ENTERING ->
                switch (answer.error()) {
                    case Errno.ENOENT -> CommandRequest.Answer.CWD_MISSING;
                    case Errno.ENOTDIR -> CommandRequest.Answer.CWD_NOT_DIRECTORY;
                    case Errno.EACCES -> CommandRequest.Answer.CWD_DENIED;
                    default ->
                        throw new SpawnException(
                                "the working directory cannot be entered: '" + request.cwd() + "': " + reason);
                };
            case EXECUTING -> {
                if (answer.error() == Errno.ENOENT) {
                    yield CommandRequest.Answer.NO_SHELL;
                }
                throw new SpawnException(
                        "the command's shell '" + request.shell() + "' could not be started: " + reason);
            }
            case SETTING_UP -> throw new IOException("a command's streams could not be set up: " + reason);
        };
    }
}
