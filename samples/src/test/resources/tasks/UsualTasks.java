package tasks;

import dev.paddock.executor.AbortController;
import dev.paddock.executor.AbortSignal;
import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.CommandResult;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.RunOptions;
import dev.paddock.executor.Signal;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.host.HostExecutor;
import dev.paddock.executor.run.Capture;
import dev.paddock.harness.Toolbox;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** What programs do with commands, each in a line or two. */
public final class UsualTasks {
    static String output(CommandExecutor executor, Path directory) throws Exception {
        return executor.run("echo out", RunOptions.in(directory)).orThrow().outText();
    }

    static int exitCode(CommandExecutor executor, Path directory) throws Exception {
        return executor.run("exit 3", RunOptions.in(directory)).status().orElseThrow().code();
    }

    static CommandResult timeoutAndCapture(CommandExecutor executor, Path directory) throws Exception {
        Capture ends = Capture.headAndTail(4_096);
        return executor.run("echo late; sleep 300", RunOptions.in(directory).timeout(Duration.ofSeconds(1)).capture(ends));
    }

    static void lines(CommandExecutor executor, Path directory, List<String> lines) throws Exception {
        executor.run("echo one; echo two", RunOptions.in(directory).onLine((from, line) -> lines.add(line)));
    }

    static String input(CommandExecutor executor, Path directory) throws Exception {
        return executor.run("cat", RunOptions.in(directory).stdin("in".getBytes())).outText();
    }

    static String variable(CommandExecutor executor, Path directory) throws Exception {
        return executor.run("echo $WORD", RunOptions.in(directory).env("WORD", "set")).outText();
    }

    static void file(CommandExecutor executor, Path directory) throws Exception {
        executor.run("echo kept", RunOptions.in(directory).toFile(directory.resolve("kept")));
    }

    static CommandResult abort(CommandExecutor executor, Path directory, AbortController abort) throws Exception {
        return executor.run("echo begun; exec sleep 300", RunOptions.in(directory).signal(abort.signal())
                .onLine((from, line) -> abort.abort()));
    }

    static boolean attach(CommandExecutor executor, Path directory) {
        ProcessLike process = executor.spawn("exec sleep 300", SpawnOptions.builder(directory.toString()).build());
        return process.kill(Signal.KILL) && process.onExit().toCompletableFuture().join().code() == 137;
    }

    static String sessionsTool(CommandExecutor executor, Path directory) {
        Toolbox toolbox = Toolbox.builder().cwd(directory).executor(executor).build();
        try (toolbox) { return toolbox.call("bash", "{\"command\": \"cat kept\"}", AbortSignal.never()).text(); }
    }

    public static void main(String[] arguments) throws Exception {
        Path directory = Path.of(arguments[0]);
        CommandExecutor executor = HostExecutor.create();
        List<String> lines = new ArrayList<>();
        System.out.println("output " + output(executor, directory).strip());
        System.out.println("exitCode " + exitCode(executor, directory));
        System.out.println("timeout " + timeoutAndCapture(executor, directory).outText().strip());
        lines(executor, directory, lines);
        System.out.println("lines " + lines);
        System.out.println("input " + input(executor, directory));
        System.out.println("variable " + variable(executor, directory).strip());
        file(executor, directory);
        System.out.println("file " + Files.readString(directory.resolve("kept")).strip());
        System.out.println("abort " + abort(executor, directory, new AbortController()).outcome().getClass().getSimpleName());
        System.out.println("attach " + attach(executor, directory));
        System.out.println("session " + sessionsTool(executor, directory).strip());
        System.out.println(UsualTasks.class.getModule().isNamed());
    }
}
