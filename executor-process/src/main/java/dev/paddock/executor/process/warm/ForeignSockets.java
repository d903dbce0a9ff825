package dev.paddock.executor.process.warm;

import dev.paddock.executor.os.io.DaemonThreads;
import dev.paddock.executor.os.posix.LibC;
import dev.paddock.executor.os.posix.Posix;
import dev.paddock.executor.os.table.PidfdProcess;
import dev.paddock.executor.process.launch.ChildDescriptor;
import dev.paddock.executor.process.launch.ChildProcess;
import dev.paddock.executor.process.launch.LaunchSpec;
import dev.paddock.executor.process.launch.LaunchThread;
import dev.paddock.executor.process.supervise.Supervisor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;

/**
 * Opens sockets in another network namespace for the JVM: by a thread that joins it, where the JVM may, otherwise by a
 * native stub, which enters the namespace, opens them, and exits. Linux.
 *
 * @since 0.1
 */
public final class ForeignSockets {
    /** The lowest descriptor number that the stub does not use otherwise. */
    private static final int PROGRAM = SyscallTrampoline.ANSWERS + 1;

    private ForeignSockets() {}

    /**
     * Returns whether this machine supports it; the kernel may still refuse it.
     *
     * @return false where the native stub does not run
     */
    public static boolean areSupported() {
        return NativeStub.as(PROGRAM).isPresent();
    }

    /**
     * Opens and binds sockets.
     *
     * @param supervisor launches the stub
     * @param thread the thread from which it is launched
     * @param entry a program with arguments that enters the namespace and executes the arguments
     *     that follow
     * @param plan the sockets
     * @return their descriptors, in the plan's order, closed on exec; the caller closes them
     * @throws IOException if they cannot be opened; the message gives the reason
     */
    public static List<Integer> open(Supervisor supervisor, LaunchThread thread, List<String> entry, SocketPlan plan)
            throws IOException {
        NativeStub stub = NativeStub.as(PROGRAM)
                .orElseThrow(() -> new IOException("the kernel does not execute the native stub's file"));
        List<String> line = new ArrayList<>(entry);
        line.addAll(stub.argv());
        ChildProcess child = supervisor.launch(
                LaunchSpec.builder(line)
                        .descriptor(SyscallTrampoline.REQUESTS, new ChildDescriptor.Reads())
                        .descriptor(SyscallTrampoline.ANSWERS, new ChildDescriptor.Writes(true))
                        .descriptor(PROGRAM, stub.descriptor())
                        .build(),
                thread);
        try {
            stub.openSockets(child, plan.types());
            return bound(posix(), plan, take(child.pid(), plan.bindings().size()));
        } finally {
            supervisor.discard(child);
        }
    }

    /**
     * Opens and binds sockets in the network namespace of a process. The JVM must be root to join it.
     *
     * @param process the process
     * @param plan the sockets
     * @return their descriptors, in the plan's order, closed on exec; the caller closes them
     * @throws IOException if they cannot be opened; the message gives the reason
     */
    public static List<Integer> open(PidfdProcess process, SocketPlan plan) throws IOException {
        Posix posix = posix();
        CompletableFuture<List<Integer>> opened = new CompletableFuture<>();
        // The thread ends afterwards: anything it started later would be in that namespace.
        DaemonThreads.platform("paddock-sockets").start(() -> {
            try {
                opened.complete(join(posix, process, plan.types()));
            } catch (IOException | RuntimeException fault) {
                opened.completeExceptionally(fault);
            }
        });
        try {
            return bound(posix, plan, opened.join());
        } catch (CompletionException fault) {
            throw fault.getCause() instanceof IOException refused ? refused : new IOException(fault.getCause());
        }
    }

    private static Posix posix() throws IOException {
        return Posix.instance().orElseThrow(() -> new IOException("the C library cannot be called"));
    }

    /** Binds sockets, and closes them on failure. */
    private static List<Integer> bound(Posix posix, SocketPlan plan, List<Integer> sockets) throws IOException {
        try {
            plan.prepare(posix.sockets(), sockets);
            return sockets;
        } catch (IOException refused) {
            sockets.forEach(posix.descriptors()::close);
            throw refused;
        }
    }

    private static List<Integer> join(Posix posix, PidfdProcess process, List<Integer> types) throws IOException {
        Optional<String> refusal = process.joinNetwork();
        if (refusal.isPresent()) {
            throw new IOException("the network of process " + process.pid() + " cannot be joined: " + refusal.get());
        }
        List<Integer> sockets = new ArrayList<>();
        try {
            for (int type : types) {
                sockets.add(posix.sockets().open(type));
            }
            return List.copyOf(sockets);
        } catch (IOException fault) {
            sockets.forEach(posix.descriptors()::close);
            throw fault;
        }
    }

    private static List<Integer> take(long pid, int count) throws IOException {
        Optional<PidfdProcess> process = PidfdProcess.open(pid);
        try (PidfdProcess held = process.orElseThrow(() -> new IOException("process " + pid + " has ended"))) {
            List<Integer> theirs = sockets(pid);
            if (theirs.size() != count) {
                throw new IOException("process " + pid + " has " + theirs.size() + " sockets, not " + count);
            }
            return take(held, theirs);
        }
    }

    private static List<Integer> take(PidfdProcess process, List<Integer> theirs) throws IOException {
        List<Integer> taken = new ArrayList<>();
        try {
            for (int number : theirs) {
                taken.add(process.take(number));
            }
            return List.copyOf(taken);
        } catch (IOException refused) {
            LibC.instance().ifPresent(c -> taken.forEach(c::close));
            throw refused;
        }
    }

    /** Returns a process's sockets in the order in which it opened them. */
    private static List<Integer> sockets(long pid) throws IOException {
        List<Integer> found = new ArrayList<>();
        try (Stream<Path> descriptors = Files.list(Path.of("/proc/" + pid + "/fd"))) {
            for (Path descriptor : (Iterable<Path>) descriptors::iterator) {
                if (Files.readSymbolicLink(descriptor).toString().startsWith("socket:")) {
                    found.add(Integer.parseInt(String.valueOf(descriptor.getFileName())));
                }
            }
        }
        found.sort(Integer::compare);
        return found;
    }
}
