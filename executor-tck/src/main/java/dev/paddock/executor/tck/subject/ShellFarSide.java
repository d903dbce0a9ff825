package dev.paddock.executor.tck.subject;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;

/**
 * A far side over a host program that starts programs where commands run: {@code ssh}, {@code
 * kubectl exec}. That side needs {@code sh}, {@code cat}, {@code chmod}, {@code mkdir} and {@code
 * mkfifo}.
 *
 * @since 0.1
 */
public final class ShellFarSide implements FarSide {
    private static final int ABSENT = 44;

    private final UnaryOperator<List<String>> there;

    /**
     * Creates a far side.
     *
     * @param there turns an argument list of that side into the host's argument list that runs it, with
     *     its standard streams
     */
    public ShellFarSide(UnaryOperator<List<String>> there) {
        this.there = there;
    }

    @Override
    public void makeDirectory(String path) throws IOException {
        run("mkdir -p -- \"$1\" && chmod 777 -- \"$1\"", path, new byte[0]);
    }

    @Override
    public byte[] read(String path) throws IOException {
        return run("[ -e \"$1\" ] || exit " + ABSENT + "; cat -- \"$1\"", path, new byte[0]);
    }

    @Override
    public void write(String path, byte[] content) throws IOException {
        run("cat > \"$1\" && chmod 666 -- \"$1\"", path, content);
    }

    @Override
    public Pipe holdOpen(String path) throws IOException {
        run("mkfifo -m 666 -- \"$1\"", path, new byte[0]);
        return new Pipe() {
            private Optional<Process> holder = Optional.empty();

            @Override
            public synchronized void release() throws IOException {
                if (holder.isPresent()) {
                    holder.get().getOutputStream().write('\n');
                    holder.get().getOutputStream().flush();
                    return;
                }
                Process started = start("exec 3<>\"$1\"; echo >&3; echo up; while read -r x; do echo >&3; done", path);
                holder = Optional.of(started);
                if (started.getInputStream().read() < 0) {
                    throw new IOException("the pipe '" + path + "' could not be opened there");
                }
            }

            @Override
            public synchronized void close() throws IOException {
                release();
                holder.get().getOutputStream().close();
                await(holder.get());
            }
        };
    }

    @Override
    public InputStream watch(String path) throws IOException {
        run("mkfifo -m 666 -- \"$1\"", path, new byte[0]);
        Process cat = start("exec cat -- \"$1\"", path);
        return new FilterInputStream(cat.getInputStream()) {
            // Releases a reader that no process has written to.
            @Override
            public void close() throws IOException {
                if (cat.isAlive()) {
                    run("exec 3<>\"$1\"; echo >&3", path, new byte[0]);
                }
                cat.destroyForcibly();
                super.close();
            }
        };
    }

    private byte[] run(String script, String path, byte[] input) throws IOException {
        Process process = start(script, path);
        CompletableFuture<byte[]> errors = CompletableFuture.supplyAsync(() -> readAll(process.getErrorStream()));
        try (OutputStream stdin = process.getOutputStream()) {
            stdin.write(input);
        }
        byte[] output = process.getInputStream().readAllBytes();
        int code = await(process);
        if (code == ABSENT) {
            throw new NoSuchFileException(path);
        }
        if (code != 0) {
            throw new IOException("'" + script + "' of '" + path + "' failed there with " + code + ": "
                    + new String(errors.join(), StandardCharsets.UTF_8).strip());
        }
        return output;
    }

    private Process start(String script, String path) throws IOException {
        return new ProcessBuilder(there.apply(List.of("sh", "-c", script, "sh", path))).start();
    }

    private static byte[] readAll(InputStream stream) {
        try {
            return stream.readAllBytes();
        } catch (IOException closed) {
            return String.valueOf(closed.getMessage()).getBytes(StandardCharsets.UTF_8);
        }
    }

    private static int await(Process process) throws IOException {
        try {
            return process.waitFor();
        } catch (InterruptedException interrupt) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while a program ran there");
        }
    }
}
