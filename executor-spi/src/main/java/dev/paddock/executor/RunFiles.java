package dev.paddock.executor;

import dev.paddock.executor.path.FileFaults;
import dev.paddock.executor.path.FileOpener;
import dev.paddock.executor.run.StdinWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/** The host's files of a run, which are opened once, before the command starts. */
record RunFiles(Optional<FileChannel> input, Optional<FileChannel> output) {

    /**
     * Opens the files that the options name.
     *
     * @throws SpawnException if one cannot be opened
     */
    static RunFiles open(RunOptions options) {
        Optional<FileChannel> input = options.stdinFile().map(RunFiles::openInput);
        try {
            return new RunFiles(input, options.toFile().map(RunFiles::openOutput));
        } catch (SpawnException refused) {
            input.ifPresent(RunFiles::closeQuietly);
            throw refused;
        }
    }

    private static FileChannel openInput(Path path) {
        try {
            return FileOpener.installed().open(path, StandardOpenOption.READ);
        } catch (IOException fault) {
            throw new SpawnException(
                    "the input cannot be opened: " + FileFaults.reason(fault) + "; give a regular file", fault);
        }
    }

    private static FileChannel openOutput(Path path) {
        try {
            return FileOpener.installed().openOrCreate(path);
        } catch (IOException fault) {
            throw new SpawnException(
                    "the output's file cannot be opened: " + FileFaults.reason(fault)
                            + "; give a regular file, or take the output with onChunk",
                    fault);
        }
    }

    /** Copies a file to the input of a command whose executor runs it itself. */
    static void copy(Path file, OutputStream in) throws IOException {
        try (FileChannel open = FileOpener.installed().open(file, StandardOpenOption.READ)) {
            Channels.newInputStream(open).transferTo(in);
        }
    }

    /** Returns the writer of the command's input, if there is one. */
    Optional<StdinWriter> writer(RunOptions options) {
        return input.<StdinWriter>map(
                        open -> in -> Channels.newInputStream(open).transferTo(in))
                .or(options::stdin);
    }

    /** Closes a file to which nothing was written, so that a failure loses no data. */
    static void closeQuietly(FileChannel file) {
        try {
            file.close();
        } catch (IOException nothingWasWritten) {
            return;
        }
    }
}
