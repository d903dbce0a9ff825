package dev.paddock.executor.remote.shell;

import dev.paddock.executor.log.LateLogger;
import dev.paddock.executor.os.io.DaemonThreads;
import dev.paddock.executor.remote.ShellChannel;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** The client's side of a slot: one shell that runs one command. */
public final class Slot {
    private static final System.Logger LOG = LateLogger.of(Slot.class);

    /**
     * The greeting of a slot that is ready for a request.
     *
     * @param pid its shell's process id in the remote system
     * @param parent the process id of its subreaper, or 0
     */
    public record Greeting(long pid, long parent) {}

    /** The most bytes that a shell may write to standard error before it has received a request. */
    private static final int MAX_EARLY = 1 << 20;

    /** How far a command's standard error may overtake its shell's answer, in bytes. */
    private static final int MAX_OVERTAKING = 64 << 20;

    /** The most bytes of a failed shell's output that a message quotes. */
    private static final int MAX_MESSAGE = 4096;

    private static final int MAX_LINE = 64 << 10;
    private static final String LONG_LINE = "the shell there answers with a line of more than " + (MAX_LINE >> 10)
            + " KiB; examine the 'sh' of the image or host";

    private final ShellChannel channel;
    private final boolean terminal;
    private final CompletableFuture<Greeting> greeting = new CompletableFuture<>();
    private final CompletableFuture<String> answer = new CompletableFuture<>();
    private final CompletableFuture<Void> end = new CompletableFuture<>();
    private final ReentrantLock lock = new ReentrantLock();
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();
    private ByteArrayOutputStream early = new ByteArrayOutputStream();
    private @Nullable Receiver receiver;
    private boolean ended;

    public interface Receiver {
        /**
         * Receives a piece of output.
         *
         * @param stream {@link ShellChannel#STDOUT} or {@link ShellChannel#STDERR}
         * @param bytes begins with the piece
         * @param length of the piece, in bytes
         * @throws IOException to abandon the slot
         */
        void output(int stream, byte[] bytes, int length) throws IOException;

        /** Handles the end of the connection; no more output follows. */
        void ended();
    }

    private Slot(ShellChannel channel, boolean terminal) {
        this.channel = channel;
        this.terminal = terminal;
    }

    /**
     * Sets up a slot in a shell that runs {@link Script#BOOTSTRAP}. It accepts a request even before its greeting
     * arrives.
     *
     * @param channel the shell's; closed with the slot
     * @throws dev.paddock.executor.SandboxLostException if the shell does not accept the script
     */
    public static Slot open(ShellChannel channel) {
        return open(new Slot(channel, false));
    }

    /**
     * Sets up a slot as {@link #open} does, in a shell that has a terminal, with the kernel's settings for a new one.
     * Delivers all output as {@link ShellChannel#STDOUT}; discards what the terminal echoes before the command runs.
     *
     * @param channel the shell's; closed with the slot
     * @throws dev.paddock.executor.SandboxLostException if the shell does not accept the script
     */
    public static Slot openAtTerminal(ShellChannel channel) {
        return open(new Slot(channel, true));
    }

    private static Slot open(Slot slot) {
        ShellChannel channel = slot.channel;
        // Two other threads wake a virtual thread for a socket's data, which costs more than delivering small pieces of
        // output; a platform thread takes memory in each of many sessions.
        String name = "paddock-remote-slot";
        (channel.isReadElsewhere() ? DaemonThreads.virtual(name) : DaemonThreads.platform(name)).start(slot::listen);
        try {
            channel.input().write(Script.SLOT);
        } catch (IOException fault) {
            slot.close();
            throw channel.loss("a shell's input was closed", fault);
        }
        return slot;
    }

    /** Returns the shell's channel, which the slot still owns. */
    public ShellChannel channel() {
        return channel;
    }

    /** Returns the greeting; completes exceptionally if the slot ends before it. */
    public CompletableFuture<Greeting> greeting() {
        return greeting;
    }

    /**
     * Returns the answer to the request, {@code ready PID} or {@code refused WHY}; completes exceptionally if the slot
     * ends first.
     */
    public CompletableFuture<String> answer() {
        return answer;
    }

    /** Returns a future that completes when the slot's process or its connection has ended. */
    public CompletableFuture<Void> end() {
        return end;
    }

    /** Returns whether the slot's process or its connection has ended. */
    public boolean hasEnded() {
        lock.lock();
        try {
            return ended;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Sends the slot its request.
     *
     * @param line from {@link RequestLine}
     * @param value receives the command's output and its end
     * @throws IOException if the slot has ended
     */
    public void send(byte[] line, Receiver value) throws IOException {
        lock.lock();
        try {
            receiver = value;
            if (ended) {
                throw new IOException("the slot has ended");
            }
        } finally {
            lock.unlock();
        }
        BoundedWrite.to(channel, terminal ? TerminalLines.of(line) : line);
    }

    /** Returns the command's standard input, once the slot has received its request. */
    public OutputStream input() {
        return channel.input();
    }

    /**
     * Closes the command's standard input.
     *
     * @throws IOException if the connection has failed
     */
    public void endInput() throws IOException {
        channel.endInput();
    }

    private void listen() {
        try {
            channel.deliver(this::accept);
        } catch (IOException | RuntimeException fault) {
            // Call the receiver after any failure: its command would never close otherwise.
            LOG.log(System.Logger.Level.DEBUG, "the connection to a slot has ended", fault);
        }
        channel.close();
        Receiver last;
        lock.lock();
        try {
            ended = true;
            last = receiver;
        } finally {
            lock.unlock();
        }
        IOException fault = new IOException(message());
        greeting.completeExceptionally(fault);
        answer.completeExceptionally(fault);
        end.complete(null);
        if (last != null) {
            last.ended();
        }
    }

    private void accept(int stream, byte[] bytes, int length) throws IOException {
        if (answer.isDone()) {
            receiver().output(stream, bytes, length);
        } else if (stream == ShellChannel.STDERR) {
            keepEarly(bytes, length);
        } else {
            acceptWords(bytes, length);
        }
    }

    /**
     * Buffers output that arrives before the slot's answer. The two streams may be copied independently: on a busy
     * machine the command's standard error may overtake the answer that the command is about to run by as much as the
     * command writes meanwhile.
     */
    private void keepEarly(byte[] bytes, int length) throws IOException {
        if (early.size() > (hasRequest() ? MAX_OVERTAKING : MAX_EARLY)) {
            throw new IOException("the shell there writes output and no answer; examine the 'sh' of the image or host");
        }
        early.write(bytes, 0, length);
    }

    private boolean hasRequest() {
        lock.lock();
        try {
            return receiver != null;
        } finally {
            lock.unlock();
        }
    }

    private void acceptWords(byte[] bytes, int length) throws IOException {
        for (int index = 0; index < length; index++) {
            if (bytes[index] != '\n') {
                if (line.size() == MAX_LINE) {
                    line.reset(); // the message replaces that line
                    line.writeBytes(LONG_LINE.getBytes(StandardCharsets.US_ASCII));
                    throw new IOException(LONG_LINE);
                }
                line.write(bytes[index]);
                continue;
            }
            String text = line.toString(StandardCharsets.US_ASCII);
            parse(terminal ? text.stripTrailing() : text);
            line.reset();
            if (answer.isDone()) {
                if (!terminal) {
                    receiver().output(ShellChannel.STDERR, early.toByteArray(), early.size());
                    early = new ByteArrayOutputStream(0); // releases up to MAX_OVERTAKING bytes
                }
                int rest = length - index - 1;
                if (rest > 0) {
                    byte[] output = new byte[rest];
                    System.arraycopy(bytes, index + 1, output, 0, rest);
                    receiver().output(ShellChannel.STDOUT, output, rest);
                }
                return;
            }
        }
    }

    private void parse(String text) throws IOException {
        String[] words = text.split(" ", -1);
        if (terminal && !TerminalLines.isAnswer(text)) {
            keepMessage(text);
        } else if (words[0].equals("slot") && words.length == 3) {
            greeting.complete(new Greeting(Long.parseLong(words[1]), Long.parseLong(words[2])));
        } else if (greeting.isDone() && (words[0].equals("ready") || words[0].equals("refused"))) {
            answer.complete(text);
        } else if (greeting.isDone() && text.startsWith("\uFFFD")) {
            // An end sentinel without a beginning: the variables are too large for the system, or the shell has exited.
            answer.complete("refused start " + headOfEarly());
        } else {
            throw new IOException("the shell there answers with the line '" + text + "'");
        }
    }

    /** Saves the last line at a terminal that is no echo of the request: why the shell fails. */
    private void keepMessage(String text) {
        if (!text.isEmpty() && !text.startsWith(TerminalLines.MORE)) {
            early.reset();
            early.writeBytes(text.getBytes(StandardCharsets.US_ASCII));
        }
    }

    private Receiver receiver() throws IOException {
        lock.lock();
        try {
            if (receiver == null) {
                throw new IOException("the shell there writes output before a request");
            }
            return receiver;
        } finally {
            lock.unlock();
        }
    }

    private String headOfEarly() {
        byte[] errors = early.toByteArray();
        return new String(errors, 0, Math.min(errors.length, MAX_MESSAGE), StandardCharsets.UTF_8);
    }

    private String message() {
        String text = headOfEarly() + line.toString(StandardCharsets.UTF_8);
        return text.isBlank() ? "the shell ended before it answered" : text.strip();
    }

    /** Ends an unused slot, or the connection to a used one. */
    public void close() {
        channel.close();
    }
}
