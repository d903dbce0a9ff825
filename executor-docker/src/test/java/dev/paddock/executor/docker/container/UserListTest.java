package dev.paddock.executor.docker.container;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.executor.policy.Mount;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.policy.SandboxPolicy;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the list of users that commands see in place of an image's. */
class UserListTest {
    private static final String IMAGE = """
            root:x:0:0:root:/root:/bin/bash
            node:x:1000:1001:A user,,,:/home/node:/bin/zsh
            +
            """;

    @ParameterizedTest
    @CsvSource({
        "0:0, root:x:0:0:root:/h:/bin/bash",
        "root, root:x:0:0:root:/h:/bin/bash",
        "'1000:5', 'node:x:1000:1001:A user,,,:/h:/bin/zsh'",
        "node:node, 'node:x:1000:1001:A user,,,:/h:/bin/zsh'",
        "7:8, paddock:x:7:8::/h:/bin/sh",
        "7, paddock:x:7:0::/h:/bin/sh",
        "7:node, paddock:x:7:0::/h:/bin/sh"
    })
    void commandsUserHasHomeOfCommands(String user, String entry) {
        String list = UserList.of(IMAGE, user, "/h");
        assertThat(list).endsWith("\n");
        assertThat(list.lines()).contains(entry, "+");
        assertThat(list.lines().filter(line -> line.contains(":/h:"))).containsExactly(entry);
        assertThat(list.lines()).hasSizeBetween(3, 4);
    }

    @Test
    void userWhoseNameIsUnknownIsLeftToEngine() {
        assertThat(UserList.of(IMAGE, "nobody", "/h")).isEqualTo(IMAGE);
    }

    @ParameterizedTest
    @CsvSource({"/etc/passwd, true", "/etc, true", "/etc/passwd2, false", "/usr, false"})
    void mountOfUsersIsSeen(String target, boolean isCovered, @TempDir Path directory) throws Exception {
        SandboxPolicy policy = SandboxPolicy.builder(new PathMapping(directory.toRealPath(), "/work"))
                .mount(new Mount(directory.toRealPath(), target, Mount.Access.READ_ONLY))
                .build();
        assertThat(UserList.isCovered(policy)).isEqualTo(isCovered);
    }
}
