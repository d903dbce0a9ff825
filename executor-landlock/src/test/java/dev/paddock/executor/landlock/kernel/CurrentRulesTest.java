package dev.paddock.executor.landlock.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.executor.landlock.FakeFileSystemView;
import dev.paddock.executor.landlock.kernel.LandlockRules.Grant;
import dev.paddock.executor.landlock.kernel.LandlockRules.SystemRules;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.policy.SandboxPolicy;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Tests when an executor's rules are compiled again, and of which files. */
class CurrentRulesTest {
    private static final int VERSION = 7;
    private static final SystemPaths SYSTEM = new SystemPaths(List.of("/usr"), List.of(), List.of());
    private static final List<Grant> GRANTS = List.of(new Grant("/run/home", true));

    private final SandboxPolicy policy =
            SandboxPolicy.builder(PathMapping.same(Path.of("/src/project"))).build();
    private final AtomicLong clock = new AtomicLong(42);
    private final FakeFileSystemView host = new FakeFileSystemView().directories("/usr", "/src/project", "/run/home");
    private final CurrentRules current = new CurrentRules(
            policy, VERSION, SYSTEM, GRANTS, new CachingFileSystemView(SYSTEM.all(), host, clock::get));

    private LandlockRules afresh() {
        return LandlockRules.compile(policy, VERSION, SystemRules.compile(SYSTEM, VERSION, host), GRANTS, host);
    }

    private void letASecondPass() {
        clock.addAndGet(TimeUnit.SECONDS.toNanos(1));
    }

    @Test
    void unchangedFilesHaveSameRules() {
        LandlockRules rules = current.now();
        assertThat(rules).isEqualTo(afresh());
        letASecondPass();
        assertThat(current.stillHold(rules)).isTrue();
        assertThat(current.now()).isSameAs(rules);
    }

    @Test
    void anotherWorktreeAtPathIsGrantedAtNextCommand() {
        LandlockRules before = current.now();
        host.replaced("/src/project", "another");
        assertThat(current.now()).isEqualTo(afresh()).isNotEqualTo(before);
        assertThat(current.stillHold(before)).isFalse();
        assertThat(current.stillHold(current.now())).isTrue();
    }

    @Test
    void anotherDirectoryOfSystemRefusesCommandWithinSecond() {
        LandlockRules before = current.now();
        host.replaced("/usr", "another");
        assertThat(current.now()).isSameAs(before);
        assertThat(current.stillHold(before)).isTrue();
        letASecondPass();
        assertThat(current.stillHold(before)).isFalse();
        assertThat(current.now()).isEqualTo(afresh());
        assertThat(current.stillHold(current.now())).isTrue();
    }

    @Test
    void systemAndPolicyPathsMayChangeTogether() {
        LandlockRules before = current.now();
        host.replaced("/usr", "another").replaced("/src/project", "another");
        LandlockRules between = current.now();
        letASecondPass();
        assertThat(current.stillHold(between)).isFalse();
        assertThat(current.stillHold(before)).isFalse();
        assertThat(current.now()).isEqualTo(afresh());
    }
}
