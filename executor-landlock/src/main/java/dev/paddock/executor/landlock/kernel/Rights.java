package dev.paddock.executor.landlock.kernel;

/**
 * Landlock's access rights, numbered as in {@code linux/landlock.h}, and the version of Landlock that introduced each.
 */
public final class Rights {

    static final long EXECUTE = 1;
    static final long WRITE_FILE = 1 << 1;
    static final long READ_FILE = 1 << 2;
    static final long READ_DIR = 1 << 3;
    static final long REMOVE_DIR = 1 << 4;
    static final long REMOVE_FILE = 1 << 5;
    static final long MAKE_CHAR = 1 << 6;
    static final long MAKE_DIR = 1 << 7;
    static final long MAKE_REG = 1 << 8;
    static final long MAKE_SOCK = 1 << 9;
    static final long MAKE_FIFO = 1 << 10;
    static final long MAKE_BLOCK = 1 << 11;
    static final long MAKE_SYM = 1 << 12;

    /** Linking and renaming between directories, which version 1 always refuses. */
    static final long REFER = 1 << 13;

    static final long TRUNCATE = 1 << 14;
    static final long IOCTL_DEV = 1 << 15;

    static final long BIND_TCP = 1;
    static final long CONNECT_TCP = 1 << 1;

    static final long ABSTRACT_UNIX_SOCKETS = 1;
    static final long SIGNALS = 1 << 1;

    static final int REFER_VERSION = 2;
    public static final int TRUNCATE_VERSION = 3;
    static final int NETWORK_VERSION = 4;
    static final int IOCTL_VERSION = 5;
    public static final int SCOPES_VERSION = 6;

    static final long READ = READ_FILE | READ_DIR;

    /** All rights except creating devices and sockets, which no command needs. */
    static final long WRITE = EXECUTE
            | READ
            | WRITE_FILE
            | REMOVE_DIR
            | REMOVE_FILE
            | MAKE_DIR
            | MAKE_REG
            | MAKE_FIFO
            | MAKE_SYM
            | REFER
            | TRUNCATE;

    static final long DEVICE = READ_FILE | WRITE_FILE | TRUNCATE | IOCTL_DEV;

    /** The rights that a rule for a file other than a directory may grant; the kernel rejects more. */
    static final long OF_FILES = EXECUTE | READ_FILE | WRITE_FILE | TRUNCATE | IOCTL_DEV;

    private Rights() {}

    /** Returns all rights to files in a version of Landlock. */
    public static long ofFiles(int version) {
        long known = MAKE_SYM | (MAKE_SYM - 1);
        known |= version >= REFER_VERSION ? REFER : 0;
        known |= version >= TRUNCATE_VERSION ? TRUNCATE : 0;
        known |= version >= IOCTL_VERSION ? IOCTL_DEV : 0;
        return known;
    }

    /** Returns all rights to TCP ports in a version. */
    static long ofPorts(int version) {
        return version >= NETWORK_VERSION ? BIND_TCP | CONNECT_TCP : 0;
    }

    /** Returns all kinds of communication that a version can keep within the sandbox. */
    static long ofScopes(int version) {
        return version >= SCOPES_VERSION ? ABSTRACT_UNIX_SOCKETS | SIGNALS : 0;
    }
}
