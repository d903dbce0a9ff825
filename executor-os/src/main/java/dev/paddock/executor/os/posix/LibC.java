package dev.paddock.executor.os.posix;

import com.kenai.jffi.CallContext;
import com.kenai.jffi.CallingConvention;
import com.kenai.jffi.Function;
import com.kenai.jffi.HeapInvocationBuffer;
import com.kenai.jffi.Invoker;
import com.kenai.jffi.LastError;
import com.kenai.jffi.Library;
import com.kenai.jffi.Type;
import dev.paddock.executor.log.LateLogger;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * Calls the C library through hand-written jffi bindings, the layer below jnr-ffi: a jnr-ffi interface must be public
 * in an exported package, and generating its implementation takes 30 ms of each start.
 *
 * <p>Passes every parameter as 64 bits, which the calling conventions of x86-64 and AArch64 allow for integers and
 * pointers, and truncates an {@code int} result to its lower half.
 */
public final class LibC {
    private static final String OS = System.getProperty("os.name", "").toLowerCase(Locale.ROOT);
    private static final Binding BINDING = bind();

    private final Invoker invoker = Invoker.getInstance();
    private final CallContext[] contexts = new CallContext[7];
    private final Library library;
    private final Function syscall;

    private final long close;
    private final long kill;
    private final long read;
    private final long write;
    private final long poll;
    private final long waitid;

    private LibC(Library library) {
        this.library = library;
        for (int count = 0; count < contexts.length; count++) {
            contexts[count] =
                    CallContext.getCallContext(Type.SINT64, longs(count), CallingConvention.DEFAULT, /* errno */ true);
        }
        close = require("close");
        kill = require("kill");
        read = require("read");
        write = require("write");
        poll = require("poll");
        waitid = require("waitid");
        syscall = new Function(require("syscall"), Type.SINT64, longs(7));
    }

    /**
     * Returns the C library of this machine.
     *
     * @return empty where it cannot be bound: jffi has no binary for the platform, or the library is neither glibc nor
     *     macOS's
     */
    public static Optional<LibC> instance() {
        return BINDING.library();
    }

    /** Returns why the C library cannot be called; empty if it can. */
    public static Optional<NativeObstacle> obstacle() {
        return BINDING.obstacle();
    }

    public static boolean isLinux() {
        return OS.equals("linux");
    }

    public static boolean isMac() {
        return OS.startsWith("mac");
    }

    /** The library, or the obstacle. */
    private record Binding(Optional<LibC> library, Optional<NativeObstacle> obstacle) {}

    private static Binding bind() {
        try {
            Library found = Library.getCachedInstance(Platform.ofThisMachine().library(), Library.NOW);
            if (found == null) {
                throw new UnsatisfiedLinkError(Library.getLastError());
            }
            LibC bound = new LibC(found);
            ProcessExit.through(bound);
            return new Binding(Optional.of(bound), Optional.empty());
        } catch (LinkageError | RuntimeException unusable) {
            LateLogger.of(LibC.class).log(System.Logger.Level.DEBUG, "The C library cannot be bound here", unusable);
            return new Binding(Optional.empty(), Optional.of(NativeObstacle.of(unusable)));
        }
    }

    private static Type[] longs(int count) {
        Type[] types = new Type[count];
        Arrays.fill(types, Type.SINT64);
        return types;
    }

    /** Returns the address of a function, or 0 if the library lacks it. */
    long find(String symbol) {
        return library.getSymbolAddress(symbol);
    }

    private long require(String symbol) {
        long address = find(symbol);
        if (address == 0) {
            throw new UnsatisfiedLinkError("the C library has no " + symbol);
        }
        return address;
    }

    /** Returns the error number of the last call on this thread. Meaningful only after a failure. */
    int errno() {
        return LastError.getInstance().get();
    }

    int call(long function, long a) {
        return (int) invoker.invokeN1(contexts[1], function, a);
    }

    int call(long function, long a, long b) {
        return (int) invoker.invokeN2(contexts[2], function, a, b);
    }

    int call(long function, long a, long b, long c) {
        return (int) invoker.invokeN3(contexts[3], function, a, b, c);
    }

    int call(long function, long a, long b, long c, long d) {
        return (int) invoker.invokeN4(contexts[4], function, a, b, c, d);
    }

    int call(long function, long a, long b, long c, long d, long e, long f) {
        return (int) invoker.invokeN6(contexts[6], function, a, b, c, d, e, f);
    }

    /**
     * Makes a system call. The function is variadic and always reads six arguments: bound with fewer, it passes garbage
     * as the last one.
     *
     * @param what the system call
     * @param arguments at most six
     * @return the result, or the negative error number
     */
    public long syscall(SystemCall what, long... arguments) {
        return arguments.length > 5 ? longSyscall(what, arguments) : shortSyscall(what, arguments);
    }

    /** Makes a call of at most five arguments by jffi's fast path, which takes six values. */
    private long shortSyscall(SystemCall what, long[] arguments) {
        long result = invoker.invokeN6(
                contexts[6],
                syscall.getFunctionAddress(),
                what.number(),
                argument(arguments, 0),
                argument(arguments, 1),
                argument(arguments, 2),
                argument(arguments, 3),
                argument(arguments, 4));
        return result == -1 ? -errno() : result;
    }

    private static long argument(long[] arguments, int index) {
        return index < arguments.length ? arguments[index] : 0;
    }

    private long longSyscall(SystemCall what, long[] arguments) {
        HeapInvocationBuffer call = new HeapInvocationBuffer(syscall);
        call.putLong(what.number());
        for (int index = 0; index < 6; index++) {
            call.putLong(argument(arguments, index));
        }
        long result = invoker.invokeLong(syscall, call);
        return result == -1 ? -errno() : result;
    }

    void exit(int exitCode) {
        call(require("_exit"), exitCode);
    }

    /** Closes a descriptor. A failure needs no handling: Linux has released the descriptor all the same. */
    public void close(int descriptor) {
        call(close, descriptor);
    }

    /** Signals a process, or a group if the id is negative; returns 0 or the negative error number. */
    public int kill(long pid, int signal) {
        return orErrno(call(kill, pid, signal));
    }

    /**
     * Reads into memory; returns the number of bytes, 0 at the end, or the negative error number.
     */
    public int read(int descriptor, long memory, int length) {
        return orErrno(call(read, descriptor, memory, length));
    }

    /** Writes from memory; returns the number of bytes, or the negative error number. */
    public int write(int descriptor, long memory, int length) {
        return orErrno(call(write, descriptor, memory, length));
    }

    /**
     * Waits for descriptors in memory; returns how many are ready, or the negative error number.
     */
    int poll(long memory, int count, int milliseconds) {
        return orErrno(call(poll, memory, count, milliseconds));
    }

    /** Calls {@code waitid(2)}; returns 0 or the negative error number. */
    int waitid(int idType, long id, long memory, int options) {
        return orErrno(call(waitid, idType, id, memory, options));
    }

    private int orErrno(int result) {
        return result == -1 ? -errno() : result;
    }
}
