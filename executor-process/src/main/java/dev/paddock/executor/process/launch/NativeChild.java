package dev.paddock.executor.process.launch;

import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.ExitStatus;
import dev.paddock.executor.Signal;
import dev.paddock.executor.log.LateLogger;
import dev.paddock.executor.os.io.DaemonThreads;
import dev.paddock.executor.os.posix.Children;
import dev.paddock.executor.os.posix.NativeFault;
import dev.paddock.executor.os.posix.Posix;
import dev.paddock.executor.os.stream.PipeInput;
import dev.paddock.executor.os.stream.PipeOutput;
import dev.paddock.executor.os.stream.Poller;
import dev.paddock.executor.os.table.SignalNumbers;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicBoolean;

/** A process started by {@code posix_spawn}. */
final class NativeChild extends ChildProcess {
    private final Posix posix;
    private final Map<Integer, PipeInput> inputs;
    private final Map<Integer, PipeOutput> outputs;
    private final AtomicBoolean released = new AtomicBoolean();

    /**
     * Creates the object for a process that was just started.
     *
     * @param inputs the streams that the JVM reads, by descriptor number of the process
     * @param outputs the streams that the JVM writes, likewise
     */
    NativeChild(Posix posix, long pid, Map<Integer, PipeInput> inputs, Map<Integer, PipeOutput> outputs) {
        super(pid);
        this.posix = posix;
        this.inputs = Map.copyOf(inputs);
        this.outputs = Map.copyOf(outputs);
    }

    /** Registers the process with the poller; without a pidfd, starts a thread that waits for it. */
    void waitFor(Poller poller) {
        OptionalInt descriptor = posix.children().open(pid());
        if (descriptor.isPresent()) {
            try {
                poller.watch(descriptor.getAsInt(), Poller.Readiness.READABLE, () -> {
                    posix.descriptors().close(descriptor.getAsInt());
                    complete(false);
                });
                return;
            } catch (NativeFault unwatchable) {
                posix.descriptors().close(descriptor.getAsInt());
            }
        }
        DaemonThreads.platform("paddock-wait-" + pid()).start(() -> complete(true));
    }

    private void complete(boolean wait) {
        try {
            Children.End end = posix.children()
                    .end(pid(), wait)
                    .orElseThrow(() -> new IllegalStateException("process " + pid() + " has not ended"));
            ended().complete(statusOf(end));
        } catch (NativeFault | IllegalStateException fault) {
            ended().completeExceptionally(new ExecutorException(
                    "the exit status of process " + pid() + " cannot be read; does the program wait for children that"
                            + " it did not start?",
                    fault));
        }
    }

    private static ExitStatus statusOf(Children.End end) {
        return end.exited()
                ? new ExitStatus.Exited(end.number() & 0xff)
                : new ExitStatus.Signaled(SignalNumbers.fromPlatform(end.number()));
    }

    @Override
    public InputStream stdout() {
        return terminal().map(Terminal::output).orElseGet(() -> from(1));
    }

    @Override
    public InputStream stderr() {
        PipeInput separate = inputs.get(2);
        return separate == null ? InputStream.nullInputStream() : separate;
    }

    @Override
    public OutputStream stdin() {
        PipeOutput pipe = outputs.get(0);
        OutputStream plain = pipe == null ? ClosedInput.INSTANCE : pipe;
        return terminal().map(Terminal::input).orElse(plain);
    }

    @Override
    public OutputStream to(int number) {
        PipeOutput pipe = outputs.get(number);
        if (pipe == null) {
            throw new IllegalArgumentException("the process has no pipe to read at descriptor " + number);
        }
        return pipe;
    }

    @Override
    public InputStream from(int number) {
        PipeInput pipe = inputs.get(number);
        if (pipe == null) {
            throw new IllegalArgumentException("the process has no pipe to write at descriptor " + number);
        }
        return pipe;
    }

    @Override
    public boolean signal(Signal signal) {
        return !released.get() && posix.children().signal(pid(), SignalNumbers.toPlatform(signal));
    }

    @Override
    public boolean signalGroup(Signal signal) {
        return !released.get() && posix.children().signal(-pid(), SignalNumbers.toPlatform(signal));
    }

    @Override
    public boolean leadsSession() {
        return true;
    }

    @Override
    public boolean holdsNumber() {
        return !released.get();
    }

    @Override
    public void endStreams() {
        outputs.values().forEach(PipeOutput::close);
        inputs.values().forEach(PipeInput::end);
        terminal().ifPresent(Terminal::end);
    }

    @Override
    public void release() {
        if (hasEnded() && !released.getAndSet(true)) {
            try {
                posix.children().reap(pid());
            } catch (NativeFault fault) {
                LateLogger.of(NativeChild.class).log(System.Logger.Level.WARNING, "A process remains a zombie", fault);
            }
        }
    }

    /** The closed standard input of a command. */
    private static final class ClosedInput extends OutputStream {
        static final ClosedInput INSTANCE = new ClosedInput();

        @Override
        public void write(int one) throws IOException {
            throw new IOException("the command's standard input is empty; ask for Stdin.PIPE to write to it");
        }
    }
}
