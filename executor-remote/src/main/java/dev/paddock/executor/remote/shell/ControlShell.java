package dev.paddock.executor.remote.shell;

import dev.paddock.executor.log.LateLogger;
import dev.paddock.executor.os.io.DaemonThreads;
import dev.paddock.executor.remote.ShellChannel;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The client's side of the control shell: sends calls, receives their answers and the notices that slots send through
 * it. Commands share its user and can kill it or write anything to its output; therefore this class trusts no line, and
 * treats the shell's end as an ordinary event.
 */
public final class ControlShell {
    public interface Listener {
        /**
         * Handles a slot's notice.
         *
         * @param words {@code exit ID CODE OOM}, {@code left ID PID…} or {@code done ID}
         */
        void notice(String[] words);

        /** Handles the end of the shell or of its connection. */
        void ended();
    }

    private static final System.Logger LOG = LateLogger.of(ControlShell.class);
    private static final Duration GREETING_TIMEOUT = Duration.ofSeconds(20);
    private static final int MAX_LINE = 64 << 10;

    private final ShellChannel channel;
    private final Listener listener;
    private final CompletableFuture<Long> greeting = new CompletableFuture<>();
    private final Map<Long, CompletableFuture<Integer>> calls = new ConcurrentHashMap<>();
    private final AtomicLong number = new AtomicLong();
    private final ReentrantLock writing = new ReentrantLock();
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();
    private final ByteArrayOutputStream messages = new ByteArrayOutputStream();
    private volatile boolean ended;

    private ControlShell(ShellChannel channel, Listener listener) {
        this.channel = channel;
        this.listener = listener;
    }

    /**
     * Sets up a control shell in a shell that runs {@link Script#BOOTSTRAP}, and waits until it is ready for calls.
     *
     * @param channel the shell's; closed with the control shell
     * @param listener called on the control shell's thread
     * @return the control shell
     * @throws dev.paddock.executor.SandboxLostException if it does not become ready
     */
    public static ControlShell open(ShellChannel channel, Listener listener) {
        ControlShell shell = new ControlShell(channel, listener);
        DaemonThreads.virtual("paddock-remote-control").start(shell::listen);
        try {
            BoundedWrite.to(channel, Script.CONTROL);
            shell.greeting.get(GREETING_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
            return shell;
        } catch (IOException | ExecutionException | TimeoutException fault) {
            shell.close();
            throw channel.loss("no shell could be started: " + shell.describe(fault), fault);
        } catch (InterruptedException interrupt) {
            Thread.currentThread().interrupt();
            shell.close();
            throw channel.loss("interrupted while its shell was started", interrupt);
        }
    }

    /**
     * Returns whether the shell is known to have ended. A failed write may show that before its output ends, which
     * another process can keep open; the listener is called only at that end.
     */
    public boolean hasEnded() {
        return ended;
    }

    /** Returns the shell's process id in the remote system. */
    public long pid() {
        return greeting.join();
    }

    /**
     * Calls a function of the script.
     *
     * @param verb a function of the script
     * @param arguments its words, without the call's number
     * @return its result; completes exceptionally if the shell ends first
     */
    public CompletableFuture<Integer> call(String verb, String arguments) {
        long call = number.incrementAndGet();
        CompletableFuture<Integer> answer = new CompletableFuture<>();
        calls.put(call, answer);
        send(verb + " " + call + " " + arguments + "\n");
        if (ended) {
            failCalls();
        }
        return answer;
    }

    /**
     * Calls a function of the script that sends no answer.
     *
     * @param verb a function of the script
     * @param arguments its words
     */
    public void post(String verb, String arguments) {
        send(verb + " " + arguments + "\n");
    }

    private void send(String text) {
        writing.lock();
        try {
            BoundedWrite.to(channel, text.getBytes(StandardCharsets.US_ASCII));
        } catch (IOException fault) {
            LOG.log(System.Logger.Level.DEBUG, "the control shell does not read its input any more", fault);
            ended = true;
            failCalls();
        } finally {
            writing.unlock();
        }
    }

    private void listen() {
        try {
            channel.deliver(this::accept);
        } catch (IOException | RuntimeException fault) {
            LOG.log(System.Logger.Level.DEBUG, "the connection to the control shell has ended", fault);
        }
        ended = true;
        boolean greeted = greeting.isDone();
        greeting.completeExceptionally(new IOException("it ended before it was ready"));
        failCalls();
        channel.close();
        if (greeted) {
            listener.ended();
        }
    }

    private void accept(int stream, byte[] bytes, int length) {
        if (stream == ShellChannel.STDERR) {
            messages.write(bytes, 0, Math.min(length, Math.max(0, 4096 - messages.size())));
            return;
        }
        for (int index = 0; index < length; index++) {
            if (bytes[index] == '\n') {
                parse(line.toString(StandardCharsets.US_ASCII));
                line.reset();
            } else if (line.size() < MAX_LINE) {
                line.write(bytes[index]);
            }
        }
    }

    private void parse(String text) {
        String[] words = text.strip().split(" +", -1);
        try {
            switch (words[0]) {
                case "control" -> greeting.complete(Long.parseLong(words[1]));
                case "re" -> answer(Long.parseLong(words[1]), Integer.parseInt(words[2]));
                case "exit", "left", "done" -> listener.notice(words);
                default -> addMessage(text);
            }
        } catch (NumberFormatException | ArrayIndexOutOfBoundsException garbled) {
            LOG.log(System.Logger.Level.DEBUG, "the control shell's output has a line that it did not write", garbled);
        }
    }

    private void answer(long call, int result) {
        CompletableFuture<Integer> answer = calls.remove(call);
        if (answer != null) {
            answer.complete(result);
        }
    }

    private void addMessage(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        messages.write(bytes, 0, Math.min(bytes.length, Math.max(0, 4096 - messages.size())));
    }

    private String describe(Exception fault) {
        String text = messages.toString(StandardCharsets.UTF_8) + line.toString(StandardCharsets.UTF_8);
        return text.isBlank() ? String.valueOf(fault.getMessage()) : text.strip();
    }

    private void failCalls() {
        calls.keySet().forEach(call -> {
            CompletableFuture<Integer> answer = calls.remove(call);
            if (answer != null) {
                answer.completeExceptionally(new IOException("the control shell has ended"));
            }
        });
    }

    /** Ends the shell, and with it every command that it knows. */
    public void close() {
        channel.close();
    }
}
