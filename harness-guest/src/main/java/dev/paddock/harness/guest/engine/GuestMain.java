package dev.paddock.harness.guest.engine;

import com.dokar.quickjs.ModuleContent;
import com.dokar.quickjs.ModuleLoader;
import com.dokar.quickjs.ModuleNormalizer;
import com.dokar.quickjs.QuickJs;
import com.dokar.quickjs.QuickJsException;
import com.dokar.quickjs.binding.FunctionBinding;
import java.io.BufferedOutputStream;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import kotlin.coroutines.EmptyCoroutineContext;
import kotlinx.coroutines.BuildersKt;
import kotlinx.coroutines.Dispatchers;
import org.jspecify.annotations.Nullable;

/**
 * Runs one guest in QuickJS, inside the sandbox: prepares the engine, reports ready, waits for the first line of input,
 * and exits with the guest. Only the host starts it.
 */
public final class GuestMain implements ModuleLoader {
    /** The line printed when the program is ready for a guest. */
    public static final String READY = "{\"ready\":true}";

    private static final long STACK_BYTES = 512 << 10;
    private static final int MAX_RANDOM_BYTES = 65_536;
    private static final String GLUE = "paddock:guest";

    private final PrintStream out;
    private final LinkedBlockingQueue<String> lines = new LinkedBlockingQueue<>();
    private final Map<String, String> modules = new HashMap<>();
    private final Map<String, String> imports = new HashMap<>();
    private final long timeoutMillis;
    private final QuickJs engine;
    private long started = -1;

    private GuestMain(PrintStream out, long memoryBytes, long timeoutMillis) throws QuickJsException {
        this.out = out;
        this.timeoutMillis = timeoutMillis;
        engine = QuickJs.Companion.create(Dispatchers.getUnconfined(), this);
        engine.setMemoryLimit(memoryBytes);
        engine.setMaxStackSize(STACK_BYTES);
    }

    /**
     * Runs a guest.
     *
     * @param args the script of the bridge; the engine's memory in bytes; the time limit in ms
     * @throws Exception if the engine does not start
     */
    public static void main(String[] args) throws Exception {
        PrintStream out = stream(FileDescriptor.out);
        System.setOut(stream(FileDescriptor.err)); // nothing but this class writes lines
        GuestMain guest = new GuestMain(out, Long.parseLong(args[1]), Long.parseLong(args[2]));
        Thread engine = new Thread(null, () -> guest.runAndHalt(Path.of(args[0])), "guest", 8 << 20);
        engine.start();
        guest.readLines();
    }

    private static PrintStream stream(FileDescriptor descriptor) {
        return new PrintStream(
                new BufferedOutputStream(new FileOutputStream(descriptor)), false, StandardCharsets.UTF_8);
    }

    private void readLines() throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            lines.add(line);
        }
        Runtime.getRuntime().halt(0); // the host has gone
    }

    private void runAndHalt(Path bridge) {
        try {
            run(Files.readString(bridge));
        } catch (Throwable fault) {
            report(fault);
        }
        out.flush();
        Runtime.getRuntime().halt(0);
    }

    private void run(String bridge) throws Exception {
        define("__send", arguments -> send(String.valueOf(arguments[0])));
        define("__next", arguments -> next(((Number) arguments[0]).longValue()));
        define("__define", arguments -> modules.put(text(arguments, 0), text(arguments, 1)));
        define("__resolve", arguments -> imports.put(key(text(arguments, 0), text(arguments, 1)), text(arguments, 2)));
        define("__now", arguments -> System.nanoTime() / 1_000_000);
        define("__random", arguments -> random(((Number) arguments[0]).intValue()));
        evaluate("""
                globalThis.__host = {send: __send, next: __next, define: __define, resolve: __resolve, now: __now,
                    random: __random};
                for (const name of ['__send', '__next', '__define', '__resolve', '__now', '__random']) delete globalThis[name];
                Object.defineProperty(globalThis, '__paddock', {value: %s}); 0""".formatted(bridge));
        prepare();
        send(READY);
        evaluate("__paddock.start((name) => import(name)); 0");
        boolean done = false;
        while (!done) {
            done = Boolean.TRUE.equals(evaluate("__paddock.turn()"));
        }
    }

    /** Warms up: loads classes and links calls before the guest is accepted. */
    private void prepare() throws InterruptedException {
        String line = String.valueOf(new LinkedBlockingQueue<String>().poll(0, TimeUnit.MILLISECONDS));
        modules.put(line, line);
        getNormalizer().normalize(line, line);
        load(line);
        modules.clear();
    }

    /** Concatenates without a call-site bootstrap, which takes a cold JVM milliseconds. */
    private static String key(String base, String specifier) {
        return base.concat("\n").concat(specifier);
    }

    private void define(String name, FunctionBinding<@Nullable Object> function) {
        engine.defineBinding(name, function);
    }

    private static String text(Object[] arguments, int at) {
        return String.valueOf(arguments[at]);
    }

    private @Nullable Object send(String line) {
        out.print(line.replace("\n", " "));
        out.print('\n');
        out.flush();
        return null;
    }

    /** Returns random bytes in hexadecimal. */
    private static String random(int count) {
        byte[] bytes = new byte[Math.min(Math.max(count, 0), MAX_RANDOM_BYTES)];
        try (InputStream source = Files.newInputStream(Path.of("/dev/urandom"))) {
            return HexFormat.of().formatHex(bytes, 0, source.readNBytes(bytes, 0, bytes.length));
        } catch (IOException fault) {
            throw new UncheckedIOException(fault);
        }
    }

    /** Returns the host's next line; null after the timeout in ms; waits forever if it is negative. */
    private @Nullable String next(long millis) {
        try {
            String line = millis < 0 ? lines.take() : lines.poll(millis, TimeUnit.MILLISECONDS);
            if (started < 0) {
                started = System.nanoTime();
            }
            return line;
        } catch (InterruptedException interrupt) {
            Thread.currentThread().interrupt();
            return null;
        }
    }

    private @Nullable Object evaluate(String code) throws InterruptedException {
        if (started >= 0) {
            long left = timeoutMillis - (System.nanoTime() - started) / 1_000_000;
            engine.setEvaluationTimeoutMillis(Math.max(1, left));
        }
        return BuildersKt.runBlocking(
                EmptyCoroutineContext.INSTANCE,
                (scope, continuation) -> engine.evaluateInternal(code, GLUE, false, continuation));
    }

    /** Reports why the engine ended: a loop past its deadline, memory, or a fault of this program. */
    private void report(Throwable fault) {
        String message = String.valueOf(fault.getMessage());
        String[] lineOfStack = message.split("\n", 2);
        send("{\"error\":{\"name\":\"InternalError\",\"message\":" + quoted(lineOfStack[0]) + ",\"stack\":"
                + quoted(lineOfStack.length > 1 ? lineOfStack[1] : "") + "}}");
    }

    private static String quoted(String text) {
        StringBuilder json = new StringBuilder("\"");
        text.chars().limit(8_192).forEach(c -> {
            if (c < ' ' || c == '"' || c == '\\' || c > '~') {
                json.append(String.format("\\u%04x", c));
            } else {
                json.append((char) c);
            }
        });
        return json.append('"').toString();
    }

    @Override
    public ModuleNormalizer getNormalizer() {
        return (base, name) -> imports.getOrDefault(key(base, name), name);
    }

    @Override
    public @Nullable ModuleContent load(String name) {
        String code = modules.get(name);
        return code == null ? null : new ModuleContent.Source(code);
    }
}
