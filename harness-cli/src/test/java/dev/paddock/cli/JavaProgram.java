package dev.paddock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Runs this program in a JVM of its own, which has to print {@code done}. */
final class JavaProgram {
    private static final Pattern TEST_TOOL = Pattern.compile(
            ".*(test-classes|executor-tck|junit|assertj|awaitility|hamcrest|opentest4j|apiguardian|byte-buddy).*");

    private JavaProgram() {}

    /** Runs it with its libraries on the module path. */
    static void runAsModule(Path directory, String... words) throws Exception {
        List<String> path = Stream.of(System.getProperty("java.class.path", "").split(File.pathSeparator))
                .filter(entry -> !TEST_TOOL.matcher(entry).matches())
                .toList();
        List<String> arguments = new ArrayList<>(List.of(
                "--enable-native-access=org.jnrproject.jffi",
                "-p",
                String.join(File.pathSeparator, path),
                "-m",
                "dev.paddock.cli/" + Main.class.getName()));
        arguments.addAll(List.of(words));
        run(directory, arguments.toArray(String[]::new));
    }

    /**
     * Runs it.
     *
     * @param arguments the JVM's and the program's
     */
    static void run(Path directory, String... arguments) throws Exception {
        List<String> line = new ArrayList<>();
        line.add(Path.of(System.getProperty("java.home", ""), "bin", "java").toString());
        line.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")); // as the launcher does
        line.addAll(List.of(arguments));
        Path output = Files.createTempFile("paddock-program-", "");
        try {
            Process program = new ProcessBuilder(line)
                    .directory(directory.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .start();
            try {
                assertThat(program.waitFor(2, TimeUnit.MINUTES)).as("it ends").isTrue();
            } finally {
                program.destroyForcibly();
            }
            assertThat(Files.readString(output))
                    .as("exit code %s", program.exitValue())
                    .contains("done\n");
            assertThat(program.exitValue()).isZero();
        } finally {
            Files.delete(output);
        }
    }
}
