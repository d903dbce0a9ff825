package dev.paddock.benchmarks;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.paddock.executor.bwrap.BwrapExecutor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The sandbox that the executor makes, made by hand: the same options in the same order, the same filter, joined to the same
 * namespaces, started by {@link ProcessBuilder}. The options are those of a real command, noted by a program that stands
 * in bubblewrap's place and then becomes it.
 */
final class BareBubblewrap implements Row {
    private final BwrapExecutor executor;
    private final ProgramRow program;

    private BareBubblewrap(BwrapExecutor executor, ProgramRow program) {
        this.executor = executor;
        this.program = program;
    }

    static BareBubblewrap open(Place place) throws IOException {
        Path notes = Files.createDirectory(place.beside("bubblewrap"));
        Path recorder = Files.createFile(
                notes.resolve("bwrap"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        Files.writeString(recorder, recorder(notes));
        BwrapExecutor executor = BwrapExecutor.builder()
                .worktree(place.worktree())
                .program(recorder)
                .warmSlots(0)
                .build();
        try {
            new ExecutorRow(executor, place.worktree().toString()).run("true");
            return new BareBubblewrap(executor, program(place.worktree(), notes));
        } catch (IOException | RuntimeException fault) {
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

    private static ProgramRow program(Path worktree, Path notes) throws IOException {
        String outside = Files.readString(notes.resolve("holder")).strip();
        String holder = Files.readString(Path.of("/proc", outside, "task", outside, "children"))
                .strip();
        List<String> line =
                new ArrayList<>(List.of("nsenter", "--target", holder, "--user", "--net", "--preserve-credentials"));
        line.add("bwrap");
        line.addAll(List.of(Files.readString(notes.resolve("arguments"), UTF_8).split("\0")));
        // The filter is read from the standard input, the one descriptor besides output that ProcessBuilder hands on.
        line.addAll(List.of("--chdir", worktree.toString(), "--seccomp", "0", "--", "/bin/sh", "-c"));
        return new ProgramRow(line, worktree, Optional.of(notes.resolve("filter")));
    }

    @Override
    public Times run(String command) throws IOException {
        return program.run(command);
    }

    @Override
    public void close() {
        executor.close();
    }
}
