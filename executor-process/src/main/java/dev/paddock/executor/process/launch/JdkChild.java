package dev.paddock.executor.process.launch;

import dev.paddock.executor.ExitStatus;
import dev.paddock.executor.Signal;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A process of the JDK's. */
public final class JdkChild extends ChildProcess {
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
        throw new IllegalArgumentException("the process reads nothing from us at descriptor " + number);
    }

    @Override
    public InputStream from(int number) {
        throw new IllegalArgumentException("the process writes nothing to us at descriptor " + number);
    }

    @Override
    public boolean signal(Signal signal) {
        return process.isAlive() && kill(pid(), signal);
    }

    /** By the program that every POSIX system has: the JDK itself knows TERM and KILL alone. */
    public static boolean kill(long pid, Signal signal) {
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
        // The JDK takes out what the pipes hold when the process ends.
    }

    @Override
    public void release() {
        // The JDK waits for its processes itself.
    }
}
