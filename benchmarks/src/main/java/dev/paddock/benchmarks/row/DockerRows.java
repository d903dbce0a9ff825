package dev.paddock.benchmarks.row;

import dev.paddock.executor.docker.DockerExecutor;
import dev.paddock.executor.docker.PullPolicy;
import dev.paddock.executor.policy.ResourceLimits;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Makes the rows of containers: by Paddock's executor, and by the engine's own client. */
public final class DockerRows {
    /** Where commands see the worktree. */
    private static final String WORK = "/work";

    /** An engine takes a hundred milliseconds for a warm slot. */
    private static final Duration SETTLING = Duration.ofMillis(200);

    public static final String RUN = "docker-run";

    /** The same with the executor's hardening. */
    public static final String RUN_HARDENED = "docker-run-hardened";

    private DockerRows() {}

    /** Returns the rows besides the executor's default one, for an image that is present. */
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

    /**
     * Returns a command line that runs one program in a container, in the worktree and without a
     * network, as the executor does.
     */
    static List<String> run(String image, BenchmarkWorktree place, List<String> program) {
        return run(image, place, List.of(), program);
    }

    /** Returns the same line with the hardening of the executor's containers. */
    static List<String> runHardened(String image, BenchmarkWorktree place) {
        return run(
                image,
                place,
                List.of(
                        "--init",
                        "--read-only",
                        "--cap-drop=ALL",
                        "--security-opt=no-new-privileges",
                        "--pids-limit=" + ResourceLimits.DEFAULT_PROCESSES,
                        "--tmpfs=/tmp",
                        "--log-driver=none"),
                List.of());
    }

    private static List<String> run(
            String image, BenchmarkWorktree place, List<String> hardening, List<String> program) {
        List<String> line = new ArrayList<>(List.of("docker", "run", "--rm", "--network", "none"));
        line.addAll(hardening);
        line.addAll(List.of("--volume", place.worktree() + ":" + WORK, "--workdir", WORK, image));
        line.addAll(program);
        return line;
    }

    /** Opens the executor with its default settings; the caller closes it. */
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

    /** Runs commands in a container of Paddock's executor by other means than the executor. */
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
