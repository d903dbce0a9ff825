package dev.paddock.harness.workspace;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.executor.Availability;
import dev.paddock.executor.CommandResult;
import dev.paddock.executor.ExecutorProviders;
import dev.paddock.executor.RunOptions;
import dev.paddock.executor.tck.subject.Prerequisite;
import dev.paddock.harness.workspace.directory.DirectoryWorkspaceOptions;
import dev.paddock.harness.workspace.directory.DirectoryWorkspaceProvider;
import dev.paddock.harness.workspace.provider.Capability;
import dev.paddock.harness.workspace.provider.Workspace;
import dev.paddock.harness.workspace.provider.WorkspaceConfig;
import java.nio.file.Path;

/** The kinds of workspaces, each with what it needs here. */
enum Kinds {
    DOCKER("docker") {
        @Override
        DirectoryWorkspaceOptions.Builder builder(Path root) {
            return DirectoryWorkspaceProvider.docker(root);
        }

        @Override
        DirectoryWorkspaceProvider provider(Path root) {
            Prerequisite.require(
                    ExecutorProviders.named("docker").probe() instanceof Availability.Usable,
                    "there is no Docker engine");
            return super.provider(root);
        }

        @Override
        WorkspaceConfig.Builder config() {
            return super.config().setting("image", "paddock-test/busybox").setting("pull", "never");
        }
    },
    LOCAL_SANDBOX("local-sandbox") {
        @Override
        DirectoryWorkspaceOptions.Builder builder(Path root) {
            return DirectoryWorkspaceProvider.localSandbox(root);
        }
    },
    LOCAL_BASH("local-bash") {
        @Override
        DirectoryWorkspaceOptions.Builder builder(Path root) {
            return DirectoryWorkspaceProvider.localBash(root);
        }
    };

    private final String word;

    Kinds(String word) {
        this.word = word;
    }

    abstract DirectoryWorkspaceOptions.Builder builder(Path root);

    /** Returns a provider that allows every command, and skips the calling test if it would lack its engine. */
    DirectoryWorkspaceProvider provider(Path root) {
        return builder(root).anyCommand().build();
    }

    /** Returns a configuration with all capabilities. */
    WorkspaceConfig.Builder config() {
        return WorkspaceConfig.of(word).capabilities(Capability.values());
    }

    String word() {
        return word;
    }

    /** Runs a command, which succeeds; returns its output. */
    static String run(Workspace workspace, String command) throws InterruptedException {
        CommandResult result = workspace
                .executor()
                .run(command, RunOptions.in(workspace.worktree().commandPath()));
        assertThat(result.succeeded())
                .as("%s: %s %s", command, result, result.errText())
                .isTrue();
        return result.outText();
    }

    /** Reads a small file. */
    static String read(Workspace workspace, String path) {
        return new String(workspace.files().read(path, 1 << 20), UTF_8);
    }
}
