package dev.paddock.harness.tools.hint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.executor.Guarantee;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.policy.SandboxPolicy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the hint after an installation of packages that made no hooks. */
class HookHintsTest {
    private static final String ADDED = "\nadded 1 package in 2s\n";
    private static final String CONFIG = "[core]\n\trepositoryformatversion = 0\n";

    @TempDir
    private Path worktree;

    @BeforeEach
    void create() throws IOException {
        worktree = worktree.toRealPath();
        Files.createDirectory(worktree.resolve(".git"));
        Files.writeString(worktree.resolve(".git/config"), CONFIG);
        Files.writeString(worktree.resolve("package.json"), "{\"scripts\": {\"prepare\": \"husky || true\"}}");
    }

    private List<String> after(String output, Set<Guarantee> guarantees) {
        SandboxPolicy policy = SandboxPolicy.builder(PathMapping.same(worktree)).build();
        return new CommandHints(new SandboxFacts(policy, guarantees, "", true)).after(0, output);
    }

    private List<String> after(String output) {
        return after(output, Set.of(Guarantee.WRITE_CONFINED, Guarantee.PROTECTED_PATHS));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                ADDED,
                "up to date, audited 2 packages in 1s\n\nfound 0 vulnerabilities\n",
                "Done in 0.31s.\n",
                "Done in 1.2s using pnpm v10.0.0\n"
            })
    void hooksThatHuskyCouldNotMakeAreNamed(String output) {
        assertThat(after(output)).singleElement().asString().contains("husky has set up no hooks", "npx husky");
    }

    @Test
    void nothingIsSaidWhereHooksAreSetUpOrNobodyWantsThem() throws IOException {
        assertThat(after(ADDED, Set.of(Guarantee.WRITE_CONFINED)))
                .as("commands may set them up")
                .isEmpty();
        assertThat(after("added to the list\nready\n".replace("added", "I added")))
                .as("no installation")
                .isEmpty();
        Files.writeString(worktree.resolve(".git/config"), CONFIG + "\thooksPath = .husky/_\n");
        assertThat(after(ADDED)).as("set up").isEmpty();
        Files.writeString(worktree.resolve(".git/config"), CONFIG);
        Files.writeString(worktree.resolve("package.json"), "{\"devDependencies\": {\"husky\": \"9\"}}");
        assertThat(after(ADDED)).as("no script calls it").isEmpty();
    }
}
