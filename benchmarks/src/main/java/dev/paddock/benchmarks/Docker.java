package dev.paddock.benchmarks;

import dev.paddock.executor.docker.DockerExecutor;
import dev.paddock.executor.docker.PullPolicy;
import java.io.IOException;
import java.util.List;

/** The rows of containers: by our executor, and by the engine's own client. */
final class Docker {
    private static final String WORK = "/work";

    private Docker() {}

    /** The rows, for an image that is there. */
    static List<Entry> entries(String image) {
        return List.of(
                new Entry("docker", "docker, warm", 1, place -> new ExecutorRow(managed(image, place), WORK)),
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
                                        List.of("docker", "exec", container, "sh", "-c"), place.worktree()))),
                new Entry(
                        "docker-run",
                        "docker run --rm, its client",
                        10,
                        place -> new ProgramRow(
                                List.of(
                                        "docker",
                                        "run",
                                        "--rm",
                                        "--network",
                                        "none",
                                        "--volume",
                                        place.worktree() + ":" + WORK,
                                        image,
                                        "sh",
                                        "-c"),
                                place.worktree())));
    }

    private static DockerExecutor managed(String image, Place place) {
        return DockerExecutor.builder()
                .image(image)
                .pullPolicy(PullPolicy.NEVER)
                .worktree(place.worktree())
                .eager()
                .build();
    }

    /** Something that runs commands in a container of ours, without being what manages it. */
    private record Contained(DockerExecutor owner, Row row) implements Row {

        private interface Opening {
            Row open(String container) throws IOException;
        }

        static Row open(String image, Place place, Opening opening) throws IOException {
            DockerExecutor owner = managed(image, place);
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
