package dev.paddock.executor.tck.jvm;

import dev.paddock.executor.tck.context.ContractContext;
import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A JVM that runs commands with the implementer's executor, started to be killed.
 *
 * @since 0.1
 */
@SuppressWarnings("exports") // the suite alone starts it
public final class ChildJvm implements AutoCloseable {
    /** A variable in the child's environment that no command may see. */
    public static final String CANARY = "CONTRACT_CANARY";

    private final Process process;
    private final Path output;

    private ChildJvm(Process process, Path output) {
        this.process = process;
        this.output = output;
    }

    public static ChildJvm start(ContractContext context, List<String> commands) throws IOException {
        Path output = context.log("child-jvm.log");
        List<String> line = new ArrayList<>();
        line.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        line.add("--enable-native-access=ALL-UNNAMED");
        line.addAll(ownTuning());
        line.add("-Djava.io.tmpdir=" + System.getProperty("java.io.tmpdir"));
        System.getProperties().stringPropertyNames().stream()
                .filter(name -> name.startsWith("paddock."))
                .map(name -> "-D" + name + "=" + System.getProperty(name))
                .forEach(line::add);
        line.addAll(List.of("-cp", classPath(), context.childProgram().getName()));
        line.addAll(List.of(
                context.implementer().getName(),
                context.environment().sharedDirectory().toString(),
                context.environment().keptDirectory().toString(),
                context.cwd(),
                context.tag()));
        line.addAll(commands);
        ProcessBuilder builder =
                new ProcessBuilder(line).redirectErrorStream(true).redirectOutput(output.toFile());
        builder.environment().put(CANARY, "canary");
        return new ChildJvm(builder.start(), output);
    }

    /** Returns this JVM's options that tune its compilers and collector. */
    static List<String> ownTuning() {
        return ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(option -> option.startsWith("-XX:"))
                .toList();
    }

    /**
     * Returns the class path including the modules, so that the child needs no module graph of its
     * own.
     */
    static String classPath() {
        return Stream.of("java.class.path", "jdk.module.path")
                .map(name -> System.getProperty(name, ""))
                .filter(path -> !path.isEmpty())
                .reduce((one, other) -> one + File.pathSeparator + other)
                .orElse("");
    }

    /** Returns the processes that descend from the child by their parent chain. */
    public List<ProcessHandle> descendants() {
        return process.descendants().toList();
    }

    /** Kills the child with SIGKILL, and waits until it has exited. */
    public void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** Adds the child's output to a failure. */
    public <T> T explaining(Action<T> action) throws Exception {
        try {
            return action.run();
        } catch (AssertionError failed) {
            throw new AssertionError(
                    failed.getMessage() + "; the child JVM " + (process.isAlive() ? "lives" : "has ended")
                            + " and said: " + Files.readString(output),
                    failed);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
    }

    /** An action whose failure message includes the child's output. */
    public interface Action<T> {
        T run() throws Exception;
    }
}
