package dev.paddock.executor.bwrap;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.paddock.executor.policy.NetworkPolicy;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.executor.tck.subject.ProgramTrial;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Programs that know nothing of the sandbox reach an allowed host, and no other. */
@Tag("full")
@Timeout(value = 180, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class AllowedProgramsTest {
    @TempDir
    Path directory;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "curl|curl -sS URL",
                "git|git ls-remote URLthing.git",
                "node|node -e \"fetch('URL').then(r => console.log(r.status))\"",
                "npm|npm view thing --registry URL --fetch-retries=0",
                "python3|python3 -c \"import urllib.request; urllib.request.urlopen('URL')\"",
                "pip|python3 -m pip download thing --no-deps --index-url URL --trusted-host HOST --retries 0",
                "perl|perl -MHTTP::Tiny -e \"print HTTP::Tiny->new->get('URL')->{status}\"",
                "java|java Fetch.java URL",
                "mvn|mvn -B -s settings.xml dependency:get -Dartifact=a:b:1",
                "gradle|gradle --no-daemon -b fetch.gradle fetch",
                "go|GOPROXY=URL go mod download thing.example/thing@v1.0.0",
                "cargo|cargo fetch",
                "apt|mkdir -p apt/state apt/cache; apt-get -o Dir::Etc::SourceList=$PWD/sources.list"
                        + " -o Dir::Etc::SourceParts=/dev/null -o Dir::State=$PWD/apt/state"
                        + " -o Dir::State::status=/dev/null -o Dir::Cache=$PWD/apt/cache -o APT::Sandbox::User="
                        + " -o Debug::NoLocking=true -o Acquire::Retries=0 update",
                "ssh|ssh -o BatchMode=yes -o StrictHostKeyChecking=no -p PORT HOST true",
                "wget|wget -qO- --tries=1 URL"
            })
    void programReachesTheAllowedHostAndNoOther(String program, String command) throws IOException {
        String file = program.equals("pip") ? "/usr/lib/python3/dist-packages/pip" : "/usr/bin/" + program;
        assumeTrue(Files.exists(Path.of(file)), () -> "this machine has no " + program + " for commands");
        PathMapping worktree =
                PathMapping.same(Files.createDirectory(directory.toRealPath().resolve("tree")));
        try (ProgramTrial trial = ProgramTrial.start();
                BwrapExecutor executor = BwrapExecutor.builder()
                        .policy(SandboxPolicy.builder(worktree)
                                .network(NetworkPolicy.allow(trial.rule()))
                                .build())
                        .warmSlots(0)
                        .quarantine(directory.resolve("quarantine"))
                        .build()) {
            trial.check(executor, worktree, program, command);
        }
    }
}
