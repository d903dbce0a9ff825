package dev.paddock.cli;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs the Docker engine's own client. */
final class DockerClient {

    private DockerClient() {}

    /** Returns the output of the engine's own client; empty if it fails or is not installed. */
    static String run(String... words) throws InterruptedException {
        List<String> argv = new ArrayList<>(List.of("docker"));
        argv.addAll(List.of(words));
        try {
            Process process = new ProcessBuilder(argv)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            String output = Cli.text(process.getInputStream()).strip();
            return process.waitFor(60, TimeUnit.SECONDS) && process.exitValue() == 0 ? output : "";
        } catch (IOException absent) {
            return "";
        }
    }
}
