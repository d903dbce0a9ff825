package dev.paddock.executor.worktree;

import static org.awaitility.Awaitility.await;

import dev.paddock.executor.policy.ProtectedPaths;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A session in a JVM of its own, which can be killed. It reads requests, a line each, and answers
 * each with a line: {@code begin}, {@code run SCRIPT}, {@code container ID}, {@code beat}, {@code
 * settle} and {@code loop} with the number of notices, {@code close}.
 */
final class KilledSession implements AutoCloseable {
    private final Path directory;
    private final Process process;
    private final PrintStream requests;
    private final BufferedReader answers;

    private KilledSession(Path directory, Process process) {
        this.directory = directory;
        this.process = process;
        this.requests = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
        this.answers = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    public static void main(String[] args) throws Exception {
        Path directory = Path.of(args[0]);
        Path worktree = Path.of(args[1]);
        WorktreeGuard guard = WorktreeGuard.open(
                worktree,
                ProtectedPaths.standard(),
                Files.createDirectories(directory.resolve("child")),
                new Journals(directory.resolve("journals"), container -> false),
                directory.resolve("quarantine"),
                Stream.of(args).skip(2).map(Path::of).toList(),
                System.getenv());
        System.out.println("open");
        BufferedReader requests = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        WorktreeGuard.Command command = guard.announce(ProtectionPlan.NONE);
        for (String request = requests.readLine(); request != null; request = requests.readLine()) {
            String answer = "done";
            if (request.equals("begin")) {
                command = guard.begin(ProtectionPlan.NONE);
            } else if (request.equals("settle")) {
                answer = "notices " + command.settle().size();
            } else if (request.equals("loop")) {
                answer = "notices " + loop(guard);
            } else if (request.equals("beat")) {
                guard.journal().beat(); // the clock's next beat is up to 2 s away
            } else if (request.startsWith("container ")) {
                guard.runsIn(SessionContainer.running(request.substring("container ".length()), "unix:///engine"));
            } else if (request.startsWith("run ")) {
                GuardedWorktree.shell(worktree, request.substring("run ".length()));
            } else {
                guard.close();
            }
            System.out.println(answer);
        }
    }

    /** Runs many commands that change nothing, and returns the number of notices. */
    static int loop(WorktreeGuard guard) {
        int notices = 0;
        for (int number = 0; number < 40; number++) {
            notices += guard.begin(ProtectionPlan.NONE).settle().size();
        }
        return notices;
    }

    /**
     * Starts a session.
     *
     * @param directory the directory of the test
     * @param worktree the session's worktree
     * @param mounts what its commands can write to besides
     */
    static KilledSession start(Path directory, Path worktree, Path... mounts) throws IOException {
        String classPath = Stream.of("java.class.path", "jdk.module.path", "surefire.test.class.path")
                .map(name -> System.getProperty(name, ""))
                .filter(path -> !path.isEmpty())
                .collect(Collectors.joining(File.pathSeparator));
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                classPath,
                KilledSession.class.getName(),
                directory.toString(),
                worktree.toString()));
        Stream.of(mounts).map(Path::toString).forEach(command::add);
        KilledSession session = new KilledSession(
                directory,
                new ProcessBuilder(command)
                        .redirectError(directory.resolve("child.log").toFile())
                        .start());
        session.answer();
        return session;
    }

    /** Makes a request and returns the answer. */
    String ask(String request) throws IOException {
        requests.println(request);
        return answer();
    }

    /** Waits until a beat says that the changes made until now are a command's. */
    void awaitBeat() {
        long now = System.currentTimeMillis();
        await("a beat").atMost(Duration.ofSeconds(30)).until(() -> earliestBeat() > now);
    }

    /** Reads the tables of all journals: a header of 16 bytes, and a number for each live session. */
    private long earliestBeat() throws IOException {
        long earliest = Long.MAX_VALUE;
        try (Stream<Path> files = Files.walk(directory.resolve("journals"))) {
            for (Path file : files.filter(file -> file.endsWith("sessions")).toList()) {
                ByteBuffer table = ByteBuffer.wrap(Files.readAllBytes(file));
                for (int slot = 16; slot + 8 <= table.limit(); slot += 8) {
                    long beat = table.getLong(slot);
                    earliest = beat == 0 ? earliest : Math.min(earliest, beat);
                }
            }
        }
        return earliest;
    }

    private String answer() throws IOException {
        String answer = answers.readLine();
        if (answer == null) {
            throw new IOException("the session has ended; child.log in the test's directory says why");
        }
        return answer;
    }

    /**
     * Kills the session as {@code kill -9} does, and waits until the kernel dates a change later than the
     * session's last beat: it dates changes by its tick, of up to 10 ms, which may have begun before the beat.
     */
    @Override
    public void close() throws IOException {
        process.destroyForcibly().onExit().join();
        awaitLaterChange(directory);
    }

    /** Waits until the kernel dates a change in a directory later than the present. */
    static void awaitLaterChange(Path directory) throws IOException {
        long killed = System.currentTimeMillis();
        Path changed = directory.resolve("changed-after-the-kill");
        await("a change that is dated after the kill")
                .pollInterval(Duration.ofMillis(1))
                .until(() -> Files.getLastModifiedTime(Files.writeString(changed, "later"))
                                .toMillis()
                        > killed);
        Files.delete(changed);
    }
}
