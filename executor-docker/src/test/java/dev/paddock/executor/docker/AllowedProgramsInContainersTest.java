package dev.paddock.executor.docker;

import dev.paddock.executor.policy.NetworkPolicy;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.executor.tck.subject.ProgramTrial;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The programs that the test images have reach an allowed host, and no other. */
@Tag("full")
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class AllowedProgramsInContainersTest {
    @TempDir
    Path directory;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "wget|paddock-test/busybox|wget -qO- URL",
                "git|paddock-test/debian|git ls-remote URLthing.git",
                "perl|paddock-test/debian|perl -MHTTP::Tiny -e \"print HTTP::Tiny->new->get('URL')->{status}\"",
                "bash|paddock-test/debian|bash -c 'exec 3<>/dev/tcp/HOST/PORT && echo GET >&3 && cat <&3'",
                "apt|paddock-test/debian|mkdir -p apt/state apt/cache; apt-get"
                        + " -o Dir::Etc::SourceList=$PWD/sources.list -o Dir::Etc::SourceParts=/dev/null"
                        + " -o Dir::State=$PWD/apt/state -o Dir::State::status=/dev/null -o Dir::Cache=$PWD/apt/cache"
                        + " -o APT::Sandbox::User= -o Debug::NoLocking=true -o Acquire::Retries=0 update"
            })
    void programReachesTheAllowedHostAndNoOther(String program, String image, String command) throws IOException {
        TestEngine.withImage(image);
        PathMapping worktree = new PathMapping(directory.toRealPath(), "/work");
        try (ProgramTrial trial = ProgramTrial.start();
                DockerExecutor executor = DockerExecutor.builder()
                        .image(image)
                        .policy(SandboxPolicy.builder(worktree)
                                .network(NetworkPolicy.allow(trial.rule()))
                                .build())
                        .build()) {
            trial.check(executor, worktree, program, command);
        }
    }
}
