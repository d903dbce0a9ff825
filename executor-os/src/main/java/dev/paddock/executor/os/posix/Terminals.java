package dev.paddock.executor.os.posix;

import dev.paddock.executor.TerminalSize;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;
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
    private static final long TIOCGWINSZ = 0x5413;
    private static final long TIOCSWINSZ = 0x5414;
    private static final long TCGETS = 0x5401;
    private static final long TCSETS = 0x5402;

    /** More than the kernel's {@code struct termios} has. */
    private static final int SETTINGS_BYTES = 64;

    private static final int INPUT_FLAGS = 0;
    private static final int OUTPUT_FLAGS = 4;
    private static final int LOCAL_FLAGS = 12;
    private static final int CHARACTERS = 17;
    private static final int OPOST = 1;
    private static final int ISIG = 1;
    private static final int ICANON = 2;
    private static final int ECHO = 8;
    private static final int ECHONL = 0x40;
    private static final int IEXTEN = 0x8000;
    private static final int VEOF = 4;
    private static final int VTIME = 5;
    private static final int VMIN = 6;

    private final LibC c;
    private final Descriptors descriptors;
    private final long ioctl;
    private final long fcntl;
    private final long dup2;

    /**
     * A new pseudo-terminal. Both ends are closed on exec, and neither is the controlling terminal of this JVM.
     *
     * @param master the end that shows the output and takes the input
     * @param slave the end that is a terminal for programs
     * @param number N of its path {@code /dev/pts/N}
     */
    public record Pair(int master, int slave, int number) {}

    /** A terminal's settings, in the kernel's form. */
    public static final class Settings {
        private final byte[] bytes;

        private Settings(byte[] bytes) {
            this.bytes = bytes;
        }

        /** Returns raw settings: keys arrive one by one, unchanged and without echo, and output is shown unchanged. */
        public Settings raw() {
            ByteBuffer raw = ByteBuffer.wrap(bytes.clone()).order(ByteOrder.nativeOrder());
            raw.putInt(INPUT_FLAGS, 0);
            raw.putInt(OUTPUT_FLAGS, raw.getInt(OUTPUT_FLAGS) & ~OPOST);
            raw.putInt(LOCAL_FLAGS, raw.getInt(LOCAL_FLAGS) & ~(ISIG | ICANON | ECHO | ECHONL | IEXTEN));
            raw.put(CHARACTERS + VMIN, (byte) 1).put(CHARACTERS + VTIME, (byte) 0);
            return new Settings(raw.array());
        }
    }

    Terminals(LibC c, Descriptors descriptors) {
        this.c = c;
        this.descriptors = descriptors;
        ioctl = c.find("ioctl");
        fcntl = c.find("fcntl");
        dup2 = c.find("dup2");
    }

    /**
     * Creates a pseudo-terminal.
     *
     * @param multiplexer the path of its {@code ptmx} file
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

    public int duplicate(int descriptor) throws NativeFault {
        return require(c.call(fcntl, descriptor, F_DUPFD_CLOEXEC, 0), "duplicated");
    }

    /** Makes a descriptor refer to another one's file. */
    public void replace(int descriptor, int by) throws NativeFault {
        int unused = require(c.call(dup2, by, descriptor), "put in another's place");
    }

    /** Sets the size; the kernel then signals the foreground process group. Returns whether it was set. */
    public boolean resize(int terminal, int columns, int rows) {
        ByteBuffer size = Memory.allocate(8).putShort(0, (short) rows).putShort(2, (short) columns);
        int result = c.call(ioctl, terminal, TIOCSWINSZ, Memory.address(size));
        Memory.keep(size);
        return result == 0;
    }

    /** Returns the size; empty if the descriptor is no terminal, or one without a size. */
    public Optional<TerminalSize> size(int terminal) {
        ByteBuffer size = Memory.allocate(8);
        boolean known = c.call(ioctl, terminal, TIOCGWINSZ, Memory.address(size)) == 0;
        int rows = Short.toUnsignedInt(size.getShort(0));
        int columns = Short.toUnsignedInt(size.getShort(2));
        return known && rows > 0 && columns > 0 ? Optional.of(new TerminalSize(columns, rows)) : Optional.empty();
    }

    /** Returns the settings; empty if the descriptor is no terminal. */
    public Optional<Settings> settings(int terminal) {
        ByteBuffer settings = Memory.allocate(SETTINGS_BYTES);
        if (c.call(ioctl, terminal, TCGETS, Memory.address(settings)) != 0) {
            return Optional.empty();
        }
        byte[] bytes = new byte[SETTINGS_BYTES];
        settings.get(bytes);
        return Optional.of(new Settings(bytes));
    }

    /**
     * Applies settings at once, without waiting for output. SIGTTOU stops a process in the background. Does nothing if
     * the terminal has been closed.
     */
    public void apply(int terminal, Settings settings) {
        ByteBuffer bytes = Memory.allocate(SETTINGS_BYTES).put(0, settings.bytes);
        c.call(ioctl, terminal, TCSETS, Memory.address(bytes));
        Memory.keep(bytes);
    }

    /**
     * Returns the current end-of-input character; empty where the terminal has none, because a program reads single
     * characters.
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
