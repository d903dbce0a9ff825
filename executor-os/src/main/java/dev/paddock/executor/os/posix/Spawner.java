package dev.paddock.executor.os.posix;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.util.List;

/**
 * Starts a process with {@code posix_spawn}: in its own session, with default signal dispositions,
 * an empty signal mask, and only the chosen descriptors.
 */
public final class Spawner {
    /**
     * Large enough for every C library's {@code posix_spawn_file_actions_t}, {@code posix_spawnattr_t}, {@code
     * sigset_t}.
     */
    private static final int STRUCT_BYTES = 512;

    private static final int SET_SIGNAL_DEFAULTS = 0x04;
    private static final int SET_SIGNAL_MASK = 0x08;
    private static final int SIGKILL = 9;
    private static final int O_RDWR = 2;

    /** Standard input, output and error. */
    private static final int STREAMS = 3;

    private final LibC c;
    private final Platform platform;
    private final long spawn;
    private final long actionsInit;
    private final long actionsDestroy;
    private final long addDup2;
    private final long addOpen;
    private final long addClose;
    private final long addCloseFrom;
    private final long addChdir;
    private final long attrInit;
    private final long attrDestroy;
    private final long setFlags;
    private final long setMask;
    private final long setDefaults;
    private final ByteBuffer allSignals = Memory.allocate(STRUCT_BYTES);
    private final ByteBuffer noSignals = Memory.allocate(STRUCT_BYTES);

    /**
     * The process to start. Texts are passed as UTF-8.
     *
     * @param program the program's path
     * @param argv its arguments, starting with its own name
     * @param env its environment, {@code NAME=value} each
     * @param directory its working directory
     * @param descriptors the JVM's descriptors that become its descriptors 0, 1, 2, …; -1 for a closed one
     * @param terminal the path of its controlling terminal, which replaces its first three descriptors; empty for none
     */
    public record Request(
            String program,
            List<String> argv,
            List<String> env,
            String directory,
            List<Integer> descriptors,
            String terminal) {

        /** A process without a terminal. */
        public Request(
                String program, List<String> argv, List<String> env, String directory, List<Integer> descriptors) {
            this(program, argv, env, directory, descriptors, "");
        }
    }

    Spawner(LibC c, Platform platform) {
        this.c = c;
        this.platform = platform;
        spawn = c.find("posix_spawn");
        actionsInit = c.find("posix_spawn_file_actions_init");
        actionsDestroy = c.find("posix_spawn_file_actions_destroy");
        addDup2 = c.find("posix_spawn_file_actions_adddup2");
        addOpen = c.find("posix_spawn_file_actions_addopen");
        addClose = c.find("posix_spawn_file_actions_addclose");
        addCloseFrom = c.find("posix_spawn_file_actions_addclosefrom_np");
        addChdir = c.find("posix_spawn_file_actions_addchdir_np");
        attrInit = c.find("posix_spawnattr_init");
        attrDestroy = c.find("posix_spawnattr_destroy");
        setFlags = c.find("posix_spawnattr_setflags");
        setMask = c.find("posix_spawnattr_setsigmask");
        setDefaults = c.find("posix_spawnattr_setsigdefault");
        c.call(c.find("sigemptyset"), Memory.address(noSignals));
        c.call(c.find("sigfillset"), Memory.address(allSignals));
        long delete = c.find("sigdelset");
        c.call(delete, Memory.address(allSignals), SIGKILL);
        c.call(delete, Memory.address(allSignals), platform.stopSignal());
    }

    /** Returns whether the C library can start a program that does not inherit the JVM's descriptors. */
    boolean usable() {
        return spawn != 0 && addChdir != 0 && (platform.closeByDefault() != 0 || addCloseFrom != 0);
    }

    /**
     * Starts a program.
     *
     * @return its process id; the caller must wait for it
     * @throws NativeFault if it cannot be started; no process is left
     */
    public long start(Request request) throws NativeFault {
        Strings argv = Strings.of(request.argv());
        Strings env = Strings.of(request.env());
        Strings paths = Strings.of(List.of(request.program(), request.directory(), request.terminal()));
        ByteBuffer actions = Memory.allocate(STRUCT_BYTES);
        ByteBuffer attributes = Memory.allocate(STRUCT_BYTES);
        ByteBuffer pid = Memory.allocate(8);
        long actionsAt = Memory.address(actions);
        long attributesAt = Memory.address(attributes);
        succeed(c.call(actionsInit, actionsAt));
        succeed(c.call(attrInit, attributesAt));
        try {
            long terminal = request.terminal().isEmpty() ? 0 : paths.text(2);
            arrange(actionsAt, request.descriptors(), terminal);
            succeed(c.call(addChdir, actionsAt, paths.text(1)));
            succeed(c.call(setMask, attributesAt, Memory.address(noSignals)));
            succeed(c.call(setDefaults, attributesAt, Memory.address(allSignals)));
            succeed(c.call(setFlags, attributesAt, flags()));
            succeed(c.call(
                    spawn, Memory.address(pid), paths.text(0), actionsAt, attributesAt, argv.array(), env.array()));
        } finally {
            c.call(actionsDestroy, actionsAt);
            c.call(attrDestroy, attributesAt);
            Memory.keep(argv, env, paths, actions, attributes);
        }
        return pid.getInt(0);
    }

    private int flags() {
        return SET_SIGNAL_DEFAULTS | SET_SIGNAL_MASK | platform.setSession() | platform.closeByDefault();
    }

    /**
     * Adds the file actions that duplicate the descriptors. A source whose number is also a target would be overwritten
     * before its turn, so it is first moved above all targets. So is a source that is its own target: a duplicate onto
     * itself clears close-on-exec on Linux, but not on macOS. On macOS the child inherits every target of a
     * duplication, so the moved descriptors must be closed again; Linux closes them with all the others.
     *
     * <p>The process opens its terminal itself: it leads its session by then, so that the terminal becomes its
     * controlling one, which a duplicate of an open descriptor would not.
     *
     * @param terminal the address of the terminal's path, or 0
     */
    private void arrange(long actions, List<Integer> descriptors, long terminal) throws NativeFault {
        int targets = descriptors.size();
        int above = Math.max(
                targets, descriptors.stream().mapToInt(Integer::intValue).max().orElse(0) + 1);
        int[] sources = descriptors.stream().mapToInt(Integer::intValue).toArray();
        for (int target = 0; target < targets; target++) {
            if (sources[target] >= 0 && sources[target] < targets) {
                succeed(c.call(addDup2, actions, sources[target], above + target));
                sources[target] = above + target;
            }
        }
        int first = 0;
        if (terminal != 0) {
            succeed(c.call(addOpen, actions, 0, terminal, O_RDWR, 0, 0));
            for (first = 1; first < STREAMS; first++) {
                succeed(c.call(addDup2, actions, 0, first));
            }
        }
        for (int target = first; target < targets; target++) {
            if (sources[target] >= 0) {
                succeed(c.call(addDup2, actions, sources[target], target));
            } else if (platform.closeByDefault() == 0) {
                succeed(c.call(addClose, actions, target));
            }
        }
        for (int source : sources) {
            if (source >= above) {
                succeed(c.call(addClose, actions, source));
            }
        }
        if (platform.closeByDefault() == 0) {
            succeed(c.call(addCloseFrom, actions, targets));
        }
    }

    private static void succeed(int error) throws NativeFault {
        if (error != 0) {
            throw new NativeFault("posix_spawn", error);
        }
    }

    /** C strings, and a null-terminated array of pointers to them. */
    private static final class Strings {
        private final ByteBuffer memory;
        private final int[] offsets;

        private Strings(ByteBuffer memory, int[] offsets) {
            this.memory = memory;
            this.offsets = offsets;
        }

        static Strings of(List<String> texts) {
            List<byte[]> encoded =
                    texts.stream().map(text -> text.getBytes(UTF_8)).toList();
            int table = 8 * (texts.size() + 1);
            int total =
                    table + encoded.stream().mapToInt(text -> text.length + 1).sum();
            ByteBuffer memory = Memory.allocate(total);
            long base = Memory.address(memory);
            int[] offsets = new int[texts.size()];
            int next = table;
            for (int index = 0; index < offsets.length; index++) {
                byte[] text = encoded.get(index);
                offsets[index] = next;
                memory.putLong(8 * index, base + next).put(next, text);
                next += text.length + 1;
            }
            return new Strings(memory, offsets);
        }

        long array() {
            return Memory.address(memory);
        }

        long text(int index) {
            return Memory.address(memory) + offsets[index];
        }
    }
}
