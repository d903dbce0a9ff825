package dev.paddock.executor.process.posix;

import java.nio.ByteBuffer;
import java.util.OptionalInt;

/** Makes the calls that concern pseudo-terminals. Linux. */
public final class Terminals {
    private static final int O_RDWR = 2;
    private static final int O_NOCTTY = 0x100;
    private static final int O_CLOEXEC = 0x80000;
    private static final int F_DUPFD_CLOEXEC = 1030;

    // The same numbers on x86-64 and AArch64.
    private static final long TIOCSPTLCK = 0x40045431L;
    private static final long TIOCGPTN = 0x80045430L;
    private static final long TIOCGPTPEER = 0x5441;
    private static final long TIOCSWINSZ = 0x5414;
    private static final long TCGETS = 0x5401;

    /** More than the kernel's {@code struct termios} has. */
    private static final int SETTINGS_BYTES = 64;

    private static final int LOCAL_FLAGS = 12;
    private static final int CHARACTERS = 17;
    private static final int ICANON = 2;
    private static final int VEOF = 4;

    private final LibC c;
    private final Descriptors descriptors;
    private final long ioctl;
    private final long fcntl;

    /**
     * A new pseudo-terminal. Both ends are closed on exec, and neither is the controlling terminal
     * of this JVM.
     *
     * @param master the end that shows the output and takes the input
     * @param slave the end that is a terminal for programs
     * @param number N of its path {@code /dev/pts/N}
     */
    public record Pair(int master, int slave, int number) {}

    Terminals(LibC c, Descriptors descriptors) {
        this.c = c;
        this.descriptors = descriptors;
        ioctl = c.find("ioctl");
        fcntl = c.find("fcntl");
    }

    /**
     * Creates a pseudo-terminal.
     *
     * @param multiplexer the path of the {@code ptmx} file that makes it
     */
    public Pair open(String multiplexer) throws NativeFault {
        int master = descriptors.open(multiplexer, O_RDWR | O_NOCTTY);
        try {
            ByteBuffer word = Memory.allocate(8);
            require(c.call(ioctl, master, TIOCSPTLCK, Memory.address(word)), "unlocked");
            require(c.call(ioctl, master, TIOCGPTN, Memory.address(word)), "numbered");
            int number = word.getInt(0);
            int slave = require(c.call(ioctl, master, TIOCGPTPEER, O_RDWR | O_NOCTTY | O_CLOEXEC), "opened");
            return new Pair(master, slave, number);
        } catch (NativeFault fault) {
            descriptors.close(master);
            throw fault;
        }
    }

    /** Duplicates a descriptor. */
    public int duplicate(int descriptor) throws NativeFault {
        return require(c.call(fcntl, descriptor, F_DUPFD_CLOEXEC, 0), "duplicated");
    }

    /**
     * Sets the size; the kernel then signals the foreground process group. Returns whether it was
     * set.
     */
    public boolean resize(int terminal, int columns, int rows) {
        ByteBuffer size = Memory.allocate(8).putShort(0, (short) rows).putShort(2, (short) columns);
        int result = c.call(ioctl, terminal, TIOCSWINSZ, Memory.address(size));
        Memory.keep(size);
        return result == 0;
    }

    /**
     * Returns the character that is the end of input at the moment; empty where the terminal has
     * none, because a program reads single characters.
     */
    public OptionalInt endOfInput(int terminal) {
        ByteBuffer settings = Memory.allocate(SETTINGS_BYTES);
        boolean known = c.call(ioctl, terminal, TCGETS, Memory.address(settings)) == 0;
        return known && (settings.getInt(LOCAL_FLAGS) & ICANON) != 0
                ? OptionalInt.of(settings.get(CHARACTERS + VEOF) & 0xff)
                : OptionalInt.empty();
    }

    private int require(int result, String what) throws NativeFault {
        if (result < 0) {
            throw new NativeFault("a terminal could not be " + what, c.errno());
        }
        return result;
    }
}
