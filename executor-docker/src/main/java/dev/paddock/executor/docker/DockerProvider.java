package dev.paddock.executor.docker;

import dev.paddock.executor.Availability;
import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.ExecutorOptions;
import dev.paddock.executor.ExecutorProvider;
import dev.paddock.executor.SandboxUnavailableException;
import dev.paddock.executor.annotation.Api;
import dev.paddock.executor.caller.CallerEnvironment;
import dev.paddock.executor.docker.container.EngineInfo;
import dev.paddock.executor.docker.engine.BoundedCall;
import dev.paddock.executor.docker.engine.Engine;
import dev.paddock.executor.docker.source.ContainerGuarantees;
import dev.paddock.executor.docker.source.ContainerNetwork;
import dev.paddock.executor.docker.source.ContainerPolicyCheck;
import dev.paddock.executor.docker.source.ContainerSweep;
import dev.paddock.executor.docker.source.EngineReport;
import dev.paddock.executor.log.LateLogger;
import dev.paddock.executor.os.state.PrivateState;
import dev.paddock.executor.policy.NetworkPolicy;
import dev.paddock.executor.policy.ResourceLimits;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.executor.sandbox.backend.ProviderSettings;
import dev.paddock.executor.upkeep.BackendUpkeep;
import dev.paddock.executor.upkeep.SweepMode;
import dev.paddock.executor.worktree.Journals;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Provides Docker as a backend: {@code "docker"}.
 *
 * <p>Settings: {@code image} or {@code container}, exactly one of them; {@code pull} ({@code if-not-present}, {@code
 * never}), {@code user}, {@code runtime}, {@code options} (words separated by blanks), {@code engine} (an address as in
 * {@code DOCKER_HOST}), {@code quarantine} (the directory for files that commands have put at protected paths), {@code
 * warmSlots} (a number), {@code network} (one of the engine's networks, where the policy's is open), {@code tmp} (the
 * size of {@code /tmp}, as in {@code 64m}, or {@code 64m,noexec}), {@code root} ({@code read-only}, {@code writable}),
 * {@code freshPerCommand} ({@code true}). {@code auto} selects this backend if an image or a container is named.
 *
 * @since 0.1
 */
@Api(status = Api.Status.INTERNAL) // public for the service loader
@SuppressWarnings("exports") // only the command line uses its upkeep
public final class DockerProvider implements ExecutorProvider, BackendUpkeep {
    private static final System.Logger LOG = LateLogger.of(DockerProvider.class);
    private static final Duration PROBE_BOUND = Duration.ofSeconds(5);

    /** Slightly more than the bound on the removals. */
    private static final Duration SWEEP_BOUND = Duration.ofSeconds(5);

    private static final int AUTO_PRIORITY = 30;
    private static final Set<String> SETTINGS = Set.of(
            "image",
            "container",
            "pull",
            "user",
            "runtime",
            "options",
            "engine",
            "quarantine",
            "warmSlots",
            "network",
            "tmp",
            "root",
            "freshPerCommand");

    /** The last probe's report, until an executor takes it. */
    private final AtomicReference<Optional<EngineReport>> probed = new AtomicReference<>(Optional.empty());

    /** Creates the provider, for the service loader. */
    public DockerProvider() {}

    @Override
    public String name() {
        return Engine.BACKEND;
    }

    @Override
    public boolean hasSetting(String setting) {
        return SETTINGS.contains(setting);
    }

    @Override
    public OptionalInt autoPriority(Map<String, String> settings) {
        boolean named = settings.containsKey("image") || settings.containsKey("container");
        return named ? OptionalInt.of(AUTO_PRIORITY) : OptionalInt.empty();
    }

    @Override
    public Availability probe() {
        return probe(Map.of(), PROBE_BOUND);
    }

    @Override
    public Availability probe(Map<String, String> settings, Duration bound) {
        Engine engine;
        try {
            engine = Engine.ofEnvironment();
        } catch (RuntimeException fault) {
            return new Availability.Unusable(
                    String.valueOf(fault.getMessage()),
                    "Correct DOCKER_HOST, or the docker command's current context; an engine of another machine or of"
                            + " Windows has to listen on tcp://.");
        }
        Engine.preloadReader();
        try {
            return BoundedCall.within(bound, () -> ask(engine));
        } catch (TimeoutException silence) {
            return new Availability.Unusable(
                    engine.described() + " did not answer within " + bound.toSeconds() + " s",
                    "Look at the engine (" + engine.look()
                            + ") and restart it if it hangs, or set DOCKER_HOST to another" + " one.",
                    Availability.Outlook.UNDECIDED);
        } catch (InterruptedException interrupt) {
            Thread.currentThread().interrupt();
            return new Availability.Unusable("the probe was interrupted", "Try again.", Availability.Outlook.UNDECIDED);
        }
    }

    private Availability ask(Engine engine) {
        try {
            EngineReport report = EngineReport.of(engine);
            probed.set(Optional.of(report));
            EngineInfo info = report.info();
            return new Availability.Usable(
                    report.product().title() + " " + info.version(),
                    ContainerGuarantees.kept(
                            ContainerNetwork.obstacle(engine, Optional.of(info), Optional.empty()),
                            NetworkPolicy.off(),
                            Optional.empty(),
                            info.limits()));
        } catch (SandboxUnavailableException absent) {
            return absent.unusable();
        } catch (RuntimeException fault) {
            return new Availability.Unusable(
                    "the engine at " + engine.where() + " gave an unexpected answer: " + fault, "Check DOCKER_HOST.");
        }
    }

    @Override
    public CommandExecutor create(SandboxPolicy policy, Map<String, String> settings) {
        return create(ExecutorOptions.of(policy).settings(settings));
    }

    @Override
    public CommandExecutor create(ExecutorOptions options) {
        SandboxPolicy policy = options.policy();
        Map<String, String> settings = options.settings();
        settings.keySet().stream()
                .filter(name -> !SETTINGS.contains(name))
                .findFirst()
                .ifPresent(name -> {
                    throw new IllegalArgumentException(
                            "the docker backend has no setting '" + name + "', only " + new TreeSet<>(SETTINGS));
                });
        DockerExecutor.Builder builder = DockerExecutor.builder().onProgress(options.progress());
        settings.forEach((name, value) -> apply(builder, name, value));
        Optional<EngineReport> report = probed.getAndSet(Optional.empty());
        if (!settings.containsKey("engine")) {
            report.ifPresent(builder::reported);
        }
        if (!settings.containsKey("container")) {
            return builder.policy(policy).connections(options).build();
        }
        // Paddock relays nothing here that the observers could receive: the check below refuses a network of allowed
        // hosts, and no port of a foreign container is published.
        builder.env(policy.environment().resolve(CallerEnvironment.variables()));
        DockerExecutor executor = builder.build();
        try {
            ContainerPolicyCheck.attached(policy, executor.guarantees()).require();
            return executor;
        } catch (RuntimeException refused) {
            executor.dispose();
            throw refused;
        }
    }

    private static void apply(DockerExecutor.Builder builder, String name, String value) {
        switch (name) {
            case "image" -> builder.image(value);
            case "container" -> builder.container(value);
            case "user" -> builder.user(value);
            case "runtime" -> builder.runtime(value);
            case "options" -> builder.options(List.of(value.strip().split(" +", -1)));
            case "engine" -> builder.engine(value);
            case "quarantine" -> builder.quarantine(Path.of(value));
            case "network" -> builder.network(value);
            case "tmp" -> tmp(builder, value);
            case "root" -> builder.writableRoot(ProviderSettings.isWritable(value));
            case "freshPerCommand" -> {
                if (!value.equals("true")) {
                    throw new IllegalArgumentException("freshPerCommand must be true or omitted, not '" + value + "'");
                }
                builder.freshPerCommand();
            }
            case "warmSlots" -> builder.warmSlots(ProviderSettings.wholeNumber(name, value));
            default ->
                builder.pullPolicy(
                        switch (value) {
                            case "if-not-present" -> PullPolicy.IF_NOT_PRESENT;
                            case "never" -> PullPolicy.NEVER;
                            default ->
                                throw new IllegalArgumentException(
                                        "the pull policy must be 'if-not-present' or 'never', not '" + value + "'");
                        });
        }
    }

    /** Parses a size, and after a comma whether programs can be executed: {@code 64m,noexec}. */
    private static void tmp(DockerExecutor.Builder builder, String value) {
        String[] parts = value.split(",", 2);
        if (parts.length == 2 && !parts[1].equals("noexec")) {
            throw new IllegalArgumentException("tmp must be a size such as 64m or 64m,noexec, not '" + value + "'");
        }
        builder.tmp(ResourceLimits.parseBytes(parts[0]), parts.length == 1);
    }

    @Override
    public List<Path> accept(Path path) {
        return Journals.accept(path);
    }

    @Override
    public List<String> sweep(SweepMode mode) {
        List<String> done = new ArrayList<>(PrivateState.sweep(Engine.BACKEND, mode));
        Engine engine;
        try {
            engine = Engine.ofEnvironment();
        } catch (IllegalArgumentException fault) {
            // No docker command can use that address either; the probe reports it.
            LOG.log(System.Logger.Level.DEBUG, "no container was swept", fault);
            return done;
        }
        try {
            done.addAll(BoundedCall.within(SWEEP_BOUND, () -> ContainerSweep.of(engine, mode)));
        } catch (TimeoutException silence) {
            done.add("the containers at " + engine.where() + " were not examined: the engine did not answer within "
                    + SWEEP_BOUND.toSeconds() + " s; restart it, and run paddock gc again");
        } catch (SandboxUnavailableException absent) {
            // Without an engine there are no containers to sweep; the probe reports the reason.
            LOG.log(System.Logger.Level.DEBUG, "no container was swept", absent);
        } catch (InterruptedException interrupt) {
            Thread.currentThread().interrupt();
            done.add("the containers at " + engine.where() + " were not examined: interrupted");
        }
        return done;
    }
}
