package dev.paddock.executor.docker;

import com.github.dockerjava.api.model.Info;
import dev.paddock.executor.Availability;
import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.ExecutorProvider;
import dev.paddock.executor.Progress;
import dev.paddock.executor.SandboxUnavailableException;
import dev.paddock.executor.docker.container.ContainerFilter;
import dev.paddock.executor.docker.engine.Engine;
import dev.paddock.executor.docker.source.ContainerPolicyCheck;
import dev.paddock.executor.docker.source.ContainerSweep;
import dev.paddock.executor.docker.source.ManagedContainerSource;
import dev.paddock.executor.policy.NetworkPolicy;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.executor.sandbox.state.PrivateState;
import dev.paddock.executor.sandbox.worktree.Journals;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/**
 * Provides Docker as a backend: {@code "docker"}.
 *
 * <p>Settings: {@code image} or {@code container}, exactly one of them; {@code pull} ({@code
 * if-not-present}, {@code never}), {@code user}, {@code runtime}, {@code options} (words separated
 * by blanks), {@code engine} (an address as in {@code DOCKER_HOST}), {@code quarantine} (the
 * directory for files that commands have put at protected paths). {@code auto} selects this backend
 * if an image or a container is named.
 */
public final class DockerProvider implements ExecutorProvider {
    private static final int PROBE_SECONDS = 5;
    private static final int AUTO_PRIORITY = 30;
    private static final Set<String> SETTINGS =
            Set.of("image", "container", "pull", "user", "runtime", "options", "engine", "quarantine");

    /** Creates the provider; called by the service loader. */
    public DockerProvider() {}

    @Override
    public String name() {
        return Engine.BACKEND;
    }

    @Override
    public OptionalInt autoPriority(Map<String, String> settings) {
        boolean named = settings.containsKey("image") || settings.containsKey("container");
        return named ? OptionalInt.of(AUTO_PRIORITY) : OptionalInt.empty();
    }

    @Override
    public Availability probe() {
        CompletableFuture<Availability> answer = new CompletableFuture<>();
        Thread.ofVirtual()
                .inheritInheritableThreadLocals(false)
                .name("paddock-docker-probe")
                .start(() -> answer.complete(ask()));
        try {
            return answer.get(PROBE_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException silence) {
            return new Availability.Unusable(
                    "the Docker engine did not answer within " + PROBE_SECONDS + " s",
                    "Look at the engine (docker info; systemctl status docker) and restart it if it hangs.",
                    true);
        } catch (ExecutionException fault) {
            return new Availability.Unusable("the probe failed: " + fault.getMessage(), "Look at docker info.");
        } catch (InterruptedException interrupt) {
            Thread.currentThread().interrupt();
            return new Availability.Unusable("the probe was interrupted", "Try again.", true);
        }
    }

    private static Availability ask() {
        try {
            Info info = Engine.ofEnvironment().call(client -> client.infoCmd().exec());
            Optional<Availability.Unusable> obstacle = ContainerFilter.obstacle(info);
            if (obstacle.isPresent()) {
                return obstacle.get();
            }
            return new Availability.Usable(
                    "Docker " + info.getServerVersion(),
                    ManagedContainerSource.kept(NetworkPolicy.off(), Optional.empty()));
        } catch (SandboxUnavailableException absent) {
            return new Availability.Unusable(absent.reason(), absent.remedy(), absent.isTransient());
        } catch (RuntimeException fault) {
            return new Availability.Unusable(
                    "the Docker engine does not answer as one: " + fault.getMessage(), "Check DOCKER_HOST.");
        }
    }

    @Override
    public CommandExecutor create(SandboxPolicy policy, Map<String, String> settings) {
        return create(policy, settings, progress -> {});
    }

    @Override
    public CommandExecutor create(SandboxPolicy policy, Map<String, String> settings, Consumer<Progress> progress) {
        settings.keySet().stream()
                .filter(name -> !SETTINGS.contains(name))
                .findFirst()
                .ifPresent(name -> {
                    throw new IllegalArgumentException(
                            "the docker backend has no setting '" + name + "', only " + new TreeSet<>(SETTINGS));
                });
        DockerExecutor.Builder builder = DockerExecutor.builder().onPull(seen -> progress.accept(seen.toProgress()));
        settings.forEach((name, value) -> apply(builder, name, value));
        if (!settings.containsKey("container")) {
            return builder.policy(policy).build();
        }
        builder.env(policy.environment().resolve(HostEnvironment.variables()));
        DockerExecutor executor = builder.build();
        ContainerPolicyCheck.attached(policy, executor.guarantees()).require();
        return executor;
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
            default ->
                builder.pullPolicy(
                        switch (value) {
                            case "if-not-present" -> PullPolicy.IF_NOT_PRESENT;
                            case "never" -> PullPolicy.NEVER;
                            default ->
                                throw new IllegalArgumentException(
                                        "the pull policy is 'if-not-present' or 'never', not '" + value + "'");
                        });
        }
    }

    @Override
    public List<Path> accept(Path path) {
        return Journals.accept(path);
    }

    @Override
    public List<String> sweep() {
        List<String> done = new ArrayList<>(PrivateState.sweep(Engine.BACKEND));
        try {
            ContainerSweep.of(Engine.ofEnvironment(), done);
        } catch (ExecutorException | IllegalArgumentException fault) {
            // Without an engine there are no containers to sweep; the probe reports why the engine
            // is unavailable.
            System.getLogger(DockerProvider.class.getName()).log(System.Logger.Level.DEBUG, "nothing was swept", fault);
        }
        return done;
    }
}
