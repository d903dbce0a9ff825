package dev.paddock.executor.bwrap;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.paddock.executor.SandboxUnavailableException;
import dev.paddock.executor.SpawnOptions.Stderr;
import dev.paddock.executor.process.Child;
import dev.paddock.executor.process.ChildDescriptor;
import dev.paddock.executor.process.HostProcess;
import dev.paddock.executor.process.LaunchSpec;
import dev.paddock.executor.process.LaunchThread;
import dev.paddock.executor.process.Order;
import dev.paddock.executor.process.Supervisor;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Starts bubblewrap with a shell in it that waits for its order.
 *
 * <p>The command's streams are descriptors of their own, which bubblewrap hands on and does not hold itself: when the
 * command closes one, it is closed. Its own standard output and error carry what goes wrong before.
 */
final class Launcher {
    static final int STDIN = 7;
    static final int STDOUT = 8;
    static final int STDERR = 9;

    private static final int FIRST_ENTRANCE = 5;
    private static final int INFORMATION = 10;
    private static final int ARGUMENTS = 11;
    private static final int FILTER = 12;
    private static final String UP = "up";

    /** First the shell takes its streams, then it says that it is there, so that the host can find it before it goes on. */
    private static final String SCRIPT = "exec <&" + STDIN + " >&" + STDOUT + " 2>&" + STDERR + " " + STDIN + "<&- "
            + STDOUT + ">&- " + STDERR + ">&-\necho " + UP + " >&" + Order.ANSWER_DESCRIPTOR + "\n"
            + Order.Transport.DESCRIPTORS.bootstrap();

    private static final int LONGEST_COMPLAINT = 2000;

    private final Bubblewrap programs;
    private final Supervisor supervisor;
    private final LaunchThread thread;
    private final byte[] filter;
    private final List<ChildDescriptor> entrances;

    /**
     * @param thread bubblewrap dies with the thread that it was started from, so that this one has to last
     * @param filter the system-call filter
     * @param entrances where the shell enters its control group
     */
    Launcher(
            Bubblewrap programs,
            Supervisor supervisor,
            LaunchThread thread,
            byte[] filter,
            List<ChildDescriptor> entrances) {
        this.programs = programs;
        this.supervisor = supervisor;
        this.thread = thread;
        this.filter = filter.clone();
        this.entrances = List.copyOf(entrances);
    }

    /**
     * Starts a sandbox. Returns when its shell waits.
     *
     * @param plan what it is like
     * @param holder whose network it is in; empty for the host's
     * @param variables what the shell finds in its environment from the start
     * @param meanwhile is done while bubblewrap sets the sandbox up, on the calling thread
     * @throws SandboxUnavailableException if it cannot be started, with what bubblewrap said
     */
    Sandbox start(BwrapPlan plan, Optional<Holder> holder, Map<String, String> variables, Runnable meanwhile) {
        Optional<LaunchThread> within = holder.flatMap(Holder::within);
        LaunchSpec.Builder spec = LaunchSpec.builder(commandLine(within.isPresent() ? Optional.empty() : holder))
                .stderr(Stderr.MERGED)
                .descriptor(Order.ORDER_DESCRIPTOR, new ChildDescriptor.Reads())
                .descriptor(Order.ANSWER_DESCRIPTOR, new ChildDescriptor.Writes())
                .descriptor(ARGUMENTS, new ChildDescriptor.Content(arguments(plan, variables)))
                .descriptor(FILTER, new ChildDescriptor.Content(filter))
                .descriptor(STDIN, new ChildDescriptor.Reads())
                .descriptor(STDOUT, new ChildDescriptor.Writes())
                .descriptor(STDERR, new ChildDescriptor.Writes())
                .descriptor(INFORMATION, new ChildDescriptor.Writes());
        for (int index = 0; index < entrances.size(); index++) {
            spec.descriptor(FIRST_ENTRANCE + index, entrances.get(index));
        }
        Child child = supervisor.launch(spec.build(), within.orElse(thread));
        try {
            meanwhile.run();
            // Written before the sandbox is set up, so that its first process is held by the time its shell is there.
            String information = Sandbox.information(child.from(INFORMATION));
            if (information.isEmpty()) {
                throw refused(child);
            }
            return inside(child, Sandbox.first(information));
        } catch (IOException fault) {
            supervisor.discard(child);
            throw new SandboxUnavailableException(
                    BwrapProvider.NAME, Diagnosis.refused(String.valueOf(fault.getMessage())));
        } catch (RuntimeException fault) {
            supervisor.discard(child);
            throw fault;
        }
    }

    /** The sandbox once its shell is there; its first process is let go of if it does not get there. */
    private static Sandbox inside(Child child, Optional<HostProcess> first) throws IOException {
        try {
            if (!readLine(child.from(Order.ANSWER_DESCRIPTOR)).equals(UP)) {
                throw refused(child);
            }
            return Sandbox.of(child, first);
        } catch (IOException | RuntimeException fault) {
            first.ifPresent(HostProcess::close);
            throw fault;
        }
    }

    private static SandboxUnavailableException refused(Child child) throws IOException {
        return new SandboxUnavailableException(BwrapProvider.NAME, Diagnosis.refused(complaint(child)));
    }

    private List<String> commandLine(Optional<Holder> joined) {
        List<String> line = new ArrayList<>();
        joined.ifPresent(holder -> line.addAll(List.of(
                programs.nsenter().toString(),
                "--target",
                Long.toString(holder.pid()),
                "--user",
                "--net",
                "--preserve-credentials")));
        line.addAll(List.of(
                programs.bwrap().toString(),
                "--args",
                Integer.toString(ARGUMENTS),
                "--seccomp",
                Integer.toString(FILTER),
                "--info-fd",
                Integer.toString(INFORMATION),
                "--",
                "/bin/sh",
                "-c",
                enter() + SCRIPT,
                "sh"));
        return line;
    }

    private String enter() {
        StringBuilder script = new StringBuilder();
        for (int index = 0; index < entrances.size(); index++) {
            int entrance = FIRST_ENTRANCE + index;
            script.append("echo 0 >&" + entrance + " && exec " + entrance + ">&- || exit 1\n");
        }
        return script.toString();
    }

    /** A file of texts that end with NUL: no path and no value stands on a command line. */
    private static byte[] arguments(BwrapPlan plan, Map<String, String> variables) {
        List<String> arguments = new ArrayList<>(plan.arguments());
        new TreeMap<>(variables).forEach((name, value) -> arguments.addAll(List.of("--setenv", name, value)));
        return String.join("\0", arguments).concat("\0").getBytes(UTF_8);
    }

    private static String complaint(Child child) throws IOException {
        return new String(child.stdout().readNBytes(LONGEST_COMPLAINT), UTF_8);
    }

    static String readLine(InputStream from) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int next = from.read(); next >= 0 && next != '\n'; next = from.read()) {
            line.write(next);
        }
        return line.toString(UTF_8);
    }
}
