package dev.paddock.benchmarks.row;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.paddock.executor.bwrap.BwrapExecutor;
import dev.paddock.executor.os.table.PidfdProcess;
import dev.paddock.executor.process.launch.LaunchThread;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Runs commands in the executor's sandbox, built by hand: the same bubblewrap options in the same
 * order, the same seccomp filter, joined to the same network namespace, started by
 * {@link ProcessBuilder}. The options are those of a real command: a recording program runs in
 * place of bubblewrap, writes them down and then executes bubblewrap.
 *
 * <p>The network namespace is joined as the executor does it: by the thread that starts bubblewrap
 * where the JVM has the right to, else by {@code nsenter}, which starts bubblewrap.
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

    /**
     * Returns the recording program. It opens the files again by their paths, so that the file
     * offsets from which bubblewrap reads do not change.
     */
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
        // The filter is read from standard input, the only descriptor besides the outputs that
        // ProcessBuilder passes on.
        line.addAll(List.of("--chdir", worktree.toString(), "--seccomp", "0", "--", "/bin/sh", "-c"));
        return new ProgramRow(
                line, worktree, Optional.of(notes.resolve("filter")), builder -> thread.call(builder::start));
    }

    /**
     * Joins the thread to the network namespace of the holder, and returns whether that succeeded.
     * The processes that the thread starts are in that namespace from then on, whichever process
     * owns the holder.
     */
    private static boolean joins(long holder, LaunchThread thread) {
        Optional<PidfdProcess> process = PidfdProcess.open(holder);
        try {
            return process.filter(held -> thread.call(held::joinNetwork).isEmpty())
                    .isPresent();
        } finally {
            process.ifPresent(PidfdProcess::close);
        }
    }

    /** Returns the words before the command. */
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
