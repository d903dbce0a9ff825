package dev.paddock.executor.bwrap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.executor.Availability;
import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.ExecutorProvider;
import dev.paddock.executor.os.table.OwnerId;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.executor.sandbox.backend.SandboxProbe;
import dev.paddock.executor.sandbox.cgroup.ControlGroups;
import dev.paddock.executor.upkeep.SweepMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A bubblewrap that hangs, as on a machine that is too busy to start it within the bound. */
@EnabledOnOs(OS.LINUX)
class HungProbeTest {
    private static final Logger LOG = Logger.getLogger(SandboxProbe.class.getName());

    @TempDir
    private Path directory;

    /** Creates executors over a program in place of bubblewrap, and remembers their worktree. */
    private static final class Hanging implements ExecutorProvider {
        private final Path program;
        private Path worktree = Path.of("none");

        Hanging(Path program) {
            this.program = program;
        }

        @Override
        public String name() {
            return "hanging";
        }

        @Override
        public Availability probe() {
            return SandboxProbe.run(this, "Wait.", () -> "1", Map.of(), Duration.ofSeconds(1));
        }

        @Override
        public CommandExecutor create(SandboxPolicy policy, Map<String, String> settings) {
            worktree = policy.worktree().hostPath();
            assertThat(worktree).as("control: the probe's directory").isDirectory();
            return BwrapExecutor.builder()
                    .policy(policy)
                    .program(program)
                    .warmSlots(0)
                    .build();
        }
    }

    private static List<String> groups() {
        String owner = OwnerId.current().toString();
        return ControlGroups.detect().sweep(name -> name.contains(owner), SweepMode.DRY_RUN);
    }

    /** A sandbox has its arguments in a file; the holder of the network, on its command line. */
    @ParameterizedTest
    @ValueSource(strings = {"*--unshare-net*", "*--args*"})
    void leavesNoProcessGroupOrFileAndDecidesNothing(String hanging) throws Exception {
        Path program = directory.resolve("bwrap");
        Files.writeString(program, """
                #!/bin/sh
                case "$*" in
                %2$s) echo $$ >'%1$s/pid'; exec sleep 1000 ;;
                *) exec bwrap "$@" ;;
                esac
                """.formatted(directory, hanging));
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
        Hanging provider = new Hanging(program);
        List<String> before = groups();
        List<String> logged = new CopyOnWriteArrayList<>();
        Handler handler = recorder(logged);
        LOG.addHandler(handler);

        assertThat(provider.probe()).isInstanceOfSatisfying(Availability.Unusable.class, unusable -> {
            assertThat(unusable.reason()).isEqualTo("a sandboxed command did not end within 1 s");
            assertThat(unusable.outlook()).isEqualTo(Availability.Outlook.UNDECIDED);
        });
        long pid = Long.parseLong(Files.readString(directory.resolve("pid")).strip());
        assertThat(ProcessHandle.of(pid).filter(ProcessHandle::isAlive)).isEmpty();
        assertThat(groups()).isEqualTo(before);
        assertThat(provider.worktree).doesNotExist();
        LOG.removeHandler(handler);
        assertThat(logged).as("nothing is known of the network").isEmpty();
    }

    private static Handler recorder(List<String> logged) {
        return new Handler() {
            @Override
            public void publish(LogRecord entry) {
                logged.add(entry.getMessage());
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
    }
}
