package dev.paddock.executor.config.grant;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.executor.policy.SandboxPolicy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UserGitTest {
    private Surroundings host;

    @BeforeEach
    void create() throws IOException {
        host = new Surroundings();
    }

    @AfterEach
    void remove() throws IOException {
        host.close();
    }

    @Test
    void includesCountForWorktreeThatTheyName() throws IOException {
        host.write(".config/git/config", "[user]\n\tname = Old\n\temail = old@example.org\n");
        host.write(
                ".gitconfig",
                "[user] name = \"Gr\u00e4fin \\\"A\\\" B\"\n[includeIf \"gitdir:" + host.root
                        + "/\"]\n path = work.inc\n[includeIf \"gitdir:/elsewhere/\"]\n path = other.inc\n");
        host.write("work.inc", "[user]\n email = work@example.org\n");
        host.write("other.inc", "[user]\n email = other@example.org\n");

        Map<String, String> last = new HashMap<>();
        new GitFiles(host.user(), host.worktree).forEach((file, setting) -> last.put(setting.name(), setting.text()));
        assertThat(last).containsEntry("user.email", "work@example.org").containsKey("user.name");
    }

    @Test
    void withoutIdentityPolicyStays() throws IOException {
        host.write(".gitconfig", "[core]\n pager = less\n");

        assertThat(UserGit.addTo(host.policy(), host.user())).isEqualTo(host.policy());
    }

    /** Otherwise a repository that the user's configuration includes could name the user's keys. */
    @Test
    void noFileOfWorktreeNamesFilesOfHost() throws IOException {
        Path secret = host.write("secret", "s3cret\n");
        Path inside =
                Files.writeString(host.worktree.resolve("shared.inc"), "[core]\n excludesFile = " + secret + "\n");
        host.write(".gitconfig", "[include]\n path = " + inside + "\n");
        assertThat(UserGit.addTo(host.policy(), host.user())).isEqualTo(host.policy());

        host.write(".gitconfig", "[core]\n excludesFile = " + secret + "\n");
        assertThat(UserGit.addTo(host.policy(), host.user()).mounts())
                .as("the user's own file does")
                .anyMatch(mount -> mount.target().endsWith(".ignore"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"bwrap", "landlock"})
    void commitsHaveIdentityAndNothingElseOfConfiguration(String backend) throws Exception {
        host.write(".gitconfig", """
                [user]
                 name = "Gr\u00e4fin \\"A\\" B"
                 email = a@example.org
                 signingKey = secret
                [alias]
                 boom = !echo secret
                [core]
                 pager = secret
                """);
        SandboxPolicy policy = UserGit.addTo(host.policy(), host.user());

        assertThat(Surroundings.run(
                        backend,
                        policy,
                        "git init -q . && git commit -q --allow-empty -m x && git log --format='%an <%ae>'; git config"
                                + " --list | grep -c secret"))
                .isEqualTo("Gr\u00e4fin \"A\" B <a@example.org>\n0\n");
        Files.writeString(
                host.worktree.resolve(".git/config"), "[user]\n email = repo@example.org\n", StandardOpenOption.APPEND);
        assertThat(Surroundings.run(
                        backend, policy, "git commit -q --allow-empty -m y && git log -1" + " --format=%ae"))
                .as("the repository's own counts")
                .isEqualTo("repo@example.org\n");
        assertThat(Surroundings.run(backend, host.policy(), "git config user.name || echo none"))
                .as("without the grant")
                .isEqualTo("none\n");
    }
}
