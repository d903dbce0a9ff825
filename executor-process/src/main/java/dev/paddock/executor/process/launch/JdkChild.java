package dev.paddock.executor.process.launch;

import dev.paddock.executor.ExitStatus;
import dev.paddock.executor.Signal;
import dev.paddock.executor.os.posix.PortableSignal;
import dev.paddock.executor.os.table.SignalNumbers;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A process that the JDK started. */
final class JdkChild extends ChildProcess {
    private final Process process;

    JdkChild(Process process) {
        super(process.pid());
        this.process = process;
        CompletableFuture<Process> unused = process.onExit()
                .whenComplete((done, never) -> ended().complete(ExitStatus.ofShellCode(done.exitValue())));
    }

    @Override
    public InputStream stdout() {
        return process.getInputStream();
    }

    @Override
    public InputStream stderr() {
        return process.getErrorStream();
    }

    @Override
    public OutputStream stdin() {
        return process.getOutputStream();
    }

    @Override
    public OutputStream to(int number) {
        throw new IllegalArgumentException("the process has no pipe to read at descriptor " + number);
    }

    @Override
    public InputStream from(int number) {
        throw new IllegalArgumentException("the process has no pipe to write at descriptor " + number);
    }

    @Override
    public boolean signal(Signal signal) {
        return process.isAlive() && kill(pid(), signal);
    }

    static boolean kill(long pid, Signal signal) {
        return PortableSignal.send(pid, SignalNumbers.toPlatform(signal)).orElseGet(() -> killByProgram(pid, signal));
    }

    static boolean killByProgram(long pid, Signal signal) {
        return HelperCommand.run(List.of("kill", "-s", signal.name(), Long.toString(pid)))
                .succeeded();
    }

    @Override
    public boolean signalGroup(Signal signal) {
        return false;
    }

    @Override
    public boolean leadsSession() {
        return false;
    }

    @Override
    public boolean holdsNumber() {
        return process.isAlive();
    }

    @Override
    public void endStreams() {
        // The JDK drains the pipes when the process exits.
    }

    @Override
    public void release() {
        // The JDK reaps its processes.
    }
}
