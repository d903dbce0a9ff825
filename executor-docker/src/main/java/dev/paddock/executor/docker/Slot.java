package dev.paddock.executor.docker;

import dev.paddock.executor.SandboxLostException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** The client's side of a slot: one exec, one command. */
final class Slot {
    private static final System.Logger LOG = System.getLogger(Slot.class.getName());

    /**
     * What a waiting slot says of itself.
     *
     * @param pid its shell's process id, inside
     * @param parent its subreaper's, or 0
     */
    record Greeting(long pid, long parent) {}

    private static final int MAX_EARLY = 1 << 20;

    private final Exec exec;
    private final CompletableFuture<Greeting> greeting = new CompletableFuture<>();
    private final CompletableFuture<String> answer = new CompletableFuture<>();
    private final CompletableFuture<Void> end = new CompletableFuture<>();
    private final ReentrantLock lock = new ReentrantLock();
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();
    private final ByteArrayOutputStream early = new ByteArrayOutputStream();
    private @Nullable Receiver receiver;
    private boolean ended;

    /** What takes a command's output. */
    interface Receiver {
        void output(int stream, byte[] bytes, int length) throws IOException;

        /** The connection has ended; nothing more comes. */
        void ended();
    }

    private Slot(Exec exec) {
        this.exec = exec;
    }

    /** Starts one; it takes an order from now on, though its greeting may be still to come. */
    static Slot open(Engine engine, Inside inside) {
        Slot slot = new Slot(Exec.start(engine, inside, inside.argv(true)));
        // A virtual thread comes to a socket's data by way of two others, which costs more than small pieces of output
        // do.
        Thread.ofPlatform().daemon().name("paddock-docker-slot").start(slot::listen);
        try {
            slot.exec.connection().output().write(Script.SLOT);
        } catch (IOException fault) {
            slot.close();
            throw new SandboxLostException(Engine.BACKEND, "the container closed a shell's input", fault);
        }
        return slot;
    }

    Exec exec() {
        return exec;
    }

    /** Completes exceptionally if it ends before it has greeted. */
    CompletableFuture<Greeting> greeting() {
        return greeting;
    }

    /** What it says to its order: {@code ready PID}, {@code refused WHY}; exceptionally if it ends instead. */
    CompletableFuture<String> answer() {
        return answer;
    }

    /** Completes when its process has ended, or the connection to it has. */
    CompletableFuture<Void> end() {
        return end;
    }

    boolean hasEnded() {
        lock.lock();
        try {
            return ended;
        } finally {
            lock.unlock();
        }
    }

    /** Gives it its order. */
    void order(byte[] order, Receiver value) throws IOException {
        lock.lock();
        try {
            receiver = value;
            if (ended) {
                throw new IOException("the slot has ended");
            }
        } finally {
            lock.unlock();
        }
        exec.connection().output().write(order);
    }

    OutputStream input() {
        return exec.connection().output();
    }

    void endInput() throws IOException {
        exec.connection().endOutput();
    }

    private void listen() {
        try {
            new Frames(exec.connection().input()).forEach(this::accept);
        } catch (IOException fault) {
            LOG.log(System.Logger.Level.DEBUG, "the connection to a slot has ended", fault);
        }
        exec.connection().close();
        Receiver told;
        lock.lock();
        try {
            ended = true;
            told = receiver;
        } finally {
            lock.unlock();
        }
        IOException fault = new IOException(complaint());
        greeting.completeExceptionally(fault);
        answer.completeExceptionally(fault);
        end.complete(null);
        if (told != null) {
            told.ended();
        }
    }

    private void accept(int stream, byte[] bytes, int length) throws IOException {
        if (answer.isDone()) {
            receiver().output(stream, bytes, length);
        } else if (stream == 2) {
            keepEarly(bytes, length);
        } else {
            acceptWords(bytes, length);
        }
    }

    /**
     * The engine copies the two streams independently: what a command writes to standard error may overtake the word that it
     * is about to run.
     */
    private void keepEarly(byte[] bytes, int length) throws IOException {
        if (early.size() > MAX_EARLY) {
            throw new IOException("a shell in the container writes without having been asked to");
        }
        early.write(bytes, 0, length);
    }

    private void acceptWords(byte[] bytes, int length) throws IOException {
        for (int index = 0; index < length; index++) {
            if (bytes[index] != '\n') {
                line.write(bytes[index]);
                continue;
            }
            understand(line.toString(StandardCharsets.US_ASCII));
            line.reset();
            if (answer.isDone()) {
                receiver().output(2, early.toByteArray(), early.size());
                int rest = length - index - 1;
                if (rest > 0) {
                    byte[] output = new byte[rest];
                    System.arraycopy(bytes, index + 1, output, 0, rest);
                    receiver().output(1, output, rest);
                }
                return;
            }
        }
    }

    private void understand(String text) throws IOException {
        String[] words = text.split(" ", -1);
        if (words[0].equals("slot") && words.length == 3) {
            greeting.complete(new Greeting(Long.parseLong(words[1]), Long.parseLong(words[2])));
        } else if (greeting.isDone() && (words[0].equals("ready") || words[0].equals("refused"))) {
            answer.complete(text);
        } else if (greeting.isDone() && text.startsWith("\uFFFD")) {
            // Its end mark, without having begun: the variables are too many for the system, or the shell has gone.
            answer.complete("refused start " + early.toString(StandardCharsets.UTF_8));
        } else {
            throw new IOException("a shell in the container says: " + text);
        }
    }

    private Receiver receiver() throws IOException {
        lock.lock();
        try {
            if (receiver == null) {
                throw new IOException("a slot speaks without an order");
            }
            return receiver;
        } finally {
            lock.unlock();
        }
    }

    private String complaint() {
        String said = early.toString(StandardCharsets.UTF_8) + line.toString(StandardCharsets.UTF_8);
        return said.isBlank() ? "the shell ended before it answered" : said.strip();
    }

    /** Ends an unused slot, or the connection to a used one. */
    void close() {
        exec.connection().close();
    }
}
