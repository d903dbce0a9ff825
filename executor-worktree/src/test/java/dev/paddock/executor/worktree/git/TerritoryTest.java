package dev.paddock.executor.worktree.git;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests which paths lead to a place in the territory that no command can exchange by a link. */
class TerritoryTest {
    @TempDir
    Path directory;

    private Path root;
    private Territory territory;

    @BeforeEach
    void createTree() throws Exception {
        directory = directory.toRealPath();
        root = Files.createDirectories(directory.resolve("root/w/c"))
                .resolve("../..")
                .normalize();
        Files.createSymbolicLink(root.resolve("w/link"), Path.of("c"));
        Files.createSymbolicLink(root.resolve("here"), Path.of("."));
        Files.createSymbolicLink(directory.resolve("outside"), root);
        territory = GitReferee.territory(root);
    }

    /** Each leads to a directory of the territory, and elsewhere once a command has exchanged the link. */
    @ParameterizedTest
    @ValueSource(strings = {"w/link", "w/link/..", "w/link/../c", "w/c/../link/../..", "here/w", "here/../root/w"})
    void linkInTerritoryLeadsToNoRealPath(String path) {
        assertThat(root.resolve(path)).exists();
        assertThat(territory.real(root.resolve(path))).isEmpty();
    }

    /** Which process is "self" differs for the user's git. */
    @Test
    void linksOfKernelsLeadToNoRealPath() throws Exception {
        Path self = Path.of("/proc/self/cwd");
        assertThat(new Territory(List.of(self.toRealPath()), Set.of()).real(self))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "root/w/c, root/w/c",
        "root/w/c/.., root/w",
        "root/../root/./w, root/w",
        "outside/w/c, root/w/c",
        "outside/../root/w, root/w",
    })
    void otherWaysDo(String path, String real) {
        assertThat(territory.real(directory.resolve(path))).contains(directory.resolve(real));
    }

    @ParameterizedTest
    @ValueSource(strings = {"root/..", "outside/..", "root/absent", "outside/w/absent/.."})
    void nothingElseIsReal(String path) {
        assertThat(territory.real(directory.resolve(path))).isEmpty();
    }
}
