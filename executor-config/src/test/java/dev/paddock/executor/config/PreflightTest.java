package dev.paddock.executor.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.executor.Availability;
import dev.paddock.executor.policy.Mount;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.policy.SandboxPolicy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that a check finds what a configuration needs and does not have, by using it. */
class PreflightTest {
    private static final String LIMITS = "limits: { memory: 1g, processes: 64, cpus: 1, file-size: 1m }\n";

    @TempDir
    private Path directory;

    private PathMapping worktree;

    @BeforeEach
    void createWorktree() throws IOException {
        directory = directory.toRealPath();
        worktree = PathMapping.same(Files.createDirectory(directory.resolve("tree")));
    }

    private List<Finding> check(String yaml) throws IOException {
        Path file = Files.writeString(directory.resolve("paddock.yaml"), yaml);
        return SandboxConfig.read(file).check(worktree, progress -> {});
    }

    /** Loops without a limit get as little time as those with one if other programs use the processors. */
    private static boolean isOfBusyMachine(Finding finding) {
        return finding.subject().equals("limits.cpus") && finding.detail().contains("proves little");
    }

    @Test
    void eachUsablePartHasFinding() throws IOException {
        assertThat(check("executor: host\nmounts: []\n"))
                .allMatch(Finding::ok)
                .extracting(Finding::subject)
                .containsExactly("configuration", "backend", "command", "worktree");
        assertThat(worktree.hostPath()).isEmptyDirectory();
    }

    @Test
    void refusedConfigurationEndsCheck() throws IOException {
        assertThat(check("executor: host\nmounts: [ { source: absent, target: /a } ]\n"))
                .singleElement()
                .satisfies(finding -> {
                    assertThat(finding.ok()).isFalse();
                    assertThat(finding.detail()).contains("paddock.yaml:2: the mount's source does not exist");
                });
    }

    @Test
    void eachPartThatBackendCannotEnforceHasFinding() throws IOException {
        List<Finding> findings = check("executor: host\nnetwork: off\nlimits: { memory: 1g }\n");
        assertThat(findings)
                .filteredOn(finding -> !finding.ok())
                .hasSize(2)
                .allSatisfy(finding -> assertThat(finding.detail()).startsWith("the host backend "));
    }

    @Test
    void backendThatConfinesNothingIsFound() throws IOException {
        assertThat(check("executor: leaky\n")).last().satisfies(finding -> {
            assertThat(finding.subject()).isEqualTo("backend");
            assertThat(finding.ok()).isFalse();
            assertThat(finding.detail()).contains("the sandbox confines nothing", "which is not granted");
            assertThat(finding.remedy()).isEqualTo("Use another backend.");
        });
        assertThat(worktree.hostPath()).isEmptyDirectory();
    }

    @Test
    void kernelSandboxIsProbedWithConfigurationsPolicy() throws IOException {
        List<Finding> findings = check("executor: bwrap\nnetwork: open\n");
        assertThat(findings)
                .filteredOn(finding -> finding.subject().equals("backend"))
                .singleElement()
                .satisfies(finding -> {
                    assertThat(finding.ok()).as(finding.toString()).isTrue();
                    assertThat(finding.detail()).startsWith("bwrap, bubblewrap ");
                });
        assertThat(worktree.hostPath()).isEmptyDirectory();
    }

    /** The control: the probe writes where every command may write under this policy. */
    @Test
    void writeThatPolicyGrantsIsNoFault() throws IOException {
        Path temporary = Path.of(System.getProperty("java.io.tmpdir")).toRealPath();
        SandboxPolicy policy = SandboxPolicy.builder(worktree)
                .mount(Mount.parse(temporary + ":/granted:rw", Path.of("/")))
                .build();
        assertThat(new LeakyProvider().probe(policy, Map.of())).isInstanceOf(Availability.Usable.class);
    }

    @Test
    void limitThatIsClaimedAndDoesNotBindIsFound() throws IOException {
        assertThat(check("executor: claiming\n" + LIMITS))
                .filteredOn(finding -> finding.subject().startsWith("limits."))
                .hasSize(4)
                .filteredOn(finding -> !isOfBusyMachine(finding))
                .hasSizeGreaterThanOrEqualTo(3)
                .allSatisfy(finding -> {
                    assertThat(finding.ok()).as(finding.toString()).isFalse();
                    assertThat(finding.detail()).contains("was not stopped");
                    assertThat(finding.remedy()).isNotEmpty();
                });
    }

    @Test
    void limitOfBackendWithOwnLimitIsNotTriedByLowerOne() throws IOException {
        assertThat(check("executor: fixed\nlimits: { memory: 256m }\n")).anySatisfy(finding -> {
            assertThat(finding.subject()).isEqualTo("limits.memory");
            assertThat(finding.ok()).as(finding.toString()).isTrue();
            assertThat(finding.detail()).contains("not tried");
        });
        assertThat(check("executor: fixed\nlimits: { memory: 100m }\n"))
                .as("a limit that the place does not keep")
                .anyMatch(finding -> !finding.ok() && finding.detail().contains("lower than"));
    }

    /** Where the machine grants no cgroup, the backend refuses the limits; what it accepts has to bind. */
    @Test
    void limitsThatKernelSandboxAcceptsBind() throws IOException {
        List<Finding> findings = check("executor: bwrap\n" + LIMITS);
        assertThat(findings).noneMatch(finding -> finding.detail().contains("was not stopped"));
        boolean isAccepted =
                findings.stream().anyMatch(finding -> finding.subject().equals("command") && finding.ok());
        if (isAccepted) {
            assertThat(findings)
                    .filteredOn(finding -> finding.subject().startsWith("limits."))
                    .hasSize(4)
                    .allSatisfy(finding -> assertThat(finding.detail())
                            .as(finding.toString())
                            .containsAnyOf("was stopped", "did not exceed"));
        } else {
            assertThat(findings).anyMatch(finding -> finding.detail().startsWith("the bwrap backend "));
        }
    }
}
