package dev.paddock.cli;

import dev.paddock.cli.terminal.Console;
import dev.paddock.cli.terminal.InvocationContext;
import dev.paddock.cli.terminal.ProcessControl;
import dev.paddock.cli.terminal.Streams;
import dev.paddock.executor.os.posix.ProcessExit;
import dev.paddock.executor.process.launch.HostEnvironment;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The JVM as the program's own process. The only class of the program that uses the JVM's streams, its directory, its
 * signals and its exit.
 */
final class JvmProcess implements ProcessControl {
    /** More threads than this program starts; beyond them {@link #end} exits explicitly. */
    private static final int MAX_THREADS = 256;

    /** Variables with which a caller adds JVM options, perhaps one that writes something at exit. */
    private static final List<String> JVM_OPTIONS = List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS");

    private JvmProcess() {}

    /** Returns the context of the process's caller. The streams are the unbuffered descriptors. */
    static InvocationContext caller() {
        Streams streams = new Streams(
                new FileInputStream(FileDescriptor.in),
                new FileOutputStream(FileDescriptor.out),
                new FileOutputStream(FileDescriptor.err),
                System.out.charset());
        return new InvocationContext(
                HostEnvironment.all(), Path.of("").toAbsolutePath(), launcher(), streams, new JvmProcess());
    }

    /** Redirects what libraries and threads report into the program's output. */
    static void adopt(Console console, boolean wantsDetails) {
        if (wantsDetails) {
            System.setProperty(SystemLogs.THRESHOLD, "DEBUG");
        }
        System.setOut(console.out());
        System.setErr(console.err());
        Thread.setDefaultUncaughtExceptionHandler((thread, fault) -> console.collapse(fault));
    }

    /** Returns the stream of the messages that libraries log. */
    static PrintStream messages() {
        return System.err;
    }

    @Override
    public boolean leadsToTerminal(int descriptor) {
        try {
            String target = Files.readSymbolicLink(Path.of("/proc/self/fd/" + descriptor))
                    .toString();
            return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty") || target.equals("/dev/console");
        } catch (IOException noSuchPlace) {
            return false;
        }
    }

    /**
     * {@inheritDoc} Uses reflection: the compiler's warnings about these types cannot be switched off, and warnings are
     * errors.
     */
    @Override
    public void onSignal(String signal, Runnable action) {
        try {
            Class<?> signalType = Class.forName("sun.misc.Signal");
            Class<?> handlerType = Class.forName("sun.misc.SignalHandler");
            Constructor<?> named = signalType.getConstructor(String.class);
            Method handle = signalType.getMethod("handle", signalType, handlerType);
            Object handler = Proxy.newProxyInstance(
                    JvmProcess.class.getClassLoader(), new Class<?>[] {handlerType}, (proxy, method, arguments) -> {
                        action.run();
                        return null;
                    });
            handle.invoke(null, named.newInstance(signal), handler);
        } catch (InvocationTargetException refused) {
            if (!(refused.getCause() instanceof IllegalArgumentException)) {
                throw new IllegalStateException("signals cannot be handled", refused);
            }
            // The JVM leaves signals to the platform (-Xrs): the signal's default action ends the
            // program.
        } catch (ReflectiveOperationException missing) {
            throw new IllegalStateException("this Java has no way to handle signals", missing);
        }
    }

    @Override
    public void atEnd(Runnable action) {
        Runtime.getRuntime().addShutdownHook(new Thread(action, "paddock-end"));
    }

    @Override
    public void redirectPrints(PrintStream out, PrintStream err) {
        System.setOut(out);
        System.setErr(err);
    }

    @Override
    public void exit(int code) {
        Runtime.getRuntime().exit(code);
    }

    @Override
    public void halt(int code) {
        ProcessExit.now(code);
        Runtime.getRuntime().halt(code);
    }

    /** Returns the launcher that has started this JVM; build/launcher.sh names it. */
    private static Optional<Path> launcher() {
        String path = System.getProperty("paddock.launcher", "");
        return path.isEmpty() ? Optional.empty() : Optional.of(Path.of(path));
    }

    /**
     * Ends the program, even while a thread waits for input or for an engine that does not answer. If only the launcher
     * has chosen the JVM's options, the process ends at once: commands have done their shutdown work by now. Another
     * option may write a file at the JVM's exit, so then the JVM exits normally: after success by itself, if no other
     * thread keeps it alive, since {@link System#exit} searches every jar for loggers, which takes longer than many
     * commands.
     */
    static void end(InvocationContext caller, int code) {
        if (hasLaunchersOptions(caller)) {
            ProcessExit.now(code);
        }
        if (code != 0 || !isLastThread()) {
            System.exit(code);
        }
    }

    /**
     * Returns whether only the launcher has chosen the JVM's options. Without lambdas, which the class cache does not
     * contain.
     */
    private static boolean hasLaunchersOptions(InvocationContext caller) {
        for (String variable : JVM_OPTIONS) {
            if (caller.environment().containsKey(variable)) {
                return false;
            }
        }
        return caller.launcher().isPresent();
    }

    /** Returns whether the JVM ends when the calling thread does. */
    private static boolean isLastThread() {
        ThreadGroup all = Thread.currentThread().getThreadGroup();
        while (all.getParent() != null) {
            all = all.getParent();
        }
        @Nullable Thread[] live = new Thread[MAX_THREADS];
        int number = all.enumerate(live, true);
        for (Thread thread : live) {
            if (thread != null && !thread.isDaemon() && !thread.equals(Thread.currentThread())) {
                return false;
            }
        }
        return number < MAX_THREADS;
    }
}
