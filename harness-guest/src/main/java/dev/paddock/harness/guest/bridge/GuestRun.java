package dev.paddock.harness.guest.bridge;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.paddock.executor.AbortController;
import dev.paddock.executor.AbortSignal;
import dev.paddock.harness.guest.GuestException;
import dev.paddock.harness.guest.GuestException.Kind;
import dev.paddock.harness.guest.GuestResult;
import dev.paddock.harness.tools.text.JsonNodes;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * One run of a guest: sends the order, carries out its calls, and ends it at its time limit or an abort. The caller
 * always closes the guest. Every line from the guest is untrusted.
 */
public final class GuestRun {
    private static final int CALL_THREADS = 8;
    private static final int WAITING_CALLS = 256;
    private static final Duration MARGIN = Duration.ofMillis(250);
    private static final int MAX_DEPTH = 200;
    private static final int MAX_STACK = 8_192;
    private static final int MAX_MESSAGE = 16_384;
    private static final String ERROR = "error";
    private static final ObjectMapper JSON = new ObjectMapper(JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(MAX_DEPTH)
                    .maxStringLength(GuestLines.MAX_LINE_BYTES)
                    .build())
            .build());

    private final GuestProcess guest;
    private final HostCalls calls;
    private final Duration timeout;
    private final int mostLogs;
    private final List<String> logs = new ArrayList<>();
    private final AbortController ended = new AbortController();
    private long logged;
    private long leftOut;
    private volatile boolean killed;

    /** Carries out calls of guests. */
    @FunctionalInterface
    public interface HostCalls {
        /**
         * Carries out a call.
         *
         * @param method the operation
         * @param arguments its arguments, untrusted
         * @param signal aborted when the guest has ended
         * @return the result
         * @throws RuntimeException if it fails, with a message for the guest
         */
        JsonNode call(String method, JsonNode arguments, AbortSignal signal);
    }

    /**
     * Creates a run.
     *
     * @param guest a guest that is ready
     * @param calls carries out its calls
     * @param timeout how long it may take
     * @param mostLogs how many characters of its logs are kept
     */
    public GuestRun(GuestProcess guest, HostCalls calls, Duration timeout, int mostLogs) {
        this.guest = guest;
        this.calls = calls;
        this.timeout = timeout;
        this.mostLogs = mostLogs;
    }

    /**
     * Runs the guest.
     *
     * @param order the guest's first line, which contains the code
     * @param signal ends it
     * @return its result
     * @throws GuestException if it threw or was ended
     * @throws dev.paddock.executor.AbortedException if the signal was aborted
     */
    public GuestResult run(ObjectNode order, AbortSignal signal) {
        long started = System.nanoTime();
        ThreadPoolExecutor workers = new ThreadPoolExecutor(
                CALL_THREADS,
                CALL_THREADS,
                1,
                TimeUnit.SECONDS,
                new ArrayBlockingQueue<>(WAITING_CALLS),
                GuestRun::daemon,
                GuestRun::waitForWorker);
        workers.allowCoreThreadTimeOut(true);
        Thread watchdog = daemon(this::watch);
        watchdog.start();
        AbortSignal.Registration registration = signal.onAbort(guest::kill);
        try {
            guest.write(order.toString());
            JsonNode last = converse(workers);
            return result(last, Duration.ofNanos(System.nanoTime() - started));
        } catch (IOException fault) {
            signal.throwIfAborted();
            throw failure(
                    fault instanceof GuestLines.TooLongException ? Kind.LIMIT : Kind.LOST,
                    "the guest ended before its result: " + fault.getMessage());
        } catch (GuestException fault) {
            signal.throwIfAborted();
            throw fault;
        } finally {
            registration.close();
            watchdog.interrupt();
            ended.abort("the guest has ended");
            workers.shutdownNow();
        }
    }

    private static Thread daemon(Runnable task) {
        Thread thread = new Thread(null, task, "paddock-guest-run", 0, false);
        thread.setDaemon(true);
        return thread;
    }

    /** Blocks the reader of the guest's lines, and so the guest, as backpressure. */
    private static void waitForWorker(Runnable task, ThreadPoolExecutor workers) {
        try {
            if (!workers.isShutdown()) {
                workers.getQueue().put(task);
            }
        } catch (InterruptedException interrupt) {
            Thread.currentThread().interrupt();
        }
    }

    /** Ends the guest at its time limit. Its engine stops a little earlier and reports the position. */
    private void watch() {
        try {
            Thread.sleep(timeout.plus(MARGIN).toMillis());
            killed = true;
            guest.kill();
        } catch (InterruptedException over) {
            // the guest has ended in time
        }
    }

    /** Reads lines up to the last one, which has the result or an error. */
    private JsonNode converse(ThreadPoolExecutor workers) throws IOException {
        while (true) {
            String line = guest.next()
                    .orElseThrow(() -> killed
                            ? failure(Kind.TIMEOUT, timedOut())
                            : failure(
                                    Kind.LOST,
                                    "the guest's process ended without a result: it used too much memory, or was"
                                            + " killed"));
            JsonNode message = parse(line);
            if (message.has("log")) {
                log(message.path("log").asText());
            } else if (message.has("method")) {
                workers.execute(() -> answer(message));
            } else if (message.has("result") || message.has(ERROR)) {
                return message;
            } else {
                throw failure(Kind.LIMIT, "the guest wrote a line that violates its protocol");
            }
        }
    }

    private JsonNode parse(String line) {
        try {
            JsonNode message = JSON.readTree(line);
            if (message instanceof ObjectNode) {
                return message;
            }
        } catch (JsonProcessingException malformed) {
            // refused below
        }
        throw failure(Kind.LIMIT, "the guest wrote a line that is no JSON object, or nested too deeply");
    }

    private void answer(JsonNode message) {
        ObjectNode reply = JsonNodeFactory.instance.objectNode();
        reply.set("id", message.path("id"));
        try {
            reply.set("result", calls.call(message.path("method").asText(), message.path("args"), ended.signal()));
        } catch (RuntimeException | Error fault) { // without an answer the guest would wait until its time limit
            reply.putObject(ERROR).put("name", name(fault)).put("message", String.valueOf(fault.getMessage()));
        }
        if (!ended.signal().isAborted()) {
            try {
                guest.write(reply.toString());
            } catch (IOException gone) {
                // the reader detects the end
            }
        }
    }

    private static String name(Throwable fault) {
        return fault.getClass().getSimpleName().replaceFirst("Exception$", "Error");
    }

    private void log(String line) {
        if (logged + line.length() <= mostLogs) {
            logged += line.length();
            logs.add(line);
        } else {
            leftOut += line.length();
        }
    }

    private List<String> allLogs() {
        List<String> all = new ArrayList<>(logs);
        if (leftOut > 0) {
            all.add("… " + leftOut + " more characters of logs left out");
        }
        return all;
    }

    private GuestResult result(JsonNode last, Duration took) {
        JsonNode error = last.get(ERROR);
        if (error == null) {
            return new GuestResult(JsonNodes.json(last.path("result")), allLogs(), took);
        }
        String message = cut(error.path("message").asText(), MAX_MESSAGE);
        boolean late = message.startsWith("InternalError: interrupted") || killed;
        throw new GuestException(
                late ? Kind.TIMEOUT : Kind.THROWN,
                cut(error.path("name").asText("Error"), 200),
                late ? timedOut() : message,
                stack(error.path("stack").asText()),
                allLogs());
    }

    private String timedOut() {
        return "the code took more than " + timeout.toMillis() + " ms and was ended";
    }

    /** Returns the calls in the guest's own files. */
    private static String stack(String text) {
        return cut(
                text.lines()
                        .filter(line -> !line.contains("paddock:guest") && !line.isBlank())
                        .collect(Collectors.joining("\n")),
                MAX_STACK);
    }

    private static String cut(String text, int most) {
        return text.length() <= most ? text : text.substring(0, most) + "…";
    }

    private GuestException failure(Kind kind, String message) {
        return new GuestException(kind, "GuestError", message, "", allLogs());
    }
}
