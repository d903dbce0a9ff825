package dev.paddock.harness;

import dev.paddock.executor.host.HostExecutor;
import dev.paddock.harness.events.SessionEvent;
import dev.paddock.harness.model.ScriptedModel;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Never closes its session; prints what its command does, and what the session does at the end. */
final class UnclosedSessionProgram {
    private UnclosedSessionProgram() {}

    /** Starts the program, which first prints the process id of its command, a sleep. */
    static Process start(Path worktree) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        UnclosedSessionProgram.class.getName(),
                        worktree.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    /** Waits until the command's process id is printed. */
    static ProcessHandle command(BufferedReader printed) throws IOException {
        String line = String.valueOf(printed.readLine());
        while (!line.startsWith("pid ")) {
            line = Optional.ofNullable(printed.readLine()).orElseThrow();
        }
        return ProcessHandle.of(Long.parseLong(line.substring(4))).orElseThrow();
    }

    public static void main(String[] arguments) {
        Path directory = Path.of(arguments[0]);
        AgentSession session = AgentSession.builder()
                .model(
                        ScriptedModel.parse(
                                "unclosed",
                                "{\"turns\": [{\"calls\": [{\"tool\": \"bash\", \"arguments\": {\"command\": \"echo $$; exec sleep 300\"}}]}]}"))
                .cwd(directory)
                .executor(HostExecutor.create())
                .toolSource(new StandInSource("stand-in server", List.of(), "", System.out::println))
                .sessionDirectory(directory.resolveSibling("session"))
                .listener(UnclosedSessionProgram::report)
                .build();
        session.prompt("Go");
    }

    private static void report(SessionEvent event) {
        switch (event) {
            case SessionEvent.ToolUpdated update ->
                System.out.println("pid " + update.textSoFar().strip());
            case SessionEvent.RunEnded run ->
                System.out.println("run " + run.outcome().end());
            case SessionEvent.SessionEnded ended -> System.out.println("session ended");
            default -> {}
        }
    }
}
