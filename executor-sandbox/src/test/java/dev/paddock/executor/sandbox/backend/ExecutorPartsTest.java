package dev.paddock.executor.sandbox.backend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.policy.Mount;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.policy.ProtectedPaths;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.executor.sandbox.local.SandboxOptions;
import dev.paddock.executor.worktree.ProtectionPlan;
import dev.paddock.executor.worktree.WorktreeGuard;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExecutorPartsTest {
    private final List<String> closed = new ArrayList<>();

    private AutoCloseable part(String name) {
        return () -> closed.add(name);
    }

    private AutoCloseable broken(String name) {
        return () -> {
            closed.add(name);
            throw new IllegalStateException(name);
        };
    }

    @Test
    void partsAreClosedOnceAndLastFirst() {
        ExecutorParts parts = ExecutorParts.assemble(made -> {
            made.keep(part("first"));
            made.keep(part("second"));
            return made;
        });
        assertThat(closed).isEmpty();
        parts.close();
        parts.close();
        assertThat(closed).containsExactly("second", "first");
    }

    @Test
    void allPartsAreClosedThoughSomeFail() {
        ExecutorParts parts = ExecutorParts.assemble(made -> {
            made.keep(part("first"));
            made.keep(broken("second"));
            made.keep(broken("third"));
            return made;
        });
        assertThatThrownBy(parts::close)
                .hasMessage("third")
                .satisfies(fault -> assertThat(fault.getSuppressed())
                        .singleElement()
                        .satisfies(other -> assertThat(other).hasMessage("second")));
        assertThat(closed).containsExactly("third", "second", "first");
    }

    @Test
    void failureClosesPartsCreatedSoFar() {
        assertThatThrownBy(() -> ExecutorParts.assemble(made -> {
                    made.keep(part("first"));
                    made.keep(broken("second"));
                    throw new IOException("no space");
                }))
                .isInstanceOf(ExecutorException.class)
                .hasMessageContaining("no space");
        assertThat(closed).containsExactly("second", "first");
    }

    @Test
    void partIsCreatedWhileCallerCreatesOthers() throws Exception {
        CountDownLatch other = new CountDownLatch(1);
        ExecutorParts parts = ExecutorParts.assemble(made -> {
            ExecutorParts.Begun<AutoCloseable> begun = made.begin("test-part", () -> {
                other.await();
                return part("begun");
            });
            made.keep(part("other"));
            other.countDown();
            begun.await();
            return made;
        });
        parts.close();
        assertThat(closed).containsExactly("other", "begun");
    }

    @Test
    void failureWaitsForPartThatThreadCreatesAndClosesIt() {
        CountDownLatch failed = new CountDownLatch(1);
        assertThatThrownBy(() -> ExecutorParts.assemble(made -> {
                    made.begin("test-part", () -> {
                        failed.await();
                        return part("begun");
                    });
                    made.keep(() -> {
                        closed.add("other");
                        failed.countDown();
                    });
                    throw new IOException("no space");
                }))
                .hasMessageContaining("no space");
        assertThat(closed).containsExactly("other", "begun");
    }

    @Test
    void awaitThrowsReasonWhyPartWasNotCreated() {
        IllegalStateException reason = new IllegalStateException("not here");
        assertThatThrownBy(() -> ExecutorParts.assemble(made -> {
                    made.keep(part("first"));
                    return made.begin("test-part", () -> {
                                throw reason;
                            })
                            .await();
                }))
                .isSameAs(reason);
        assertThat(closed).containsExactly("first");
    }

    @Test
    void guardExaminesAnotherSessionsWorktreeBehindWritableMountOnly(@TempDir Path temporary) throws Exception {
        Path directory = temporary.toRealPath();
        Path other = Files.createDirectory(directory.resolve("other"));
        Path planted = other.resolve(".envrc");
        try (WorktreeGuard there =
                WorktreeGuard.open(other, ProtectedPaths.standard(), directory, directory.resolve("quarantine"))) {
            assertThat(notices(directory, new Mount(other, "/other", Mount.Access.READ_ONLY), planted))
                    .isEmpty();
            Files.delete(planted);
            assertThat(notices(directory, new Mount(other, "/other", Mount.Access.READ_WRITE), planted))
                    .hasSize(1);
            assertThat(planted).doesNotExist();
            assertThat(there.begin(ProtectionPlan.NONE).settle()).isEmpty();
        }
    }

    private static List<String> notices(Path directory, Mount mount, Path planted) throws Exception {
        Path worktree = Files.createDirectories(directory.resolve("worktree"));
        SandboxPolicy policy = SandboxPolicy.builder(new PathMapping(worktree, "/worktree"))
                .mount(mount)
                .build();
        SandboxOptions options = new SandboxOptions(policy, directory.resolve("quarantine"), "/bin/sh", 0);
        List<String> notices = new ArrayList<>();
        ExecutorParts.assemble(made -> {
                    WorktreeGuard.Command command =
                            made.guard(worktree, options, directory).await().begin(ProtectionPlan.NONE);
                    Files.writeString(planted, "evil");
                    notices.addAll(command.settle());
                    return made;
                })
                .close();
        return notices;
    }
}
