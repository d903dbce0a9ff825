package dev.paddock.executor.docker;

import dev.paddock.executor.policy.Mount;
import dev.paddock.executor.policy.NetworkPolicy;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.executor.tck.jvm.OrdinaryUser;
import dev.paddock.fixtures.ProgramTrial;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Programs that know nothing of the container reach an allowed host, and no other. */
@Tag("full")
@Timeout(value = 180, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class AllowedProgramsInContainersTest {
    /** All of {@code /usr} but {@code sbin}, where the engine puts the container's init. */
    private static final List<String> PROGRAMS = List.of("/usr/bin", "/usr/lib", "/usr/libexec", "/usr/share");

    /** The parts of {@code /etc} without which programs of {@code /usr} do not start. */
    private static final List<String> CONFIGURATION =
            List.of("alternatives", "java", "npmrc", "perl", "python3", "ssh", "ssl");

    /** Each looks names up in a way of its own; bubblewrap, which serves the sockets in the same way, runs all. */
    private static final Set<String> OWN_LOOKUP = Set.of("curl", "git", "npm", "java", "go", "apt", "ssh");

    /** What may behave differently for an ordinary user: it looks for the user's name or home, or for owners. */
    private static final Set<String> ASKING_FOR_THE_USER = Set.of("git", "npm", "apt", "ssh");

    @TempDir
    Path directory;

    @TempDir
    Path users;

    /** Returns the name and the command of those programs of the table that are tried here. */
    static Stream<Arguments> programsOfTheMachine() {
        return ProgramTrial.PROGRAMS
                .lines()
                .map(line -> line.split("\\|", 2))
                .filter(program -> OWN_LOOKUP.contains(program[0]))
                .filter(program -> !OrdinaryUser.isAgain() || ASKING_FOR_THE_USER.contains(program[0]))
                .map(program -> Arguments.of(program[0], program[1]));
    }

    /** Those of this machine: the image is of the same distribution, and its programs are replaced. */
    @ParameterizedTest
    @MethodSource("programsOfTheMachine")
    void programOfMachineReachesAllowedHostAndNoOther(String program, String command) throws IOException {
        ProgramTrial.assumeInstalled(program);
        check(program, TestEngine.DEBIAN, command, programs());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"wget|paddock-test/busybox|wget -qO- URL", "git|paddock-test/debian|git ls-remote URLthing.git"})
    void programOfImageReachesAllowedHostAndNoOther(String program, String image, String command) throws IOException {
        check(program, image, command, List.of());
    }

    private static List<Path> programs() throws IOException {
        try (Stream<Path> all = Files.list(Path.of("/etc"))) {
            return Stream.concat(
                            PROGRAMS.stream().map(Path::of),
                            all.filter(
                                    path -> isConfiguration(path.getFileName().toString())))
                    .toList();
        }
    }

    private static boolean isConfiguration(String name) {
        return CONFIGURATION.contains(name) || name.matches("java-[0-9]+-.*");
    }

    private void check(String program, String image, String command, List<Path> mounts) throws IOException {
        TestEngine.withImage(image);
        PathMapping worktree = new PathMapping(directory.toRealPath(), "/work");
        try (ProgramTrial trial = ProgramTrial.start()) {
            SandboxPolicy.Builder policy = SandboxPolicy.builder(worktree).network(NetworkPolicy.allow(trial.rule()));
            mounts.forEach(path -> policy.mount(new Mount(path, path.toString(), Mount.Access.READ_ONLY)));
            nameUser(policy);
            try (DockerExecutor executor = DockerExecutor.builder()
                    .image(image)
                    .policy(policy.build())
                    .warmSlots(0) // each container runs few commands
                    .build()) {
                trial.check(executor, worktree, program, command);
            }
        }
    }

    /** Gives an ordinary user a name, which an image does not know and ssh insists on. */
    private void nameUser(SandboxPolicy.Builder policy) throws IOException {
        int user = (int) Files.getAttribute(directory, "unix:uid");
        if (user != 0) {
            Path names = users.toRealPath().resolve("passwd");
            Files.writeString(names, "root:x:0:0::/root:/bin/sh\nmember:x:" + user + ":" + user + "::/tmp:/bin/sh\n");
            policy.mount(new Mount(names, "/etc/passwd", Mount.Access.READ_ONLY));
        }
    }
}
