package dev.paddock.executor.remote.sync;

import dev.paddock.executor.AbortSignal;
import dev.paddock.executor.AbortedException;
import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.SandboxLostException;
import dev.paddock.executor.log.LateLogger;
import dev.paddock.executor.os.io.DaemonThreads;
import dev.paddock.executor.remote.ChannelFactory;
import dev.paddock.executor.remote.ShellChannel;
import dev.paddock.executor.remote.shell.InputFrames;
import dev.paddock.executor.remote.shell.Script;
import dev.paddock.executor.remote.shell.StreamBuffer;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * Runs the script of the synchronization on the remote side, one process for each call. One that lists the tree can be
 * started ahead, since its start takes longer than the list.
 */
final class SyncScript implements AutoCloseable {
    private static final System.Logger LOG = LateLogger.of(SyncScript.class);
    private static final String SCRIPT = Script.text(SyncScript.class, "sync.sh");
    private static final int MAX_MESSAGES = 4096;

    /** The script's answer if the directory is of another run of the remote system than its state. */
    private static final String OTHER_RUN = "paddock-sync: another run";

    /** Argument of a process started ahead, which then reads from its input whether a list is known. */
    private static final String LATER = "later";

    /** The size of a frame: the remote side starts a process for each. */
    private static final int FRAME = 512 << 10;

    /** A packed list is about a tenth of its size. */
    static final int MAX_ANSWER = 128 << 20;

    private final ChannelFactory channels;
    private final String directory;
    private final String state;
    private Optional<CompletableFuture<ShellChannel>> ahead = Optional.empty();
    private boolean closed;
    private boolean sparse;

    @FunctionalInterface
    interface Sender {
        void send(OutputStream input) throws IOException;
    }

    @FunctionalInterface
    interface Receiver<T> {
        T receive(InputStream output) throws IOException;
    }

    /**
     * Creates the caller of the script; starts nothing.
     *
     * @param directory the tree's root there
     * @param state a directory there for the script's own files, outside the tree
     */
    SyncScript(ChannelFactory channels, String directory, String state) {
        this.channels = channels;
        this.directory = directory;
        this.state = state;
    }

    /**
     * Creates both directories if they do not exist.
     *
     * @throws ExecutorException if a program is missing, or a directory cannot be made
     */
    void prepare(AbortSignal signal) {
        String answer = run("prepare", "", input -> {}, SyncScript::text, signal);
        if (answer.startsWith("missing")) {
            throw new ExecutorException("files cannot be synchronized with '" + directory
                    + "': the remote system has no"
                    + answer.substring("missing".length()).stripTrailing()
                    + "; install them there (findutils, coreutils, tar, gzip and diffutils, or busybox)");
        }
        sparse = answer.startsWith("sparse\n");
        if (!answer.endsWith(" .//\n")) {
            throw new ExecutorException("files cannot be synchronized with '" + directory
                    + "': the remote system's find, xargs and stat do not work together as GNU's and busybox's do: '"
                    + answer.strip() + "'");
        }
    }

    /** Returns how many bytes fetching an entry transfers: holes count only if the remote tar does not detect them. */
    long transferred(TreeEntry entry) {
        return sparse ? entry.data() : entry.size();
    }

    /**
     * Lists the tree. A list changes nothing there, so it is requested again if its connection is lost: a server can
     * cut one stream while the remote system lives.
     *
     * @param known whether the remote side may answer that the list equals the last one
     * @return empty if it equals the last one
     */
    Optional<Tree> list(boolean known, AbortSignal signal) {
        String word = known ? "known" : "";
        Optional<ShellChannel> started = takeAhead().flatMap(SyncScript::opened);
        if (started.isPresent()) {
            try {
                return run(started.get(), false, line(word), SyncScript::answer, signal);
            } catch (SystemChangedException | AbortedException certain) {
                throw certain;
            } catch (ExecutorException ended) {
                LOG.log(System.Logger.Level.DEBUG, "a process that was started ahead has ended", ended);
                word = ""; // it may have saved a list that never arrived here
            }
        }
        try {
            return run("list", word, input -> {}, SyncScript::answer, signal);
        } catch (SandboxLostException cut) {
            LOG.log(System.Logger.Level.DEBUG, "a list was lost", cut);
            return run("list", "", input -> {}, SyncScript::answer, signal);
        }
    }

    private static Sender line(String word) {
        return input -> input.write((word + "\n").getBytes(StandardCharsets.US_ASCII));
    }

    /** Starts the process of the next list, unless there is one; no one waits for it. */
    synchronized void expectList() {
        if (ahead.isEmpty() && !closed) {
            ahead = Optional.of(CompletableFuture.supplyAsync(
                    () -> channels.open(argv("list", LATER)),
                    task -> DaemonThreads.virtual("paddock-sync-ahead").start(task)));
        }
    }

    private synchronized Optional<CompletableFuture<ShellChannel>> takeAhead() {
        Optional<CompletableFuture<ShellChannel>> taken = ahead;
        ahead = Optional.empty();
        return taken;
    }

    private static Optional<ShellChannel> opened(CompletableFuture<ShellChannel> channel) {
        try {
            return Optional.of(channel.join());
        } catch (CompletionException fault) {
            LOG.log(System.Logger.Level.DEBUG, "a process could not be started ahead", fault);
            return Optional.empty();
        }
    }

    /** Ends the waiting process, if any; none is started ahead any more. */
    @Override
    public synchronized void close() {
        closed = true;
        takeAhead().ifPresent(waiting -> {
            var unused = waiting.thenAccept(ShellChannel::close);
        });
    }

    /** Removes files or links; missing ones are ignored. */
    Tree remove(Collection<String> paths, AbortSignal signal) {
        return whole(run("remove", "", names(paths), SyncScript::answer, signal));
    }

    /** Removes directories, except those that are not empty. */
    Tree removeDirectories(Collection<String> paths, AbortSignal signal) {
        return whole(run("rmdir", "", names(paths), SyncScript::answer, signal));
    }

    Tree receive(Sender archive, AbortSignal signal) {
        return whole(run("receive", "", archive, SyncScript::answer, signal));
    }

    /** Requests files and links, as archives that end with the files {@code begun} and {@code list}. */
    <T> T fetch(Collection<String> paths, Receiver<T> receiver, AbortSignal signal) {
        return run("fetch", "", names(paths), receiver, signal);
    }

    private Tree whole(Optional<Tree> tree) {
        return tree.orElseThrow(() -> new ExecutorException("the remote side sends no list of '" + directory + "'"));
    }

    private static Optional<Tree> answer(InputStream output) throws IOException {
        return Manifest.read(bounded(output));
    }

    private static String text(InputStream output) throws IOException {
        return new String(bounded(output), StandardCharsets.UTF_8);
    }

    static byte[] bounded(InputStream output) throws IOException {
        byte[] bytes = output.readNBytes(MAX_ANSWER);
        if (output.read() >= 0) {
            throw new IOException("the remote side's list is longer than " + (MAX_ANSWER >> 20) + " MiB");
        }
        return bytes;
    }

    private static Sender names(Collection<String> paths) {
        return input -> {
            for (String path : paths) {
                input.write(("./" + path + "\0").getBytes(StandardCharsets.ISO_8859_1));
            }
        };
    }

    private <T> T run(String verb, String known, Sender sender, Receiver<T> receiver, AbortSignal signal) {
        signal.throwIfAborted();
        return run(channels.open(argv(verb, known)), framed(), sender, receiver, signal);
    }

    private List<String> argv(String verb, String known) {
        return List.of("sh", "-c", SCRIPT, "paddock-sync", verb, directory, state, known, framed() ? "framed" : "");
    }

    private <T> T run(ShellChannel opened, boolean framed, Sender sender, Receiver<T> receiver, AbortSignal signal) {
        try (ShellChannel channel = opened) {
            AbortSignal.Registration registration = signal.onAbort(channel::close);
            try {
                return run(channel, framed, sender, receiver);
            } catch (ExecutorException fault) {
                signal.throwIfAborted();
                throw fault;
            } finally {
                registration.close();
            }
        }
    }

    private <T> T run(ShellChannel channel, boolean framed, Sender sender, Receiver<T> receiver) {
        StreamBuffer output = new StreamBuffer();
        ByteArrayOutputStream messages = new ByteArrayOutputStream();
        CompletableFuture<Void> delivered = new CompletableFuture<>();
        CompletableFuture<Void> sent = new CompletableFuture<>();
        DaemonThreads.virtual("paddock-sync-read").start(() -> {
            complete(
                    delivered,
                    () -> channel.deliver((stream, bytes, length) -> {
                        if (stream == ShellChannel.STDOUT) {
                            output.put(bytes, 0, length);
                        } else {
                            messages.write(bytes, 0, Math.min(length, Math.max(0, MAX_MESSAGES - messages.size())));
                        }
                    }));
            output.end(); // after the reason of the end is known
        });
        DaemonThreads.virtual("paddock-sync-write")
                .start(() -> complete(sent, () -> {
                    OutputStream input = framed
                            ? new BufferedOutputStream(new Frames(channel.input()), FRAME)
                            : new BufferedOutputStream(channel.input(), 64 << 10);
                    sender.send(input);
                    input.flush();
                    if (framed) {
                        InputFrames.end(channel.input());
                        channel.input().flush();
                    } else if (channels.closesHalf()) {
                        channel.endInput();
                    }
                }));
        try {
            return receiver.receive(output);
        } catch (IOException fault) {
            output.close();
            channel.close();
            throw failure(
                    channel,
                    fault,
                    delivered,
                    sent,
                    messages.toString(StandardCharsets.UTF_8).strip());
        }
    }

    private boolean framed() {
        return !channels.closesHalf();
    }

    /** Puts each written piece into a frame. */
    private static final class Frames extends OutputStream {
        private final OutputStream channel;

        Frames(OutputStream channel) {
            this.channel = channel;
        }

        @Override
        public void write(int value) throws IOException {
            write(new byte[] {(byte) value}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            InputFrames.write(channel, bytes, offset, length, FRAME);
        }
    }

    @FunctionalInterface
    private interface Action {
        void run() throws IOException;
    }

    private static void complete(CompletableFuture<Void> done, Action action) {
        try {
            action.run();
            done.complete(null);
        } catch (IOException | RuntimeException | Error fault) {
            done.completeExceptionally(fault);
        }
    }

    private ExecutorException failure(
            ShellChannel channel,
            IOException fault,
            CompletableFuture<Void> delivered,
            CompletableFuture<Void> sent,
            String messages) {
        String what = "files could not be synchronized with '" + directory + "'";
        if (sent.isCompletedExceptionally() && sent.exceptionNow() instanceof HostFault own) {
            return new ExecutorException(what + ": " + own.getMessage(), own);
        }
        if (messages.contains(OTHER_RUN)) {
            return new SystemChangedException(
                    what + ": the remote system was restarted, or the directory or '" + state + "' was removed there",
                    fault);
        }
        if (delivered.isCompletedExceptionally() && messages.isEmpty()) {
            return channel.loss(what + ": the connection has ended", delivered.exceptionNow());
        }
        return new ExecutorException(
                what + ": " + (messages.isEmpty() ? fault.getMessage() : messages.replace('\n', ';')), fault);
    }

    /** A file of the host that cannot be read. */
    static final class HostFault extends IOException {
        private static final long serialVersionUID = 1;

        HostFault(String message, IOException cause) {
            super(message, cause);
        }
    }
}
