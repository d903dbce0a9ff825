package dev.paddock.journeys;

import java.io.IOException;

/** The Docker engine that the docker command reaches. */
final class Engine {
    /** A small image that {@code ./verify} creates. */
    static final String IMAGE = "paddock-test/busybox";

    /** Another, a Debian without the programs of the tests. */
    static final String DEBIAN = "paddock-test/debian";

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
}
