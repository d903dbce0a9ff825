package dev.paddock.harness.pdf;

import dev.paddock.executor.AbortSignal;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** The other JVM of one call: sends it a document and receives its answer. It has ended when the call returns. */
final class PdfProcess {
    /** UTF-8 has at most three bytes for a char. */
    private static final int MAX_ANSWER = 3 * PdfPages.MAX_TEXT + 1_000;

    /** What java exits with when its heap is exhausted. */
    private static final int OUT_OF_MEMORY = 3;

    private final Process process;
    private final Duration time;
    private final AtomicBoolean isLate = new AtomicBoolean();

    PdfProcess(Process process, Duration time) {
        this.process = process;
        this.time = time;
    }

    String exchange(InputStream document, AbortSignal signal) throws IOException {
        Thread timer = Thread.ofVirtual().start(this::endWhenLate);
        AbortSignal.Registration aborting = signal.onAbort(process::destroyForcibly);
        try {
            send(document);
            return answer(received(signal), signal);
        } finally {
            process.destroyForcibly().onExit().join();
            timer.interrupt();
            aborting.close();
        }
    }

    private void endWhenLate() {
        try {
            if (!process.waitFor(time.toMillis(), TimeUnit.MILLISECONDS)) {
                isLate.set(true);
                process.destroyForcibly();
            }
        } catch (InterruptedException answered) {
            Thread.currentThread().interrupt();
        }
    }

    private void send(InputStream document) throws IOException {
        byte[] buffer = new byte[1 << 16];
        long left = PdfPages.MAX_BYTES + 1L;
        OutputStream input = process.getOutputStream();
        boolean taken = true;
        while (taken && left > 0) {
            int count = document.read(buffer, 0, (int) Math.min(left, buffer.length));
            left = count < 0 ? 0 : left - count;
            taken = count <= 0 || write(input, buffer, count);
        }
        close(input);
    }

    /** Returns false if the process has closed its input: its answer, or its exit code, has the reason. */
    private static boolean write(OutputStream input, byte[] bytes, int count) {
        try {
            input.write(bytes, 0, count);
            return true;
        } catch (IOException ended) {
            return false;
        }
    }

    private static void close(OutputStream input) {
        try {
            input.close();
        } catch (IOException ended) {
            // As above: the answer or the exit code has the reason.
        }
    }

    private String received(AbortSignal signal) throws IOException {
        try {
            return new String(process.getInputStream().readNBytes(MAX_ANSWER), StandardCharsets.UTF_8);
        } catch (IOException e) {
            if (signal.isAborted() || isLate.get()) {
                return ""; // it was ended, which closes its output
            }
            throw e;
        }
    }

    private String answer(String text, AbortSignal signal) throws IOException {
        int code = process.onExit().join().exitValue();
        signal.throwIfAborted();
        if (isLate.get()) {
            throw new IOException("its pages take longer than " + time.toSeconds() + " s to read");
        }
        return switch (code) {
            case 0 -> text;
            case PdfPages.REFUSED -> throw new IOException(text);
            case OUT_OF_MEMORY -> throw new IOException("its pages take more memory than 256 MiB");
            default -> throw new IOException("the JVM that reads it ended with code " + code);
        };
    }
}
