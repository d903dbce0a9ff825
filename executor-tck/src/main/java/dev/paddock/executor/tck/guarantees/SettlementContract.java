package dev.paddock.executor.tck.guarantees;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.executor.CleanupReport;
import dev.paddock.executor.tck.clauses.CloseContract;
import dev.paddock.executor.tck.context.ContractContext;
import dev.paddock.executor.tck.context.Outcome;
import dev.paddock.executor.tck.context.Running;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The settlement that {@link dev.paddock.executor.Guarantee#PROTECTED_PATHS} promises: at the close
 * of a command no host program obeys anything that it planted, and the report names it.
 */
public interface SettlementContract {

    /** The ways in which a command plants a file that the host obeys. */
    enum Planted {
        A_HOOK(".git/hooks/post-checkout", "echo x > .git/hooks/post-checkout; chmod +x .git/hooks/post-checkout"),
        A_CHANGED_HOOK(".git/hooks/pre-commit", "echo x > .git/hooks/pre-commit; chmod +x .git/hooks/pre-commit"),
        A_CONFIGURATION(".git/config", "printf '[core]\\n\\tfsmonitor = x\\n' >> .git/config"),
        A_REPLACED_CONFIGURATION(".git/config", "echo '[core]' > new; mv -f new .git/config"),
        A_POINTER("src/.git", "echo 'gitdir: /elsewhere' > src/.git"),
        A_LINK_IN_AN_ALLOWED_NAME(".git/ORIG_HEAD", "ln -s ../../elsewhere .git/ORIG_HEAD"),
        SETTINGS(".mcp.json", "echo {} > .mcp.json"),
        CHANGED_SETTINGS(".envrc", "echo x > .envrc"),
        SETTINGS_IN_A_CLOSED_DIRECTORY(".vscode", "mkdir .vscode; echo {} > .vscode/tasks.json; chmod 000 .vscode"),
        A_LINK_TO_SETTINGS(".idea", "mkdir made; echo x > made/workspace.xml; ln -s made .idea");

        private final String path;
        private final String script;

        Planted(String path, String script) {
            this.path = path;
            this.script = script;
        }

        private String original() {
            return ProtectedWorktree.originally(path);
        }
    }

    /** Entries that an executor might fail to examine or block on. */
    enum Obstacle {
        A_PIPE_FOR_SETTINGS("mkfifo .npmrc"),
        A_PIPE_FOR_HEAD("rm -f .git/HEAD; mkfifo .git/HEAD"),
        A_PIPE_FOR_THE_CONFIGURATION("rm -f .git/config; mkfifo .git/config"),
        A_CLOSED_WORKTREE("chmod 000 ."),
        A_DIRECTORY_TOO_DEEP(CloseContract.DEEP),
        A_NAME_THAT_IS_NO_TEXT("n=$(printf '\\377'); mkdir \"$n\"; echo x > \"$n/.envrc\"");

        private final String script;

        Obstacle(String script) {
            this.script = script;
        }
    }

    @Test
    default void G_PROTECTED_PATHS_stayAsTheyAre(ContractContext context) throws Exception {
        try (ProtectedWorktree worktree = ProtectedWorktree.in(context)) {
            Outcome outcome = worktree.start("echo changed > src/ordinary; for f in .git/config .git/hooks/pre-commit"
                            + " .envrc; do echo x > $f; rm -f $f; mv $f moved; echo x > new; mv -f new $f; done;"
                            + " mv .git git; mkdir .git; echo x > .git/config; echo x > .git/hooks/post-commit;"
                            + " echo {} > .mcp.json")
                    .outcome();
            assertThat(worktree.at("src/ordinary")).as("an ordinary file").isEqualTo("changed\n");
            for (String name : List.of(".git/config", ".git/hooks/pre-commit", ".envrc", ".mcp.json")) {
                assertThat(worktree.at(name)).as(name).isEqualTo(ProtectedWorktree.originally(name));
            }
            assertThat(worktree.at(".git/hooks/post-commit"))
                    .as("a hook that was created")
                    .isEqualTo("nothing");
            assertThat(reported(outcome)).as("the report").contains(".mcp.json");
        }
    }

    /** If a sandbox prevents the change, the command's own error message names the path. */
    @ParameterizedTest(name = ContractContext.NAME)
    @EnumSource
    default void G_PROTECTED_PATHS_nothingPlantedStaysAndReportNamesIt(Planted planted, ContractContext context)
            throws Exception {
        try (ProtectedWorktree worktree = ProtectedWorktree.in(context)) {
            Outcome outcome = worktree.start(planted.script).outcome();
            Awaitility.await("the planted file is undone")
                    .atMost(CloseContract.bound(context))
                    .untilAsserted(() -> assertThat(worktree.at(planted.path))
                            .as("%s after a command", planted.path)
                            .isEqualTo(planted.original()));
            assertThat(reported(outcome)).as("the report").contains(planted.path);
        }
    }

    /** A callback of {@code onClosed}, run at completion, finds each original. */
    @Test
    default void G_PROTECTED_PATHS_settledAtClose(ContractContext context) throws Exception {
        try (ProtectedWorktree worktree = ProtectedWorktree.in(context)) {
            Running command = worktree.startWaiting(plant(List.of(Planted.values())));
            CompletableFuture<Map<String, String>> seen = command.process()
                    .onClosed()
                    .thenApply(report -> leftIn(worktree))
                    .toCompletableFuture();
            command.type("go\n");
            command.outcome();
            assertThat(seen.join())
                    .as("planted files when the command has closed")
                    .isEmpty();
        }
    }

    @Test
    default void G_PROTECTED_PATHS_onePathStopsNoOther(ContractContext context) throws Exception {
        String obstacles = "mkdir .idea; cd .idea; " + CloseContract.DEEP + "cd ..; mkdir .claude; echo x > .claude/x;"
                + " chmod 000 .claude .idea; ";
        String planted = plant(List.of(Planted.values()).stream()
                .filter(each -> each != Planted.A_LINK_TO_SETTINGS)
                .toList());
        try (ProtectedWorktree worktree = ProtectedWorktree.in(context)) {
            Outcome outcome = worktree.start(obstacles + planted).outcome();
            assertThat(leftIn(worktree))
                    .as("planted files beside paths that cannot be read")
                    .isEmpty();
            assertThat(worktree.at(".claude")).as("a closed directory").isEqualTo("nothing");
            assertThat(reported(outcome)).as("the report").contains(".claude", ".vscode", ".mcp.json", "post-checkout");
        }
    }

    /**
     * A hook that the repository's configuration names: file tools write at once, and no command's settlement judges
     * what they have written.
     */
    @Test
    default void G_PROTECTED_PATHS_onePathThatCommandsMayNotChangeIsKeptFromFileToolsToo(ContractContext context)
            throws Exception {
        try (ProtectedWorktree worktree = ProtectedWorktree.in(context)) {
            worktree.start("mkdir -p tools/hooks; echo planted > tools/hooks/pre-commit")
                    .outcome();
            assertThat(worktree.at("tools/hooks/pre-commit"))
                    .as("a hook that a command has planted")
                    .isEqualTo("nothing");
            for (String kept : List.of("tools/hooks/pre-commit", "tools/hooks")) {
                assertThat(worktree.isKept(kept))
                        .as("isKept of %s, which commands may not change", kept)
                        .isTrue();
            }
            assertThat(worktree.isKept("tools/other")).isFalse();
            assertThat(worktree.isKept("src/ordinary")).isFalse();
        }
    }

    @ParameterizedTest(name = ContractContext.NAME)
    @EnumSource
    default void G_PROTECTED_PATHS_closesWhateverStandsInWay(Obstacle obstacle, ContractContext context)
            throws Exception {
        try (ProtectedWorktree worktree = ProtectedWorktree.in(context)) {
            Running command = worktree.start("echo {} > .mcp.json; " + obstacle.script);
            command.status();
            CleanupReport report = command.cleanup(CloseContract.bound(context));
            assertThat(worktree.at(".mcp.json")).as("beside the obstacle").isEqualTo("nothing");
            assertThat(report.notices()).as("the report").anyMatch(notice -> notice.contains(".mcp.json"));
        }
    }

    private static String plant(List<Planted> files) {
        return files.stream().map(each -> each.script).collect(Collectors.joining("; "));
    }

    /** Returns what is at the paths of planted files that are not as they were. */
    private static Map<String, String> leftIn(ProtectedWorktree worktree) {
        return List.of(Planted.values()).stream()
                .filter(each -> !worktree.at(each.path).equals(each.original()))
                .collect(Collectors.toMap(each -> each.path, each -> worktree.at(each.path), (one, same) -> one));
    }

    private static String reported(Outcome outcome) {
        return String.join("\n", outcome.cleanup().notices()) + "\n" + outcome.err();
    }
}
