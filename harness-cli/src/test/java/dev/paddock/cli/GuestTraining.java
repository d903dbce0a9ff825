package dev.paddock.cli;

import dev.paddock.harness.guest.bridge.ClassTraining;
import dev.paddock.harness.guest.engine.GuestMain;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.jar.JarFile;

/**
 * Runs a guest as a session would train it, without a sandbox: it runs no code but the training's. A
 * release's build starts this source with the merged jar on the class path.
 */
final class GuestTraining {
    private GuestTraining() {}

    /**
     * Runs a guest to its end, and exits with its exit code.
     *
     * @param arguments a directory for the engine's files; the jar; the release's module; the Java
     *     that contains it, and its options
     */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        Path directory = Files.createDirectories(Path.of(arguments[0]));
        Path bridge = directory.resolve("bridge.js");
        String library = System.mapLibraryName("quickjs");
        try (JarFile jar = new JarFile(arguments[1])) {
            unpack(jar, "dev/paddock/harness/guest/engine/bridge.js", bridge);
            String processor = System.getProperty("os.arch").equals("aarch64") ? "aarch64" : "x64";
            unpack(jar, "jni/linux_" + processor + "/" + library, directory.resolve(library));
        }
        List<String> command = new ArrayList<>(List.of(arguments).subList(3, arguments.length));
        command.addAll(List.of(
                "-Dcom.dokar.quickjs.library.path=" + directory,
                "-Dcom.dokar.quickjs.library.name=" + library,
                "-m",
                arguments[2] + "/" + GuestMain.class.getName(),
                bridge.toString(),
                Long.toString(64L << 20),
                "60000"));
        Process guest = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (BufferedWriter to = guest.outputWriter(StandardCharsets.UTF_8);
                BufferedReader from = guest.inputReader(StandardCharsets.UTF_8)) {
            if (!GuestMain.READY.equals(from.readLine())) {
                throw new IOException("the guest did not start");
            }
            ClassTraining.train(new ClassTraining.Guest() {
                @Override
                public void write(String line) throws IOException {
                    to.write(line + "\n");
                    to.flush();
                }

                @Override
                public Optional<String> next() throws IOException {
                    return Optional.ofNullable(from.readLine());
                }
            });
            System.exit(guest.waitFor());
        }
    }

    private static void unpack(JarFile jar, String name, Path to) throws IOException {
        Files.write(to, jar.getInputStream(jar.getEntry(name)).readAllBytes());
    }
}
