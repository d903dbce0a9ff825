package dev.paddock.executor.os.posix;

import dev.paddock.executor.log.LateLogger;
import java.util.Optional;

/** Provides the parts of the C library for process handling, where all of them are available. */
public final class Posix {
    private static final Optional<Posix> INSTANCE = LibC.instance().flatMap(c -> bind(c, Platform.ofThisMachine()));

    private final LibC c;
    private final Platform platform;
    private final Descriptors descriptors;
    private final Children children;
    private final Spawner spawner;

    private Posix(LibC c, Platform platform, Descriptors descriptors, Children children, Spawner spawner) {
        this.c = c;
        this.platform = platform;
        this.descriptors = descriptors;
        this.children = children;
        this.spawner = spawner;
    }

    /**
     * Returns the instance for this machine.
     *
     * @return empty where a child cannot be started without the JVM's descriptors: glibc before 2.34, other C libraries
     */
    public static Optional<Posix> instance() {
        return INSTANCE;
    }

    /** Returns why there is no instance for this machine; empty where {@link #instance} is present. */
    public static Optional<NativeObstacle> obstacle() {
        if (INSTANCE.isPresent()) {
            return Optional.empty();
        }
        return LibC.obstacle()
                .or(() -> Optional.of(new NativeObstacle(
                        "the C library cannot start a program from a chosen thread without the JVM's descriptors, as"
                                + " glibc can from 2.34 on",
                        "Use a system with glibc 2.34 or later.")));
    }

    /** Returns the instance for this machine without Linux's own calls; empty where {@link #instance} is. */
    public static Optional<Posix> portable() {
        return Portable.INSTANCE;
    }

    private static final class Portable {
        static final Optional<Posix> INSTANCE = as(Platform.ofThisMachine().portable());
    }

    /** Returns the instance for this machine as if it were another platform; empty where {@link #instance} is. */
    public static Optional<Posix> as(Platform platform) {
        return LibC.instance().flatMap(c -> bind(c, platform));
    }

    private static Optional<Posix> bind(LibC c, Platform platform) {
        Spawner spawner = new Spawner(c, platform);
        if (!(LibC.isLinux() || LibC.isMac()) || !spawner.usable()) {
            return Optional.empty();
        }
        try {
            return Optional.of(
                    new Posix(c, platform, new Descriptors(c, platform), new Children(c, platform), spawner));
        } catch (NativeFault fault) {
            LateLogger.of(Posix.class)
                    .log(
                            System.Logger.Level.WARNING,
                            "The JDK starts the processes, since the C library's calls cannot be bound",
                            fault);
            return Optional.empty();
        }
    }

    public LibC c() {
        return c;
    }

    public Platform platform() {
        return platform;
    }

    public Descriptors descriptors() {
        return descriptors;
    }

    public Children children() {
        return children;
    }

    public Spawner spawner() {
        return spawner;
    }

    /** Returns the calls for processes that are not children of this JVM. Linux. */
    public ForeignProcesses foreign() {
        return new ForeignProcesses(c);
    }

    /** Returns the calls for pseudo-terminals. Linux. */
    public Terminals terminals() {
        return new Terminals(c, descriptors);
    }

    /** Returns the calls for sockets of another network namespace. Linux. */
    public Sockets sockets() {
        return new Sockets(c);
    }

    /** Creates an epoll instance. Linux. */
    public Epoll epoll() throws NativeFault {
        return new Epoll(c);
    }
}
