package dev.paddock.cli.terminal;

import dev.paddock.executor.Signal;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Optional;

/**
 * Ctrl-C, TERM and HUP. The first one ends what is at work, politely; a second one at once; a third one ends this program
 * as it stands, and leaves the rest to what watches over its death. They are counted {@linkplain #anew anew} for each piece of
 * work.
 */
public final class Interrupts {
    private static final List<Signal> SIGNALS = List.of(Signal.INT, Signal.TERM, Signal.HUP);

    private final Thread installer = new Thread(this::install, "paddock-signals");
    private Optional<Work> work = Optional.empty();
    private int received;

    /** What a signal ends. */
    public interface Work {
        /**
         * Ends it politely.
         *
         * @param exitCode what the program is to exit with
         */
        void end(int exitCode);

        /** Ends it at once. */
        void endAtOnce();
    }

    private Interrupts() {}

    /**
     * Takes the signals over. Until there is work to end, a signal ends the program.
     *
     * <p>The installation runs beside what the caller does next, because it takes as long as all the rest of a start.
     */
    public static Interrupts catching() {
        Interrupts interrupts = new Interrupts();
        interrupts.installer.setDaemon(true);
        interrupts.installer.start();
        return interrupts;
    }

    /** From now on a signal ends this work instead of the program. */
    public void handTo(Work toEnd) {
        try {
            installer.join();
        } catch (InterruptedException unexpected) {
            throw new IllegalStateException("the main thread was interrupted", unexpected);
        }
        synchronized (this) {
            work = Optional.of(toEnd);
        }
    }

    /** What comes from now on is meant for something else than what came before: it is counted from one again. */
    public synchronized void anew() {
        received = 0;
    }

    private void receive(int exitCode) {
        Optional<Work> toEnd;
        int count;
        synchronized (this) {
            toEnd = work;
            count = ++received;
        }
        if (count > 2) {
            Runtime.getRuntime().halt(exitCode);
        } else if (toEnd.isEmpty()) {
            Runtime.getRuntime().exit(exitCode);
        } else if (count == 1) {
            toEnd.get().end(exitCode);
        } else {
            toEnd.get().endAtOnce();
        }
    }

    /** A shutdown hook alone would not do: the JVM ignores signals once its hooks run, and a second Ctrl-C with them. */
    private void install() {
        for (Signal signal : SIGNALS) {
            catching(signal.name(), () -> receive(128 + signal.number()));
        }
    }

    /**
     * Has a signal do something instead of what it does to programs. By reflection, because the compiler warns of these types
     * in a way that cannot be switched off, and warnings are errors.
     *
     * @param name the signal's name without SIG
     */
    public static void catching(String name, Runnable action) {
        try {
            Class<?> signalType = Class.forName("sun.misc.Signal");
            Class<?> handlerType = Class.forName("sun.misc.SignalHandler");
            Constructor<?> named = signalType.getConstructor(String.class);
            Method handle = signalType.getMethod("handle", signalType, handlerType);
            Object handler = Proxy.newProxyInstance(
                    Interrupts.class.getClassLoader(), new Class<?>[] {handlerType}, (proxy, method, arguments) -> {
                        action.run();
                        return null;
                    });
            handle.invoke(null, named.newInstance(name), handler);
        } catch (InvocationTargetException refused) {
            if (!(refused.getCause() instanceof IllegalArgumentException)) {
                throw new IllegalStateException("signals cannot be handled", refused);
            }
            // The JVM was told to leave signals alone (-Xrs): then the platform's way of ending it stands.
        } catch (ReflectiveOperationException missing) {
            throw new IllegalStateException("this Java has no way to handle signals", missing);
        }
    }
}
