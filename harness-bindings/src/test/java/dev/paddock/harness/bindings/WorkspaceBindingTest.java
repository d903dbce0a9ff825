package dev.paddock.harness.bindings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.groups.Tuple.tuple;

import dev.paddock.executor.AbortSignal;
import dev.paddock.executor.policy.Mount;
import dev.paddock.harness.files.access.FileException;
import dev.paddock.harness.files.access.FileException.Reason;
import dev.paddock.harness.files.workspace.Entry;
import dev.paddock.harness.files.workspace.GrepQuery;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WorkspaceBindingTest {
    private static final String CANARY = "canary-4711";

    @TempDir
    Path directory;

    private Path root = Path.of("/");
    private Path data = Path.of("/");

    @BeforeEach
    void make() throws Exception {
        directory = directory.toRealPath();
        root = Files.createDirectory(directory.resolve("project"));
        data = Files.createDirectory(directory.resolve("data"));
        Files.createDirectory(data.resolve("inner"));
        Files.writeString(root.resolve("a.txt"), "one\nTwo two\r\nthree\n");
        Files.writeString(data.resolve("table.csv"), "two,2\n");
    }

    private ContainerOptions.Builder mounted() {
        return AgentContainer.builder(root)
                .mount("data\\", data, Mount.Access.READ_ONLY)
                .mount("/data/inner/", data.resolve("inner"), Mount.Access.READ_WRITE);
    }

    private static FileException failure(Runnable call) {
        try {
            call.run();
        } catch (FileException expected) {
            return expected;
        }
        throw new AssertionError("the call succeeded");
    }

    @Test
    void mountWithLongestPathHoldsFileAndNamesAreNormalized() throws Exception {
        try (AgentContainer container = mounted().build()) {
            WorkspaceBinding files = container.workspace();
            files.writeText("/data/inner/out.txt", "written");
            files.writeText("new/deep/file.txt", "made");
            assertThat(data.resolve("inner/out.txt")).hasContent("written");
            assertThat(root.resolve("new/deep/file.txt")).hasContent("made");
            assertThat(files.readText("/data/table.csv")).isEqualTo("two,2\n");
            assertThat(files.readText("/a.txt")).isEqualTo(files.readText("a.txt"));
            FileException readOnly = failure(() -> files.writeText("/data/table.csv", "no"));
            assertThat(readOnly.reason()).isEqualTo(Reason.NOT_WRITABLE);
            assertThat(readOnly).hasMessageContaining("/data/table.csv");
        }
    }

    /** The root is / for guests: nothing is above it, and a link's absolute target begins there. */
    @Test
    void nothingLeadsOutOfRoots() throws Exception {
        Files.writeString(directory.resolve("outside.txt"), CANARY);
        Files.createSymbolicLink(root.resolve("link"), directory.resolve("outside.txt"));
        Files.createSymbolicLink(root.resolve("up"), Path.of(".."));
        Files.createSymbolicLink(data.resolve("link"), Path.of("../outside.txt"));
        try (AgentContainer container = mounted().build()) {
            for (String path :
                    List.of("../outside.txt", "link", "up/outside.txt", "/data/link", "/data/../../outside.txt")) {
                FileException refused = failure(() -> container.workspace().read(path));
                assertThat(refused.reason()).as(path).isEqualTo(Reason.NOT_FOUND);
                assertThat(refused).as(path).hasMessageContaining(path.substring(path.lastIndexOf('/') + 1));
            }
            Files.createSymbolicLink(root.resolve("dangling"), directory.resolve("made-outside"));
            container.workspace().writeText("dangling", "in the root");
            assertThat(directory.resolve("made-outside")).doesNotExist();
            container.workspace().writeText("up/new.txt", "x");
            assertThat(directory.resolve("new.txt")).doesNotExist();
            assertThat(root.resolve("new.txt")).hasContent("x");
        }
    }

    @Test
    void listAndStatTakeLinkItselfAndRemoveIsForcedOrNot() throws Exception {
        Files.createSymbolicLink(root.resolve("link"), Path.of("a.txt"));
        try (AgentContainer container = mounted().build()) {
            WorkspaceBinding files = container.workspace();
            assertThat(files.stat("link").kind()).isEqualTo(Entry.Kind.LINK);
            assertThat(files.list("."))
                    .extracting(Entry::path, Entry::kind)
                    .contains(tuple("a.txt", Entry.Kind.FILE), tuple("link", Entry.Kind.LINK));
            files.remove("gone", false, true);
            assertThat(failure(() -> files.remove("gone", false, false)).reason())
                    .isEqualTo(Reason.NOT_FOUND);
            files.writeText("dir/file", "x");
            assertThat(failure(() -> files.remove("dir", false, false)).reason())
                    .isEqualTo(Reason.NOT_EMPTY);
            files.remove("dir", true, false);
            assertThat(root.resolve("dir")).doesNotExist();
        }
    }

    @Test
    void globAndGrepTakeAllRootsTogether() {
        try (AgentContainer container = mounted().denyRead(List.of("*.csv")).build()) {
            assertThat(container
                            .workspace()
                            .glob(List.of("**/*.txt", "*.txt"), AbortSignal.never())
                            .entries())
                    .extracting(Entry::path)
                    .containsExactly("a.txt");
            assertThat(container
                            .workspace()
                            .grep(GrepQuery.text("two"), AbortSignal.never())
                            .matches())
                    .singleElement()
                    .satisfies(line -> {
                        assertThat(line.path()).isEqualTo("a.txt");
                        assertThat(line.number()).isEqualTo(2);
                        assertThat(line.column()).hasValue(5);
                        assertThat(line.text()).isEqualTo("Two two");
                    });
        }
        try (AgentContainer container = mounted().build()) {
            assertThat(container
                            .workspace()
                            .grep(GrepQuery.text("two"), AbortSignal.never())
                            .matches())
                    .extracting(line -> line.path())
                    .containsExactlyInAnyOrder("a.txt", "data/table.csv");
        }
    }

    @Test
    void deniedContentIsReadByNoNameAndItsNameIsListed() throws Exception {
        Files.createDirectory(root.resolve("keys"));
        Files.writeString(root.resolve("keys/id.pem"), CANARY);
        Files.createSymbolicLink(root.resolve("other"), Path.of("keys/id.pem"));
        try (AgentContainer container = mounted().denyRead(List.of("*.pem")).build()) {
            WorkspaceBinding files = container.workspace();
            for (String path : List.of("keys/id.pem", "/keys/id.pem", "./keys/../keys/id.pem", "other")) {
                FileException denied = failure(() -> files.read(path));
                assertThat(denied.reason()).as(path).isEqualTo(Reason.NOT_READABLE);
                assertThat(denied).hasMessageContaining(path.substring(path.lastIndexOf('/') + 1));
            }
            assertThat(files.grep(GrepQuery.text("canary"), AbortSignal.never()).matches())
                    .isEmpty();
            assertThat(files.list("keys")).extracting(Entry::name).containsExactly("id.pem");
            assertThat(files.stat("keys/id.pem").size()).isEqualTo(CANARY.length());
            assertThat(files.glob(List.of("*.pem", "a.txt"), AbortSignal.never())
                            .entries())
                    .extracting(Entry::path)
                    .containsExactly("a.txt");
            assertThat(files.readText("a.txt")).startsWith("one");
        }
    }

    @Test
    void fileOfVariablesShowsWhatIsNoSecretAndOthersLikeItShowNothing() throws Exception {
        Files.writeString(root.resolve(".env"), "NAME=\"a \\n b\"\nAPI_KEY=" + CANARY + "\n# no\nexport X = 'y'\n");
        Files.createDirectory(root.resolve("sub"));
        Files.writeString(root.resolve("sub/.env.local"), "TOKEN=" + CANARY);
        Files.createSymbolicLink(root.resolve("plain"), Path.of(".env"));
        try (AgentContainer container = mounted().build()) {
            WorkspaceBinding files = container.workspace();
            assertThat(files.readText(".env")).isEqualTo("NAME=\"a \\n b\"\nX=\"y\"");
            assertThat(files.readText("./.env")).doesNotContain(CANARY);
            for (String path :
                    List.of("sub/.env.local", "plain", "sub/../.env", "/.ENV/x", ".env.d/x", "/sub/.env.local")) {
                FileException denied = failure(() -> files.readText(path));
                assertThat(denied.reason()).as(path).isEqualTo(Reason.NOT_READABLE);
                assertThat(denied).hasMessageContaining(path.substring(path.lastIndexOf('/') + 1));
            }
            assertThat(files.grep(GrepQuery.text(CANARY), AbortSignal.never()).matches())
                    .isEmpty();
            assertThat(failure(() -> files.writeText(".env", "NAME=x")).reason())
                    .isEqualTo(Reason.PROTECTED);
            assertThat(failure(() -> files.remove(".env", false, true)).reason())
                    .isEqualTo(Reason.PROTECTED);
        }
        assertThat(root.resolve(".env")).content().contains(CANARY);
    }

    @Test
    void viewOfFileOfVariablesHasIncludedVariablesAlone() throws Exception {
        Files.writeString(
                root.resolve("app.vars"),
                "APP_A=\"say \"\"hi\"\"\"\nAPP_B=x\\ny\nOTHER=" + CANARY + "\nAPP_KEY=" + CANARY);
        EnvOptions options = EnvOptions.standard()
                .from(EnvSource.file("app.vars"))
                .including("APP_*")
                .excluding("APP_C");
        try (AgentContainer container = mounted().environment(options).build()) {
            WorkspaceBinding files = container.workspace();
            assertThat(files.readText("app.vars")).isEqualTo("APP_A=\"say \\\"\\\"hi\\\"\\\"\"\nAPP_B=\"x\\ny\"");
            assertThat(container.secrets().get("APP_KEY")).contains(CANARY);
            assertThat(container.env().keys()).containsExactly("APP_A", "APP_B");
        }
    }

    @Test
    void shadowIsCopyThatGoesWithContainer() throws Exception {
        Path copy;
        Files.createDirectories(root.resolve("deep/er"));
        Files.writeString(root.resolve("deep/er/file"), "deep");
        Files.createSymbolicLink(root.resolve("relative"), Path.of("deep/er/file"));
        try (AgentContainer container =
                mounted().mode(AgentContainer.Mode.SHADOW).build()) {
            container.workspace().writeText("a.txt", "changed");
            container.workspace().writeText("/data/inner/new", "in the copy of the mount");
            assertThat(container.workspace().readText("/data/inner/new")).isEqualTo("in the copy of the mount");
            container.workspace().writeText("relative", "changed by the link");
            assertThat(container.workspace().readText("deep/er/file")).isEqualTo("changed by the link");
            container.workspace().remove("deep/er/file", false, false);
            assertThat(container.workspace().readText("a.txt")).isEqualTo("changed");
            copy = container.commandPolicy().worktree().hostPath();
            assertThat(copy.toString()).contains("/agent-container-shadow-project");
            assertThat(copy.getFileName()).hasToString("project");
            Files.createDirectory(copy.resolve("closed"));
            Files.setPosixFilePermissions(copy.resolve("closed"), Set.of());
        }
        assertThat(root.resolve("a.txt")).content().startsWith("one");
        assertThat(root.resolve("deep/er/file")).hasContent("deep");
        assertThat(data.resolve("inner")).isEmptyDirectory();
        assertThat(copy).doesNotExist();
        assertThat(copy.resolveSibling(".")).doesNotExist();
    }

    @Test
    void stateGoesOneWayAndClosingAgainDoesNothing() throws Exception {
        AgentContainer container = mounted().build();
        assertThat(container.status()).isEqualTo(AgentContainer.Status.CREATED);
        container.start();
        container.start();
        assertThat(container.status()).isEqualTo(AgentContainer.Status.STARTED);
        container.close();
        container.close();
        assertThat(container.status()).isEqualTo(AgentContainer.Status.STOPPED);
        assertThatThrownBy(() -> container.workspace().readText("a.txt"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed");
    }

    @Test
    void descriptionHasNamesAndNoValue() throws Exception {
        Files.writeString(root.resolve(".env"), "B=" + CANARY + "\nA=1\nDB_PASSWORD=" + CANARY);
        try (AgentContainer container = mounted().build()) {
            assertThat(container.describe().toString())
                    .contains(
                            "\"workspaceMode\":\"live\"",
                            "\"hasExecPolicy\":false",
                            "\"publicEnvKeys\":[\"A\",\"B\"],\"secretEnvKeys\":[\"DB_PASSWORD\"]")
                    .doesNotContain(CANARY);
        }
        try (AgentContainer container = mounted()
                .mode(AgentContainer.Mode.SHADOW)
                .environment(EnvOptions.standard())
                .exec(ExecPolicy.none())
                .fetch(FetchPolicy.hosts(List.of("example.org")))
                .build()) {
            String expected = """
                    {"root":"%s","workspaceMode":"shadow",
                    "bindings":["WORKSPACE","EXEC","ENV","SECRETS","OBSERVE"],
                    "hasEnvPolicy":true,"hasExecPolicy":true,"hasNetworkPolicy":true,
                    "publicEnvKeys":["A","B"],"secretEnvKeys":["DB_PASSWORD"]}""";
            assertThat(container.describe().toString())
                    .isEqualTo(expected.replace("\n", "").formatted(root));
        }
    }

    @Test
    void missingFileOfVariablesIsNamedUnlessItIsOptional() {
        EnvOptions required = EnvOptions.standard().from(EnvSource.file("config/app.env"));
        try (AgentContainer container = mounted().environment(required).build()) {
            assertThat(failure(container::start)).hasMessageContaining("config/app.env");
        }
        EnvOptions optional = EnvOptions.standard()
                .from(EnvSource.optionalFile("config/app.env"), EnvSource.inline(Map.of("A", "1")));
        try (AgentContainer container = mounted().environment(optional).build()) {
            assertThat(container.env().keys()).containsExactly("A");
        }
    }

    @Test
    void containerKeepsItsOptionsWhateverItsBuilderIsToldAfterwards() throws Exception {
        ContainerOptions.Builder builder = AgentContainer.builder(root);
        try (AgentContainer first = builder.build();
                AgentContainer second = builder.denyRead(List.of("a.txt"))
                        .mount("/data", data, Mount.Access.READ_ONLY)
                        .build()) {
            assertThat(first.workspace().readText("a.txt")).startsWith("one");
            assertThat(failure(() -> first.workspace().readText("/data/table.csv"))
                            .reason())
                    .isEqualTo(Reason.NOT_FOUND);
            assertThat(second.workspace().readText("/data/table.csv")).isEqualTo("two,2\n");
            assertThat(failure(() -> second.workspace().readText("a.txt")).reason())
                    .isEqualTo(Reason.NOT_READABLE);
        }
    }
}
