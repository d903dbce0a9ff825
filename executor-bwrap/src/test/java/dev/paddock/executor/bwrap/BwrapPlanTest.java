package dev.paddock.executor.bwrap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paddock.executor.UnsupportedPolicyException;
import dev.paddock.executor.bwrap.BwrapPlan.HostFiles;
import dev.paddock.executor.bwrap.BwrapPlan.Network;
import dev.paddock.executor.policy.Mount;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.policy.ResourceLimits;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.executor.sandbox.cgroup.LimitPlan;
import dev.paddock.executor.sandbox.policy.HiddenPaths;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the compiled options as the complete list in its order. */
class BwrapPlanTest {
    private static final PathMapping WORKTREE = new PathMapping(Path.of("/srv/project"), "/work");
    private static final PrivateDirectories OWN =
            new PrivateDirectories(Path.of("/s/tmp"), Path.of("/s/home"), Path.of("/s/etc"));
    private static final SystemView DEBIAN =
            new SystemView(Map.of("/bin", "usr/bin"), List.of("/usr", "/etc/alternatives"));

    @TempDir
    Path directory;

    private Path data = Path.of("/");

    @BeforeEach
    void resolve() throws IOException {
        data = Files.createDirectories(directory.toRealPath().resolve("data"));
    }

    private static SandboxPolicy.Builder policy() {
        return SandboxPolicy.builder(WORKTREE);
    }

    private static List<String> compile(SandboxPolicy policy, List<Overlay> overlays, Network network) {
        return BwrapPlan.of(policy, DEBIAN, OWN, overlays, HiddenPaths.NONE, network, hostFiles(false))
                .arguments();
    }

    private static HostFiles hostFiles(boolean exist) {
        return new HostFiles(place -> exist, place -> exist);
    }

    @Test
    void defaults() {
        assertThat(compile(policy().build(), List.of(), Network.JOINED)).containsExactly(words("""
                                --unshare-user --unshare-pid --unshare-ipc --unshare-uts --unshare-cgroup-try
                                --disable-userns --cap-drop ALL --new-session --die-with-parent
                                --hostname paddock
                                --symlink usr/bin /bin
                                --bind /s/etc /etc
                                --ro-bind /usr /usr
                                --ro-bind /etc/alternatives /etc/alternatives
                                --proc /proc --remount-ro /proc
                                --dev /dev
                                --perms 1777 --size 1073741824 --tmpfs /dev/shm
                                --remount-ro /dev
                                --bind /s/tmp /tmp
                                --bind /s/home /home/paddock
                                --bind /s/tmp /var/tmp
                                --bind /srv/project /work
                                --remount-ro /etc
                                --remount-ro /
                                """));
    }

    /** A layer covers what was mounted before: nothing of the system is made read-only again. */
    @Test
    void layerIsAboveSystemAlone() {
        List<String> arguments = BwrapPlan.of(
                        policy().build(),
                        DEBIAN.withLayer(true),
                        OWN,
                        List.of(),
                        HiddenPaths.NONE,
                        Network.JOINED,
                        hostFiles(false))
                .arguments();
        assertThat(arguments)
                .containsSequence(words("--overlay-src /s/etc --tmp-overlay /etc --overlay-src /usr --tmp-overlay /usr"
                        + " --overlay-src /etc/alternatives --tmp-overlay /etc/alternatives --proc /proc --remount-ro"
                        + " /proc --dev /dev"))
                .endsWith(words("--bind /s/tmp /var/tmp --bind /srv/project /work"))
                .doesNotContain("--ro-bind");
    }

    @Test
    void wholePolicyIsCompiledToOptions() throws IOException {
        Path cache = Files.createDirectories(directory.toRealPath().resolve("cache"));
        Path settings = Files.createFile(directory.toRealPath().resolve("settings, with: odd\nletters"));
        SandboxPolicy policy = policy().mount(
                        new Mount(settings, "/home/paddock/.m2/settings.xml", Mount.Access.READ_ONLY))
                .mount(new Mount(cache, "/cache", Mount.Access.READ_WRITE))
                .mount(new Mount(data, "/data", Mount.Access.READ_ONLY))
                .build();
        List<Overlay> overlays = List.of(
                new Overlay(Path.of("/srv/project/.git"), "/work/.git", true),
                new Overlay(Path.of("/srv/project/.git/config"), "/work/.git/config", false));
        List<String> arguments = BwrapPlan.of(
                        policy, DEBIAN, OWN, overlays, HiddenPaths.NONE, Network.OWN, hostFiles(true))
                .arguments();
        assertThat(arguments)
                .startsWith(words("--unshare-user --unshare-pid --unshare-ipc --unshare-uts --unshare-cgroup-try "
                        + "--unshare-net --disable-userns"))
                .endsWith(
                        "--bind",
                        "/s/tmp",
                        "/var/tmp",
                        "--bind",
                        cache.toString(),
                        "/cache",
                        "--ro-bind",
                        data.toString(),
                        "/data",
                        "--bind",
                        "/srv/project",
                        "/work",
                        "--bind",
                        "/s/home/.m2",
                        "/home/paddock/.m2",
                        "--ro-bind",
                        settings.toString(),
                        "/home/paddock/.m2/settings.xml",
                        "--bind",
                        "/srv/project/.git",
                        "/work/.git",
                        "--ro-bind",
                        "/srv/project/.git/config",
                        "/work/.git/config",
                        "--remount-ro",
                        "/etc",
                        "--remount-ro",
                        "/");
    }

    @Test
    void nestedMountFollowsItsParentMount() {
        SandboxPolicy policy = policy().mount(new Mount(data, "/data/below", Mount.Access.READ_WRITE))
                .mount(new Mount(data, "/data", Mount.Access.READ_ONLY))
                .mount(new Mount(data, "/tmp/agent", Mount.Access.READ_ONLY))
                .build();
        List<String> arguments = BwrapPlan.of(
                        policy, DEBIAN, OWN, List.of(), HiddenPaths.NONE, Network.HOST, hostFiles(true))
                .arguments();
        assertThat(arguments).containsSubsequence("/tmp", "/data", "/tmp/agent");
        assertThat(arguments).containsSubsequence("/data", "/data/below");
    }

    @Test
    void directoriesAboveMountPointThatCommandsCouldReplaceAreMountPointsToo() {
        SandboxPolicy policy = SandboxPolicy.builder(PathMapping.same(Path.of("/tmp/a/b/project")))
                .mount(new Mount(data, "/data", Mount.Access.READ_WRITE))
                .mount(new Mount(data, "/data/c/below", Mount.Access.READ_ONLY))
                .mount(new Mount(data, "/etc/d/file", Mount.Access.READ_ONLY))
                .build();
        BwrapPlan plan = BwrapPlan.of(policy, DEBIAN, OWN, List.of(), HiddenPaths.NONE, Network.HOST, hostFiles(true));
        assertThat(String.join(" ", plan.arguments()))
                .contains(
                        "--bind /s/tmp/a /tmp/a --bind /s/tmp/a/b /tmp/a/b --bind /tmp/a/b/project /tmp/a/b/project",
                        "--bind " + data + "/c /data/c --ro-bind " + data + " /data/c/below")
                .doesNotContain("/s/etc/d");
        assertThat(plan.places()).containsExactly(Path.of("/s/tmp/a"), Path.of("/s/tmp/a/b"));
    }

    @Test
    void linkThatCommandsSeeIsNotFollowedToMountPoint() {
        SystemView linked = new SystemView(Map.of("/bin", "usr/bin", "/lib", "/usr/lib"), List.of("/usr"));
        SandboxPolicy policy = policy().mount(new Mount(data, "/bin/tools", Mount.Access.READ_ONLY))
                .mount(new Mount(data, "/lib/tools", Mount.Access.READ_ONLY))
                .build();
        assertThat(BwrapPlan.of(policy, linked, OWN, List.of(), HiddenPaths.NONE, Network.HOST, hostFiles(true))
                        .arguments())
                .contains("/usr/bin/tools", "/usr/lib/tools")
                .doesNotContain("/bin/tools", "/lib/tools");
        assertThatThrownBy(() ->
                        BwrapPlan.of(policy, linked, OWN, List.of(), HiddenPaths.NONE, Network.HOST, hostFiles(false)))
                .isInstanceOf(UnsupportedPolicyException.class)
                .hasMessageContainingAll("there is no '/usr/bin/tools'", "there is no '/usr/lib/tools'");
    }

    @Test
    void mountPointBehindLinkIsRefused() {
        SandboxPolicy policy = policy().mount(new Mount(data, "/usr/new", Mount.Access.READ_ONLY))
                .build();
        HostFiles linked = new HostFiles(place -> true, place -> false);
        assertThatThrownBy(() -> BwrapPlan.of(policy, DEBIAN, OWN, List.of(), HiddenPaths.NONE, Network.HOST, linked))
                .isInstanceOf(UnsupportedPolicyException.class)
                .hasMessageContainingAll("'/usr/new', its mount point, is reached through a link");
    }

    @Test
    void nothingIsMadeOnHostForMountToStandOn() {
        SandboxPolicy policy = policy().mount(new Mount(data, "/usr/new", Mount.Access.READ_ONLY))
                .build();
        assertThatThrownBy(() -> compile(policy, List.of(), Network.HOST))
                .isInstanceOf(UnsupportedPolicyException.class)
                .hasMessageContainingAll("/usr/new", "Paddock creates none there");
    }

    @Test
    void directoriesOfKernelAreNotCovered() {
        for (String target : List.of("/proc", "/proc/sys", "/dev", "/dev/shm")) {
            SandboxPolicy policy = policy().mount(new Mount(data, target, Mount.Access.READ_ONLY))
                    .build();
            assertThatThrownBy(() -> compile(policy, List.of(), Network.HOST))
                    .isInstanceOf(UnsupportedPolicyException.class)
                    .hasMessageContaining("'" + target + "'");
        }
    }

    @Test
    void worktreeIsNotRoot() {
        SandboxPolicy policy = SandboxPolicy.builder(new PathMapping(Path.of("/srv/project"), "/"))
                .build();
        assertThatThrownBy(() -> compile(policy, List.of(), Network.HOST))
                .isInstanceOf(UnsupportedPolicyException.class)
                .hasMessageContaining("'/'");
    }

    @Test
    void everyViolationIsReported() {
        SandboxPolicy policy = policy().mount(new Mount(data, "/usr/new", Mount.Access.READ_ONLY))
                .mount(new Mount(data, "/proc/sys", Mount.Access.READ_ONLY))
                .limits(ResourceLimits.none().withCpus(2))
                .build();
        LimitPlan.Mechanisms mechanisms = new LimitPlan.Mechanisms(Set.of(), true);
        assertThatThrownBy(() -> BwrapPolicyCheck.of(policy, DEBIAN, mechanisms).require())
                .isInstanceOfSatisfying(UnsupportedPolicyException.class, refusal -> {
                    assertThat(refusal.backend()).isEqualTo("bwrap");
                    assertThat(refusal.unsupported()).hasSize(3);
                })
                .hasMessageContainingAll(
                        "cannot keep a limit of 2.0 CPUs: ",
                        "cannot mount '" + data + "' at '/usr/new': ",
                        "cannot mount '" + data + "' at '/proc/sys': ");
    }

    private static String[] words(String text) {
        return text.strip().split("\\s+", -1);
    }
}
