package dev.paddock.executor.tck.subject;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** Named pipes that are made in advance: {@code mkfifo} is a process, whether it makes one or many. */
final class SparePipes {
    private static final int AT_ONCE = 16;

    private static final Deque<Path> SPARE = new ArrayDeque<>();

    private SparePipes() {}

    /** Makes a named pipe that every user may read and write. */
    static synchronized void make(Path path) throws IOException {
        if (SPARE.isEmpty()) {
            SPARE.addAll(several());
        }
        Files.move(SPARE.pop(), path);
        // On another file system a new one was made, with less.
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw-rw-rw-"));
    }

    /** Makes several in a directory of their own, which this JVM removes at its end with those that are left. */
    private static List<Path> several() throws IOException {
        Path directory = Files.createTempDirectory("paddock-contract-pipes-").toRealPath();
        directory.toFile().deleteOnExit();
        List<Path> made = new ArrayList<>();
        List<String> command = new ArrayList<>(List.of("mkfifo", "-m", "666"));
        for (int number = 0; number < AT_ONCE; number++) {
            Path pipe = directory.resolve("pipe-" + number);
            pipe.toFile().deleteOnExit();
            made.add(pipe);
            command.add(pipe.toString());
        }
        Process mkfifo = new ProcessBuilder(command).redirectErrorStream(true).start();
        mkfifo.getOutputStream().close();
        String output = new String(mkfifo.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        try {
            if (mkfifo.waitFor() != 0) {
                throw new IOException("mkfifo in " + directory + " failed: " + output);
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while making named pipes in " + directory, stopped);
        }
        return made;
    }
}
