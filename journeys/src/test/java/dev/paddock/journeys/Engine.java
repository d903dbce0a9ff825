package dev.paddock.journeys;

import dev.paddock.executor.tck.subject.Prerequisite;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The Docker engine that the docker command reaches. */
final class Engine {
    /** A small image that {@code ./verify} creates. */
    static final String IMAGE = "paddock-test/busybox";

    /** Another, a Debian without the programs of the tests. */
    static final String DEBIAN = "paddock-test/debian";

    /** The image is of the same distribution; {@code sbin} has the container's init. */
    private static final List<String> PROGRAMS =
            List.of("/usr/bin", "/usr/lib", "/usr/libexec", "/usr/share", "/usr/include");

    /** The parts of {@code /etc} without which programs of {@code /usr} do not start. */
    private static final String CONFIGURATION = "alternatives|java.*|perl|python3.*|ssl|gradle|maven|chromium.*|fonts";

    private Engine() {}

    /** Returns whether there is one, with an image. */
    static boolean has(String image) throws InterruptedException {
        try {
            Process docker = new ProcessBuilder("docker", "image", "inspect", image)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return docker.waitFor() == 0;
        } catch (IOException noSuchProgram) {
            return false;
        }
    }

    /** Skips the test where there is none with the Debian image. */
    static void requireDebian() throws InterruptedException {
        Prerequisite.require(has(DEBIAN), "no Docker engine with the image " + DEBIAN);
    }

    /** Returns the options for a container that has the programs of this machine. */
    static String[] withPrograms() throws Exception {
        requireDebian();
        List<String> options = new ArrayList<>(List.of("--image", DEBIAN));
        List<String> shown = new ArrayList<>(PROGRAMS);
        try (Stream<Path> configuration = Files.list(Path.of("/etc"))) {
            configuration
                    .filter(path -> path.getFileName().toString().matches(CONFIGURATION))
                    .forEach(path -> shown.add(path.toString()));
        }
        shown.forEach(path -> options.addAll(List.of("--mount", path + ":" + path)));
        return options.toArray(String[]::new);
    }
}
