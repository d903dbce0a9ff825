package dev.paddock.executor.seatbelt;

import dev.paddock.executor.confined.PrivateHome;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.executor.process.HostEnvironment;
import dev.paddock.executor.process.Order;
import dev.paddock.executor.process.Supervisor;
import dev.paddock.executor.protect.WorktreeGuard;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** Makes a sandbox, or nothing: what has been made when a step fails is closed again. */
final class Construction {
    private static final Pattern IDENTIFIER = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

    private final SandboxPolicy policy;
    private final Path quarantine;
    private final String shell;
    private final String program;
    private final Deque<AutoCloseable> made = new ArrayDeque<>();

    Construction(SandboxPolicy policy, Path quarantine, String shell, String program) {
        this.policy = policy;
        this.quarantine = quarantine;
        this.shell = shell;
        this.program = program;
    }

    SeatbeltSandbox make(int warmSlots) {
        boolean complete = false;
        try {
            SeatbeltSandbox sandbox = assemble(warmSlots);
            complete = true;
            return sandbox;
        } catch (IOException fault) {
            throw new UncheckedIOException("the executor's directory could not be made: " + fault.getMessage(), fault);
        } finally {
            if (!complete) {
                undo();
            }
        }
    }

    private SeatbeltSandbox assemble(int warmSlots) throws IOException {
        Path worktree = RealPaths.of(policy.worktree().hostPath());
        if (!Files.isDirectory(worktree)) {
            throw new IllegalArgumentException("the worktree is no directory: '" + worktree + "'");
        }
        // Elsewhere than on macOS a stand-in for sandbox-exec is to be treated as it would be there.
        Supervisor supervisor = keep(Supervisor.ofPortableProcesses(SeatbeltExecutor.NAME, /* keepsLeftovers */ false));
        PrivateHome home = keep(PrivateHome.create(SeatbeltExecutor.NAME, policy));
        WorktreeGuard guard = keep(WorktreeGuard.open(worktree, policy.protectedPaths(), home.state(), quarantine));
        SeatbeltSandbox sandbox = new SeatbeltSandbox(
                new SeatbeltSandbox.Parts(policy, program, shell, variables(), home, guard, supervisor), warmSlots);
        sandbox.profile(); // refuses what does not fit before anything runs
        return sandbox;
    }

    private Map<String, String> variables() {
        Map<String, String> variables = new TreeMap<>(policy.environment().resolve(HostEnvironment.all()));
        variables.keySet().removeIf(name -> !IDENTIFIER.matcher(name).matches());
        variables.forEach(Order::requireVariable);
        return variables;
    }

    private <T extends AutoCloseable> T keep(T part) {
        made.push(part);
        return part;
    }

    private void undo() {
        for (AutoCloseable part : made) {
            try {
                part.close();
            } catch (Exception fault) {
                System.getLogger(Construction.class.getName())
                        .log(
                                System.Logger.Level.WARNING,
                                "Something is left of an executor that could not be made",
                                fault);
            }
        }
    }
}
