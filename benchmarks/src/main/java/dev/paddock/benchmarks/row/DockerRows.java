package dev.paddock.benchmarks.row;

import dev.paddock.executor.docker.DockerExecutor;
import dev.paddock.executor.docker.PullPolicy;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The rows of containers: by our executor, and by the engine's own client. */
public final class DockerRows {
    /** Where commands find the worktree. */
    private static final String WORK = "/work";

    /** An engine takes a hundred milliseconds for a slot. */
    private static final Duration SETTLING = Duration.ofMillis(200);

    public static final String RUN = "docker-run";

    private DockerRows() {}

    /** The rows beside the executor's own, for an image that is there. */
    static List<Entry> entries(String image) {
        return List.of(
                new Entry(
                        "docker-cold",
                        "docker, cold",
                        4,
                        place -> Contained.open(image, place, container -> {
                            DockerExecutor cold = DockerExecutor.builder()
                                    .container(container)
                                    .warmSlots(0)
                                    .build();
                            return new ExecutorRow(cold, WORK);
                        })),
                new Entry(
                        "docker-exec",
                        "docker exec, its client",
                        4,
                        place -> Contained.open(
                                image,
                                place,
                                container -> new ProgramRow(
                                        List.of("docker", "exec", "--workdir", WORK, container, "sh", "-c"),
                                        place.worktree()))),
                new Entry(
                        RUN,
                        "docker run --rm, its client",
                        10,
                        place -> new ProgramRow(run(image, place, List.of("sh", "-c")), place.worktree())));
    }

    /** A container for one program, in the worktree and without a network, as ours is. */
    public static List<String> run(String image, BenchmarkWorktree place, List<String> program) {
        List<String> line = new ArrayList<>(List.of("docker", "run", "--rm", "--network", "none"));
        line.addAll(List.of("--volume", place.worktree() + ":" + WORK, "--workdir", WORK, image));
        line.addAll(program);
        return line;
    }

    /** The executor as it is by default, the caller's to close. */
    static ExecutorRow row(String image, Path worktree) {
        return new ExecutorRow(managed(image, worktree), WORK, SETTLING);
    }

    private static DockerExecutor managed(String image, Path worktree) {
        return DockerExecutor.builder()
                .image(image)
                .pullPolicy(PullPolicy.NEVER)
                .worktree(worktree)
                .eager()
                .build();
    }

    /** Something that runs commands in a container of ours, without being what manages it. */
    private record Contained(DockerExecutor owner, Row row) implements Row {

        private interface Opening {
            Row open(String container) throws IOException;
        }

        static Row open(String image, BenchmarkWorktree place, Opening opening) throws IOException {
            DockerExecutor owner = managed(image, place.worktree());
            try {
                return new Contained(owner, opening.open(owner.containerId().orElseThrow()));
            } catch (IOException | RuntimeException fault) {
                owner.close();
                throw fault;
            }
        }

        @Override
        public Times run(String command) throws IOException {
            return row.run(command);
        }

        @Override
        public void close() {
            row.close();
            owner.close();
        }
    }
}
