package dev.paddock.harness.guest.session;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.paddock.executor.AbortSignal;
import dev.paddock.executor.CommandExecutor;
import dev.paddock.harness.bindings.AgentContainer;
import dev.paddock.harness.bindings.BindingEvent;
import dev.paddock.harness.bindings.BindingEvent.Outcome;
import dev.paddock.harness.bindings.BindingEvent.Scope;
import dev.paddock.harness.bindings.call.BindingCalls;
import dev.paddock.harness.guest.GuestCode;
import dev.paddock.harness.guest.GuestException;
import dev.paddock.harness.guest.GuestOptions;
import dev.paddock.harness.guest.GuestResult;
import dev.paddock.harness.guest.bridge.EngineFiles;
import dev.paddock.harness.guest.bridge.GuestCache;
import dev.paddock.harness.guest.bridge.GuestPool;
import dev.paddock.harness.guest.bridge.GuestProcess;
import dev.paddock.harness.guest.bridge.GuestRun;
import dev.paddock.harness.guest.module.ModuleGraph;
import dev.paddock.harness.guest.module.ModuleSource;
import dev.paddock.harness.guest.module.ModuleTranspiler;
import dev.paddock.harness.guest.module.TranspiledFiles;
import dev.paddock.harness.guest.module.TranspilerCode;
import dev.paddock.harness.tools.Tool;
import dev.paddock.harness.tools.text.JsonNodes;
import java.time.Duration;
import java.util.Optional;

/**
 * Runs guest code over a container's bindings: each run in its own process, inside a sandbox
 * that shows it only its engine.
 *
 * <pre>{@code
 * try (AgentContainer container = AgentContainer.builder(project).build();
 *         GuestSession guests = GuestSession.open(container, GuestOptions.standard())) {
 *     GuestResult result = guests.run(GuestCode.ts("""
 *             export async function run(input: { pattern: string }, { WORKSPACE }) {
 *                 return (await WORKSPACE.glob(input.pattern)).length;
 *             }
 *             """).input(json));
 * }
 * }</pre>
 *
 * <p>A guest reaches only the container's bindings, and anything else only through them. Its process has
 * no network, no file of the container, and no variable of the host. Runs in parallel do not wait
 * for each other, and share only their sandbox's {@code /tmp}, which only code that has escaped
 * its engine can see. Thread-safe.
 *
 * @since 0.1
 */
public final class GuestSession implements AutoCloseable {
    private static final Duration TRANSPILER_TIMEOUT = Duration.ofSeconds(30);
    private static final int NO_LOGS = 0;

    private final AgentContainer container;
    private final GuestOptions options;
    private final BindingCalls bindings;
    private final FetchCalls fetch;
    private final EngineFiles files;
    private final CommandExecutor executor;
    private final Optional<Thread> training;
    private final GuestPool pool;
    private final ModuleTranspiler transpiler;
    private Optional<TranspiledFiles> transpiled = Optional.empty();

    private GuestSession(AgentContainer container, GuestOptions options, EngineFiles files, GuestSandboxes sandboxes) {
        this.container = container;
        this.options = options;
        this.files = files;
        executor = sandboxes.open();
        training = sandboxes.train();
        bindings = new BindingCalls(container);
        fetch = new FetchCalls(options.fetch().orElse(container.fetch()), container);
        pool = new GuestPool(() -> GuestProcess.start(executor, files, options.startTimeout()), options.warm());
        transpiler = new ModuleTranspiler(this::transpile, this::transpiledFiles);
    }

    /**
     * Opens a session, and starts its warm guests.
     *
     * @param container the bindings; the caller closes it. If it is closed first, it closes
     *     the session before its own parts
     * @param options the engine, the sandbox and the limits
     * @return the session; the caller closes it
     * @throws IllegalStateException if the container is closed
     * @throws dev.paddock.executor.SandboxUnavailableException if there is no sandbox for guests
     * @throws dev.paddock.executor.UnsupportedPolicyException if the backend cannot confine them
     * @throws java.io.UncheckedIOException if the engine's files cannot be made
     */
    public static GuestSession open(AgentContainer container, GuestOptions options) {
        GuestSession session = create(container, options);
        try {
            container.closeBefore(session);
            session.pool.refill();
            return session;
        } catch (RuntimeException fault) {
            session.close();
            throw fault;
        }
    }

    private static GuestSession create(AgentContainer container, GuestOptions options) {
        EngineFiles files = EngineFiles.create(options);
        try {
            return new GuestSession(container, options, files, new GuestSandboxes(options, files));
        } catch (RuntimeException fault) {
            files.close();
            throw fault;
        }
    }

    /**
     * Runs code to its result.
     *
     * @param code the code and its input
     * @return its result and its logs
     * @throws GuestException if it cannot be loaded, throws, exceeds a limit, or its process is lost
     * @throws IllegalStateException after {@link #close()}
     */
    public GuestResult run(GuestCode code) {
        return run(code, AbortSignal.never());
    }

    /**
     * Runs code to its result, or to an abort, which ends its process and its calls.
     *
     * @param code the code and its input
     * @param signal ends the run
     * @return its result and its logs
     * @throws GuestException if it cannot be loaded, throws, exceeds a limit, or its process is lost
     * @throws dev.paddock.executor.AbortedException if the signal is aborted
     * @throws IllegalStateException after {@link #close()}
     */
    public GuestResult run(GuestCode code, AbortSignal signal) {
        signal.throwIfAborted();
        String name = name(code.source());
        try {
            ObjectNode order = JsonNodeFactory.instance.objectNode();
            load(code.source()).writeTo(order);
            order.put("exportName", code.exportName());
            order.set("input", JsonNodes.node(code.input()));
            code.vars().forEach(order.putObject("vars")::put);
            GuestResult result =
                    inGuest(pool.take(), order, this::call, options.timeout(), options.logCharacters(), signal);
            container.record(BindingEvent.of(Scope.CONTAINER, "guest.run", Outcome.SUCCESS)
                    .on(name)
                    .with(result.took().toMillis() + " ms"));
            return result;
        } catch (RuntimeException fault) {
            container.record(BindingEvent.of(Scope.CONTAINER, "guest.run", Outcome.ERROR)
                    .on(name)
                    .with(String.valueOf(fault.getMessage())));
            throw fault;
        }
    }

    private static String name(GuestCode.Source source) {
        return switch (source) {
            case GuestCode.File file -> file.path();
            case GuestCode.Text text -> text.name();
        };
    }

    private ModuleGraph.Loaded load(GuestCode.Source source) {
        return switch (source) {
            case GuestCode.File file -> ModuleGraph.load(file.path(), container.workspace(), transpiler);
            case GuestCode.Text text ->
                ModuleGraph.load(
                        new ModuleSource(
                                text.name(),
                                text.code(),
                                ModuleSource.Kind.valueOf(text.language().name())),
                        transpiler);
        };
    }

    private JsonNode call(String method, JsonNode arguments, AbortSignal signal) {
        return method.equals(FetchCalls.METHOD)
                ? fetch.call(arguments, signal)
                : bindings.call(method, arguments, signal);
    }

    private JsonNode transpile(JsonNode requests) {
        ObjectNode order = JsonNodeFactory.instance.objectNode();
        TranspilerCode.load().writeTo(order);
        order.put("exportName", "run");
        order.set("input", requests);
        order.putObject("vars");
        GuestProcess guest = pool.take();
        pool.anticipate(); // the code follows in another guest
        GuestResult transpiled = inGuest(
                guest,
                order,
                (method, arguments, signal) -> {
                    throw new IllegalStateException("the transpiler has no bindings");
                },
                TRANSPILER_TIMEOUT,
                NO_LOGS,
                AbortSignal.never());
        return JsonNodes.node(transpiled.result());
    }

    private GuestResult inGuest(
            GuestProcess guest,
            ObjectNode order,
            GuestRun.HostCalls calls,
            Duration timeout,
            int logCharacters,
            AbortSignal signal) {
        try {
            return new GuestRun(guest, calls, timeout, logCharacters).run(order, signal);
        } finally {
            pool.end(guest);
        }
    }

    private synchronized TranspiledFiles transpiledFiles() {
        TranspiledFiles known =
                transpiled.orElseGet(() -> TranspiledFiles.of(GuestCache.directory(), container.root()));
        transpiled = Optional.of(known);
        return known;
    }

    /**
     * Returns a tool that runs guest code, for a model that would otherwise call many tools.
     *
     * @return the tool {@code run_code}; off unless a program adds it to a session
     */
    public Tool tool() {
        return new RunCodeTool(this);
    }

    /**
     * Ends all guests and removes their files. The first session on a machine waits some seconds until the class cache
     * is stored. The container stays open. Idempotent.
     */
    @Override
    public void close() {
        pool.close();
        try {
            executor.close();
            awaitTraining();
        } finally {
            files.close();
            container.release(this);
        }
    }

    /** Waits for the end of the training: otherwise a program with short runs would restart it each time. */
    private void awaitTraining() {
        try {
            if (training.isPresent()) {
                training.get().join();
            }
        } catch (InterruptedException interrupt) {
            Thread.currentThread().interrupt();
        }
    }
}
