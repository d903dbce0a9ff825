package dev.paddock.journeys;

import java.io.IOException;

/** The Docker engine that the docker command reaches. */
final class Engine {
    /** An image that {@code ./verify} creates. */
    static final String IMAGE = "paddock-test/busybox";

    private Engine() {}

    /** Returns whether there is one, with the image. */
    static boolean present() throws InterruptedException {
        try {
            Process docker = new ProcessBuilder("docker", "image", "inspect", IMAGE)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return docker.waitFor() == 0;
        } catch (IOException noSuchProgram) {
            return false;
        }
    }
}
