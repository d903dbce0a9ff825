package dev.paddock.executor.ssh;

import dev.paddock.executor.SandboxLostException;
import dev.paddock.executor.remote.ShellChannel;
import dev.paddock.executor.remote.custom.ProcessChannel;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicBoolean;

/** A process on the remote host, behind a local ssh process and a remote login shell. */
final class SshChannel implements ShellChannel {
    private static final int MAX_PREAMBLE = 64 << 10;

    private final ProcessChannel ssh;
    private final byte[] token;
    private final Runnable onClose;
    private final AtomicBoolean closed = new AtomicBoolean();

    /**
     * Wraps the channel of an ssh process.
     *
     * @param ssh closed with this
     * @param token the remote process writes it to both streams before its own output; what a
     *     login shell's start-up files have written comes before it, and is discarded
     * @param onClose runs once, when the channel is closed
     */
    SshChannel(ProcessChannel ssh, byte[] token, Runnable onClose) {
        this.ssh = ssh;
        this.token = token;
        this.onClose = onClose;
    }

    @Override
    public OutputStream input() {
        return ssh.input();
    }

    @Override
    public void endInput() throws IOException {
        ssh.endInput();
    }

    @Override
    public void deliver(Output output) throws IOException {
        Preamble stdout = new Preamble(output);
        Preamble stderr = new Preamble(output);
        ssh.deliver((stream, bytes, length) -> (stream == STDOUT ? stdout : stderr).accept(stream, bytes, length));
        stdout.end();
        stderr.end();
    }

    /** One stream, which starts with bytes that the remote process did not write. */
    private final class Preamble {
        private final Output output;
        private final ByteArrayOutputStream seen = new ByteArrayOutputStream();
        private boolean over;

        Preamble(Output output) {
            this.output = output;
        }

        void accept(int stream, byte[] bytes, int length) throws IOException {
            if (over) {
                output.accept(stream, bytes, length);
                return;
            }
            seen.write(bytes, 0, length);
            byte[] all = seen.toByteArray();
            int end = endOfToken(all);
            if (end >= 0) {
                over = true;
                byte[] own = Arrays.copyOfRange(all, end, all.length);
                if (own.length > 0) {
                    output.accept(stream, own, own.length);
                }
            } else if (all.length > MAX_PREAMBLE) {
                throw new IOException("the remote login shell writes more than " + MAX_PREAMBLE
                        + " bytes before the command; check its start-up files");
            }
        }

        /** Delivers ssh's own message if the remote process wrote no output. */
        void end() throws IOException {
            if (!over && seen.size() > 0) {
                output.accept(STDERR, seen.toByteArray(), seen.size());
            }
        }
    }

    private int endOfToken(byte[] seen) {
        for (int at = 0; at + token.length <= seen.length; at++) {
            if (Arrays.equals(seen, at, at + token.length, token, 0, token.length)) {
                return at + token.length;
            }
        }
        return -1;
    }

    @Override
    public OptionalInt exitCode() {
        return ssh.exitCode();
    }

    @Override
    public SandboxLostException loss(String reason, Throwable cause) {
        return ssh.loss(reason, cause);
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            ssh.close();
            onClose.run();
        }
    }
}
