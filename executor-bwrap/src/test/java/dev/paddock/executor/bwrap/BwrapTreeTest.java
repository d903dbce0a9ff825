package dev.paddock.executor.bwrap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.executor.Signal;
import dev.paddock.executor.SpawnOptions.Stdin;
import dev.paddock.executor.process.launch.ChildDescriptor;
import dev.paddock.executor.process.launch.ChildProcess;
import dev.paddock.executor.process.launch.LaunchSpec;
import dev.paddock.executor.process.supervise.Supervisor;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class BwrapTreeTest {
    private static final int INFORMATION = 5;

    /**
     * Without {@code --die-with-parent} every sandbox is as one is for a moment after its main process
     * has started: its first process is not bound to bubblewrap outside yet.
     */
    @Test
    void C11_endsThoughOnlyBubblewrapOutsideHasBeenKilled() throws Exception {
        try (Supervisor supervisor = Supervisor.create("sandbox-test", false)) {
            ChildProcess outside = supervisor.launch(LaunchSpec.builder(List.of(
                            Bubblewrap.find("bwrap").orElseThrow().toString(),
                            "--unshare-user",
                            "--unshare-pid",
                            "--new-session",
                            "--ro-bind",
                            "/",
                            "/",
                            "--proc",
                            "/proc",
                            "--info-fd",
                            Integer.toString(INFORMATION),
                            "sh",
                            "-c",
                            "echo up; exec sleep 1000"))
                    .stdin(Stdin.EMPTY)
                    .descriptor(INFORMATION, new ChildDescriptor.Writes())
                    .build());
            BwrapTree sandbox = waiting(outside);
            try {
                assertThat(outside.signal(Signal.KILL)).isTrue();
                outside.ended().join();
                assertThat(sandbox.first().awaitEnd(Duration.ofMillis(100)))
                        .as("the trap: the sandbox ends by itself")
                        .isFalse();
                assertThat(sandbox.onEnd()).succeedsWithin(Duration.ofSeconds(30));
                assertThat(sandbox.main().awaitEnd(Duration.ZERO)).isTrue();
            } finally {
                sandbox.first().signal(Signal.KILL);
                sandbox.close();
            }
        }
    }

    private static BwrapTree waiting(ChildProcess outside) throws IOException {
        String information = BwrapTree.information(outside.from(INFORMATION));
        assertThat(SandboxLauncher.readLine(outside.stdout())).isEqualTo("up");
        return BwrapTree.of(outside, BwrapTree.first(information));
    }
}
