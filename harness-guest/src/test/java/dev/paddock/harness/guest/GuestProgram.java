package dev.paddock.harness.guest;

import dev.paddock.harness.bindings.AgentContainer;
import dev.paddock.harness.guest.session.GuestSession;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Runs a guest over a shadow in a JVM of its own, and waits until it is killed or its input ends. */
final class GuestProgram {
    private GuestProgram() {}

    /** Starts a JVM with a directory for temporary files. */
    static Process start(Path root, Path temporary) throws IOException {
        return new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-Djava.io.tmpdir=" + temporary,
                        "-cp",
                        System.getProperty("java.class.path"),
                        GuestProgram.class.getName(),
                        root.toString()))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    public static void main(String[] arguments) throws IOException {
        GuestOptions options = GuestOptions.standard().backend("bwrap", Map.of("warmSlots", "0"));
        try (AgentContainer container = AgentContainer.builder(Path.of(arguments[0]))
                        .mode(AgentContainer.Mode.SHADOW)
                        .build();
                GuestSession guests = GuestSession.open(container, options)) {
            System.out.println(guests.run(GuestCode.js("export const run = () => WORKSPACE.readText('a.txt');"))
                    .result()
                    .text());
            System.in.transferTo(System.out);
        }
    }
}
