package dev.paddock.executor.sandbox.cgroup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.paddock.executor.os.table.OwnerId;
import dev.paddock.executor.policy.ResourceLimits;
import dev.paddock.executor.sandbox.cgroup.LimitPlan.Mechanisms;
import dev.paddock.executor.upkeep.SweepMode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ControlGroupsTest {

    @TempDir
    Path directory;

    @Test
    void version1HasDirectoryForEachController() throws IOException {
        proc("""
                8:pids:/
                4:cpu,cpuacct:/service/one
                0::/
                """, """
                31 23 0:28 / /sys/fs/cgroup rw,relatime - tmpfs tmpfs rw,mode=755
                32 31 0:29 / /sys/fs/cgroup/cpu,cpuacct rw,relatime - cgroup cgroup rw,cpu,cpuacct
                39 31 0:36 / /sys/fs/cgroup/pids rw,relatime shared:3 - cgroup cgroup rw,pids
                41 31 0:38 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw
                """);
        CgroupMounts mounts = CgroupMounts.read(directory);
        assertThat(mounts.version1("cpu")).contains(Path.of("/sys/fs/cgroup/cpu,cpuacct/service/one"));
        assertThat(mounts.version1("pids")).contains(Path.of("/sys/fs/cgroup/pids"));
        assertThat(mounts.version1("memory")).isEmpty();
    }

    @Test
    void version2OffersGroupsAboveAsWell() throws IOException {
        proc(
                "0::/user.slice/app.scope\n",
                "30 23 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n");
        assertThat(CgroupMounts.read(directory).version2())
                .containsExactly(
                        Path.of("/sys/fs/cgroup/user.slice/app.scope"),
                        Path.of("/sys/fs/cgroup/user.slice"),
                        Path.of("/sys/fs/cgroup"));
    }

    @Test
    void inContainerOnlyItsOwnPartIsMounted() throws IOException {
        proc("4:memory:/docker/abc\n", "35 31 0:32 /docker/abc /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n");
        assertThat(CgroupMounts.read(directory).version1("memory")).contains(Path.of("/sys/fs/cgroup/memory"));
    }

    @Test
    void version2WritesItsOwnFiles() throws IOException {
        for (String file : List.of("memory.max", "memory.swap.max", "cpu.max", "pids.max")) {
            Files.createFile(directory.resolve(file));
        }
        LimitPlan plan = plan();
        for (Controller controller : Controller.values()) {
            GroupFiles.VERSION_2.set(
                    directory, controller, GroupFiles.limit(plan, controller).orElseThrow());
        }
        assertThat(directory.resolve("memory.max")).hasContent("67108864\n");
        assertThat(directory.resolve("memory.swap.max")).hasContent("0\n");
        assertThat(directory.resolve("cpu.max")).hasContent("150000 100000\n");
        assertThat(directory.resolve("pids.max")).hasContent("7\n");
        Files.writeString(directory.resolve("memory.events"), "low 0\noom 3\noom_kill 2\noom_group_kill 0\n");
        assertThat(GroupFiles.VERSION_2.oomKills(directory)).isEqualTo(2);
    }

    @Test
    void groupIsMadeAndLeavesNothing() throws IOException {
        ControlGroups groups = ControlGroups.detect();
        assumeTrue(groups.controllers().containsAll(Set.of(Controller.values())), "no control groups can be made here");
        String name = "paddock-test-" + UUID.randomUUID();
        try (ControlGroup group = groups.create(name, plan())) {
            assertThat(group.oomKills()).isZero();
            assertThat(groups.sweep("another"::equals, SweepMode.REMOVE)).isEmpty();
        }
        assertThat(groups.sweep(name::equals, SweepMode.REMOVE)).isEmpty();
    }

    @Test
    void groupsOfDeadOwnerAreSwept() throws IOException {
        ControlGroups groups = ControlGroups.detect();
        assumeTrue(groups.controllers().containsAll(Set.of(Controller.values())), "no control groups can be made here");
        String name = "paddock-test-" + UUID.randomUUID();
        try (ControlGroup abandoned = groups.create(name, plan())) {
            assertThat(abandoned.oomKills()).isZero();
            assertThat(groups.sweep(name::equals, SweepMode.DRY_RUN)).containsExactly(name);
            assertThat(groups.sweep(name::equals, SweepMode.REMOVE)).containsExactly(name);
        }
    }

    /** As a process leaves it that is killed while it finds out what works. */
    @Test
    void probeOfDeadOwnerIsSwept() throws IOException {
        ControlGroups groups = ControlGroups.detect();
        assumeTrue(groups.controllers().containsAll(Set.of(Controller.values())), "no control groups can be made here");
        OwnerId here = OwnerId.current();
        OwnerId dead = new OwnerId(here.machine(), here.boot(), here.namespace(), here.pid(), here.started() + 1);
        String left = "paddock-probe-" + dead + "-1";
        String used = ControlGroups.newName("probe");
        try (ControlGroup live = groups.create(used, plan());
                ControlGroup abandoned = groups.create(left, plan())) {
            assertThat(live.oomKills()).isZero();
            assertThat(abandoned.oomKills()).isZero();

            groups.sweep("test", SweepMode.REMOVE); // or another process's sweep

            assertThat(groups.sweep(left::equals, SweepMode.REMOVE))
                    .as("it is gone")
                    .isEmpty();
            assertThat(groups.sweep(used::equals, SweepMode.REMOVE))
                    .as("it was kept")
                    .containsExactly(used);
        }
    }

    private static LimitPlan plan() {
        ResourceLimits limits =
                ResourceLimits.none().withMemory(64 << 20).withCpus(1.5).withProcesses(7);
        return LimitPlan.of(limits, new Mechanisms(Set.of(Controller.values()), false));
    }

    private void proc(String groups, String mounts) throws IOException {
        Path self = Files.createDirectory(directory.resolve("self"));
        Files.writeString(self.resolve("cgroup"), groups);
        Files.writeString(self.resolve("mountinfo"), mounts);
    }
}
