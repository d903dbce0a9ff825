package dev.paddock.executor.process.posix;

import java.util.Optional;

/** What of the C library processes are handled with, where all of it is there. */
public final class Posix {
    private static final Optional<Posix> INSTANCE = LibC.instance().flatMap(Posix::bind);

    private final LibC c;
    private final Descriptors descriptors;
    private final Children children;
    private final Spawner spawner;

    private Posix(LibC c, Descriptors descriptors, Children children, Spawner spawner) {
        this.c = c;
        this.descriptors = descriptors;
        this.children = children;
        this.spawner = spawner;
    }

    /**
     * The machine's.
     *
     * @return empty where a child cannot be started without the JVM's descriptors: glibc before 2.34, other C libraries
     */
    public static Optional<Posix> instance() {
        return INSTANCE;
    }

    private static Optional<Posix> bind(LibC c) {
        Spawner spawner = new Spawner(c);
        if (!(LibC.isLinux() || LibC.isMac()) || !spawner.usable()) {
            return Optional.empty();
        }
        try {
            return Optional.of(new Posix(c, new Descriptors(c), new Children(c), spawner));
        } catch (NativeFault fault) {
            System.getLogger(Posix.class.getName())
                    .log(System.Logger.Level.WARNING, "Processes are started by the JDK's own means", fault);
            return Optional.empty();
        }
    }

    public LibC c() {
        return c;
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

    /** Processes that are no children of this one. Linux. */
    public ForeignProcesses foreign() {
        return new ForeignProcesses(c);
    }

    /** A new epoll instance. Linux. */
    public Epoll epoll() throws NativeFault {
        return new Epoll(c);
    }
}
