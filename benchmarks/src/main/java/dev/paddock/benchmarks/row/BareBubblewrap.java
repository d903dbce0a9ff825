package dev.paddock.benchmarks.row;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.paddock.executor.bwrap.BwrapExecutor;
import dev.paddock.executor.process.launch.LaunchThread;
import dev.paddock.executor.process.table.PidfdProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The sandbox that the executor makes, made by hand: the same options in the same order, the same filter, joined to the same
 * network, started by {@link ProcessBuilder}. The options are those of a real command, noted by a program that stands
 * in bubblewrap's place and then becomes it.
 *
 * <p>The network is joined as the executor does it: by the thread that starts bubblewrap where the JVM may, else by a program
 * that stands before it.
 */
public final class BareBubblewrap implements Row {
    private final BwrapExecutor executor;
    private final LaunchThread thread;
    private final ProgramRow program;

    private BareBubblewrap(BwrapExecutor executor, LaunchThread thread, ProgramRow program) {
        this.executor = executor;
        this.thread = thread;
        this.program = program;
    }

    public static BareBubblewrap open(BenchmarkWorktree place) throws IOException {
        Path notes = place.fresh("bubblewrap-");
        Path recorder = Files.createFile(
                notes.resolve("bwrap"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        Files.writeString(recorder, recorder(notes));
        BwrapExecutor executor = BwrapExecutor.builder()
                .worktree(place.worktree())
                .program(recorder)
                .warmSlots(0)
                .build();
        LaunchThread thread = LaunchThread.lasting("bench-bare");
        try {
            new ExecutorRow(executor, place.worktree().toString()).run("true");
            return new BareBubblewrap(executor, thread, program(place.worktree(), notes, thread));
        } catch (IOException | RuntimeException fault) {
            thread.close();
            executor.close();
            throw fault;
        }
    }

    /** The files are opened anew, so that the position from which bubblewrap goes on to read stays where it is. */
    private static String recorder(Path notes) {
        return """
                #!/bin/sh
                if [ "$1 $3" = '--args --seccomp' ]; then
                  cat "/proc/self/fd/$2" >'%1$s/arguments' && cat "/proc/self/fd/$4" >'%1$s/filter' || exit 1
                else
                  echo $$ >'%1$s/holder'
                fi
                exec bwrap "$@"
                """.formatted(notes);
    }

    private static ProgramRow program(Path worktree, Path notes, LaunchThread thread) throws IOException {
        String outside = Files.readString(notes.resolve("holder")).strip();
        String holder = Files.readString(Path.of("/proc", outside, "task", outside, "children"))
                .strip();
        List<String> line = new ArrayList<>();
        if (!joins(Long.parseLong(holder), thread)) {
            line.addAll(List.of("nsenter", "--target", holder, "--user", "--net", "--preserve-credentials"));
        }
        line.add("bwrap");
        line.addAll(List.of(Files.readString(notes.resolve("arguments"), UTF_8).split("\0")));
        // The filter is read from the standard input, the one descriptor besides output that ProcessBuilder hands on.
        line.addAll(List.of("--chdir", worktree.toString(), "--seccomp", "0", "--", "/bin/sh", "-c"));
        return new ProgramRow(
                line, worktree, Optional.of(notes.resolve("filter")), builder -> thread.call(builder::start));
    }

    /** What the thread starts is in its network from then on, whoever the process belongs to that was joined. */
    private static boolean joins(long holder, LaunchThread thread) {
        Optional<PidfdProcess> process = PidfdProcess.open(holder);
        try {
            return process.filter(held -> thread.call(held::joinNetwork).isEmpty())
                    .isPresent();
        } finally {
            process.ifPresent(PidfdProcess::close);
        }
    }

    /** What a command stands behind. */
    public List<String> prefix() {
        return program.prefix();
    }

    @Override
    public Times run(String command) throws IOException {
        return program.run(command);
    }

    @Override
    public void close() {
        thread.close();
        executor.close();
    }
}
