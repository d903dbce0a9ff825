package dev.paddock.executor.remote.sync;

import dev.paddock.executor.SandboxLostException;
import dev.paddock.executor.remote.ChannelFactory;
import dev.paddock.executor.remote.ShellChannel;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;

/** A far side in another directory of this machine, with GNU's or busybox's programs. */
final class LocalFar implements ChannelFactory {
    private static final List<String> PROGRAMS = List.of(
            "sh", "find", "stat", "xargs", "tar", "gzip", "cmp", "mkdir", "mv", "rm", "rmdir", "ln", "chmod", "dd");

    private final Path programs;
    private final AtomicInteger opened = new AtomicInteger();
    private boolean halfCloses = true;
    private UnaryOperator<OutputStream> input = UnaryOperator.identity();

    private LocalFar(Path programs) {
        this.programs = programs;
    }

    static LocalFar gnu() {
        return new LocalFar(Path.of("/usr/bin"));
    }

    /** Installs busybox's programs in a directory, which is all that the far side has. */
    static LocalFar busybox(Path directory) throws IOException {
        Files.createDirectories(directory);
        Files.copy(
                Path.of("/usr/bin/busybox").toRealPath(),
                directory.resolve("busybox"),
                StandardCopyOption.COPY_ATTRIBUTES);
        for (String program : PROGRAMS) {
            Files.createSymbolicLink(directory.resolve(program), Path.of("busybox"));
        }
        return new LocalFar(directory);
    }

    /** Installs all programs but one in a directory, which is all that the far side has. */
    static LocalFar without(Path directory, String missing) throws IOException {
        Files.createDirectories(directory);
        for (String program : PROGRAMS) {
            Path script = directory.resolve(program);
            if (!program.equals(missing)) {
                Files.writeString(script, "#!/bin/sh\nexec /usr/bin/" + program + " \"$@\"\n");
                Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
            }
        }
        return new LocalFar(directory);
    }

    /** Wraps the input of each process. */
    LocalFar withInput(UnaryOperator<OutputStream> value) {
        input = value;
        return this;
    }

    /** Makes input end with the connection alone. */
    void withoutHalfClose() {
        halfCloses = false;
    }

    @Override
    public boolean closesHalf() {
        return halfCloses;
    }

    int opened() {
        return opened.get();
    }

    /** Runs a shell command there to its end. */
    void run(Path directory, String command) throws Exception {
        ProcessBuilder builder = new ProcessBuilder(programs + "/sh", "-c", command)
                .directory(directory.toFile())
                .redirectErrorStream(true);
        builder.environment().put("PATH", programs.toString());
        Process process = builder.start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new AssertionError(command + ": " + output);
        }
    }

    @Override
    public ShellChannel open(List<String> argv) {
        opened.incrementAndGet();
        List<String> words = new ArrayList<>(argv);
        words.set(0, programs + "/" + argv.get(0));
        ProcessBuilder builder = new ProcessBuilder(words);
        builder.environment().put("PATH", programs.toString());
        try {
            Process process = builder.start();
            return new Channel(process, input.apply(process.getOutputStream()));
        } catch (IOException fault) {
            throw new UncheckedIOException(fault);
        }
    }

    private record Channel(Process process, OutputStream input) implements ShellChannel {

        @Override
        public void endInput() throws IOException {
            input.close();
        }

        @Override
        public void deliver(Output output) throws IOException {
            Thread errors = Thread.startVirtualThread(() -> {
                try {
                    copy(process.getErrorStream(), STDERR, output);
                } catch (IOException closed) {
                    // the channel was closed
                }
            });
            copy(process.getInputStream(), STDOUT, output);
            try {
                errors.join();
            } catch (InterruptedException interrupt) {
                throw new IOException(interrupt);
            }
        }

        private static void copy(InputStream from, int stream, Output output) throws IOException {
            byte[] bytes = new byte[16 << 10];
            for (int read = from.read(bytes); read >= 0; read = from.read(bytes)) {
                output.accept(stream, bytes, read);
            }
        }

        @Override
        public OptionalInt exitCode() {
            return process.isAlive() ? OptionalInt.empty() : OptionalInt.of(process.exitValue());
        }

        @Override
        public SandboxLostException loss(String reason, Throwable cause) {
            return new SandboxLostException("local", reason, cause);
        }

        @Override
        public void close() {
            process.destroyForcibly();
        }
    }
}
