package dev.paddock.executor.docker;

import com.github.dockerjava.api.DockerClient;
import dev.paddock.executor.docker.engine.Engine;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.tck.CommandExecutorContract;
import dev.paddock.executor.tck.subject.ContractEnvironment;
import dev.paddock.executor.tck.subject.ContractSubject;
import dev.paddock.executor.tck.subject.SandboxFault;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.awaitility.Awaitility;

/**
 * Runs the contract in a container of one image and one mode. The image decides how the executor
 * communicates with the shells inside, and the mode how the container lives; therefore not every pair
 * has a run of its own, but each image and each mode has. Races are attempted a few times: an engine
 * takes a tenth of a second for each command, and over channels to local shells they are attempted often.
 */
abstract class DockerContract extends CommandExecutorContract {
    /** Enough to exceed the suite's slack if each command leaves something, or each killed one three things. */
    private static final int MANY_COMMANDS = 60;

    private final String image;
    private final boolean attached;
    private final boolean init;

    DockerContract(String image, boolean attached, boolean init) {
        this.image = image;
        this.attached = attached;
        this.init = init;
    }

    int warmSlots() {
        return 2;
    }

    /** Returns the engine, if it has the image. */
    Engine engine(String image) throws IOException {
        return TestEngine.withImage(image);
    }

    /** Returns the address of an engine that is not the docker command's. */
    Optional<String> address() {
        return Optional.empty();
    }

    private DockerExecutor.Builder builder() {
        DockerExecutor.Builder builder = DockerExecutor.builder();
        return address().map(builder::engine).orElse(builder);
    }

    @Override
    protected ContractSubject subject(ContractEnvironment environment) throws Exception {
        Path shared = environment.sharedDirectory();
        Engine engine = engine(image);
        DockerExecutor executor = attached ? attached(shared) : managed(shared);
        ContractSubject run = ContractSubject.of(executor, new PathMapping(shared, "/work"));
        ContractSubject subject = run.asFurtherRun()
                .withManyCommands(MANY_COMMANDS)
                .withPatience(Duration.ofSeconds(60))
                .withUnavailable(() -> DockerExecutor.builder()
                        .engine("unix:///nonexistent/docker.sock")
                        .container("any")
                        .build());
        SandboxFault paused = new SandboxFault(
                "paused",
                () -> inflict(
                        engine,
                        executor,
                        (client, id) -> client.pauseContainerCmd(id).exec()),
                () -> to(
                        engine,
                        executor,
                        (client, id) -> client.unpauseContainerCmd(id).exec()));
        if (attached) {
            return subject.withFaults(paused);
        }
        Map<String, String> settings = new HashMap<>(
                Map.of("image", image, "quarantine", environment.keptDirectory().toString()));
        settings.put("warmSlots", "0"); // the executors of a policy run few commands each
        address().ifPresent(other -> settings.put("engine", other));
        return subject.withProvider(new DockerProvider(), settings)
                .withFaults(
                        paused,
                        new SandboxFault(
                                "removed",
                                () -> inflict(
                                        engine,
                                        executor,
                                        (client, id) -> client.removeContainerCmd(id)
                                                .withForce(true)
                                                .exec()),
                                () -> {}),
                        new SandboxFault(
                                "killed",
                                () -> inflict(
                                        engine,
                                        executor,
                                        (client, id) ->
                                                client.killContainerCmd(id).exec()),
                                () -> {}));
    }

    private DockerExecutor managed(Path shared) {
        return builder()
                .image(image)
                .pullPolicy(PullPolicy.NEVER)
                .worktree(shared)
                .warmSlots(warmSlots())
                .build();
    }

    private DockerExecutor attached(Path shared) throws IOException {
        return builder()
                .container(TestEngine.start(image, shared, init))
                .warmSlots(warmSlots())
                .removeOnDispose()
                .build();
    }

    /**
     * Inflicts a fault when the executor is idle: an engine that freezes a container while it
     * starts a process there waits forever.
     */
    private void inflict(Engine engine, DockerExecutor executor, BiConsumer<DockerClient, String> fault) {
        Awaitility.await("every warm slot is ready")
                .atMost(Duration.ofSeconds(60))
                .until(() -> executor.waitingSlots() == warmSlots());
        to(engine, executor, fault);
    }

    private static void to(Engine engine, DockerExecutor executor, BiConsumer<DockerClient, String> fault) {
        engine.call(client -> {
            fault.accept(client, executor.containerId().orElseThrow());
            return true;
        });
    }
}
