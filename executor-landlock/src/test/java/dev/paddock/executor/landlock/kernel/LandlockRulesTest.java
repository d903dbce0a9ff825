package dev.paddock.executor.landlock.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.executor.landlock.FakeFileSystemView;
import dev.paddock.executor.landlock.kernel.LandlockRules.Grant;
import dev.paddock.executor.landlock.kernel.LandlockRules.Rule;
import dev.paddock.executor.landlock.kernel.LandlockRules.SystemRules;
import dev.paddock.executor.policy.Mount;
import dev.paddock.executor.policy.NetworkPolicy;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.policy.SandboxPolicy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LandlockRulesTest {

    // The numbers of linux/landlock.h, written out, so that the test finds a wrong constant.
    private static final long READ_TREE = 0b0000_0000_0000_1100;
    private static final long RUN_TREE = 0b0000_0000_0000_1101;
    private static final long READ_FILE = 0b0000_0000_0000_0100;
    private static final long RUN_FILE = 0b0000_0000_0000_0101;
    private static final long WRITE_TREE = 0b0111_0101_1011_1111;
    private static final long WRITE_FILE = 0b0100_0000_0000_0111;
    private static final long DEVICE = 0b1100_0000_0000_0110;

    private static final SystemPaths SYSTEM = new SystemPaths(
            List.of("/usr", "/lib64"),
            List.of("/etc/hosts", "/etc/ssl/certs", "/etc/absent", "/proc"),
            List.of("/dev/null"));

    private final FakeFileSystemView files = new FakeFileSystemView()
            .directories("/usr", "/lib64", "/etc/ssl/certs", "/proc", "/src/project", "/run/home")
            .files("/etc/hosts", "/dev/null");

    private static SandboxPolicy.Builder policy() {
        return SandboxPolicy.builder(PathMapping.same(Path.of("/src/project")));
    }

    private LandlockRules compile(SandboxPolicy policy, int version, Grant... grants) {
        return LandlockRules.compile(
                policy, version, SystemRules.compile(SYSTEM, version, files), List.of(grants), files);
    }

    @Test
    void wholePolicyIsCompiledToRules() {
        assertThat(compile(policy().build(), 7, new Grant("/run/home", true)))
                .isEqualTo(new LandlockRules(
                        0xFFFF,
                        0b11,
                        0b11,
                        List.of(
                                new Rule("/usr", RUN_TREE, "/usr"),
                                new Rule("/lib64", RUN_TREE, "/lib64"),
                                new Rule("/etc/hosts", READ_FILE, "/etc/hosts"),
                                new Rule("/etc/ssl/certs", READ_TREE, "/etc/ssl/certs"),
                                new Rule("/proc", READ_TREE, "/proc"),
                                new Rule("/dev/null", DEVICE, "/dev/null"),
                                new Rule("/src/project", WRITE_TREE, "/src/project"),
                                new Rule("/run/home", WRITE_TREE, "/run/home"))));
    }

    @Test
    void mountsComeBeforeWorktreeAndInTheirOrder(@TempDir Path directory) throws Exception {
        Path real = directory.toRealPath();
        Path data = Files.createDirectory(real.resolve("data"));
        Path cache = Files.createDirectory(real.resolve("cache"));
        Path file = Files.createFile(real.resolve("file"));
        files.directories(data.toString(), cache.toString()).files(file.toString());
        SandboxPolicy policy = policy().mount(new Mount(data, data.toString(), Mount.Access.READ_ONLY))
                .mount(new Mount(cache, cache.toString(), Mount.Access.READ_WRITE))
                .mount(new Mount(file, file.toString(), Mount.Access.READ_ONLY))
                .build();
        assertThat(compile(policy, 7).rules().subList(6, 10))
                .containsExactly(
                        new Rule(data.toString(), RUN_TREE, data.toString()),
                        new Rule(cache.toString(), WRITE_TREE, cache.toString()),
                        new Rule(file.toString(), RUN_FILE, file.toString()),
                        new Rule("/src/project", WRITE_TREE, "/src/project"));
    }

    @Test
    void fileIsGrantedWhatFilesHave() {
        files.files("/run/store");
        assertThat(compile(policy().build(), 7, new Grant("/run/store", true))
                        .rules()
                        .getLast())
                .isEqualTo(new Rule("/run/store", WRITE_FILE, "/run/store"));
    }

    @Test
    void openNetworkRefusesNoPort() {
        LandlockRules open = compile(policy().network(NetworkPolicy.open()).build(), 7);
        assertThat(open.ports()).isZero();
        assertThat(open.scopes())
                .as("abstract sockets and signals all the same")
                .isEqualTo(0b11);
    }

    /**
     * A kernel rejects a bit that it does not know: rules and denied rights contain only those of
     * the version.
     */
    @Test
    void olderKernelIsAskedForWhatItKnows() {
        long[] files = {0, 0x1FFF, 0x3FFF, 0x7FFF, 0x7FFF, 0xFFFF, 0xFFFF, 0xFFFF};
        long[] ports = {0, 0, 0, 0, 0b11, 0b11, 0b11, 0b11};
        long[] scopes = {0, 0, 0, 0, 0, 0, 0b11, 0b11};
        for (int version = 1; version <= 7; version++) {
            LandlockRules rules = compile(policy().build(), version);
            assertThat(rules.files()).as("version %s", version).isEqualTo(files[version]);
            assertThat(rules.ports()).as("version %s", version).isEqualTo(ports[version]);
            assertThat(rules.scopes()).as("version %s", version).isEqualTo(scopes[version]);
            long known = files[version];
            assertThat(rules.rules())
                    .as("version %s", version)
                    .allSatisfy(rule -> assertThat(rule.rights() & ~known).isZero());
            assertThat(rules.rules()).contains(new Rule("/src/project", WRITE_TREE & known, "/src/project"));
        }
    }

    @Test
    void anotherFileAtSamePathIsAnotherSandbox() {
        LandlockRules before = compile(policy().build(), 7);
        assertThat(compile(policy().build(), 7)).isEqualTo(before);
        files.replaced("/src/project", "another directory");
        assertThat(compile(policy().build(), 7)).isNotEqualTo(before);
    }
}
