package dev.paddock.harness.workspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.paddock.executor.policy.Mount;
import dev.paddock.harness.workspace.directory.DirectoryWorkspaceProvider;
import dev.paddock.harness.workspace.provider.Capability;
import dev.paddock.harness.workspace.provider.Workspace;
import dev.paddock.harness.workspace.provider.WorkspaceEvictedException;
import dev.paddock.harness.workspace.provider.WorkspaceFailedException;
import dev.paddock.harness.workspace.provider.WorkspaceRef;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** References that were edited, and directories that are no longer what a reference names. */
class WorkspaceReferenceTest {
    private static final String OTHER = "0".repeat(26);

    @TempDir
    Path temporary;

    private Path root;
    private DirectoryWorkspaceProvider provider;
    private WorkspaceRef ref;
    private Path directory;

    @BeforeEach
    void open() throws Exception {
        temporary = temporary.toRealPath();
        root = temporary.resolve("workspaces");
        provider = Kinds.LOCAL_BASH.provider(root);
        Workspace workspace = provider.open(Kinds.LOCAL_BASH
                .config()
                .capabilities(Capability.FILES, Capability.SNAPSHOTS)
                .build());
        workspace.files().write("kept", new byte[] {'1'});
        ref = workspace.ref();
        directory = Objects.requireNonNull(workspace.worktree().hostPath().getParent());
        workspace.suspend();
        assertThat(kept()).isEqualTo("1");
    }

    /** Resolves the reference, which is the control of each test. */
    private String kept() {
        Workspace workspace = provider.resolve(ref);
        try {
            return Kinds.read(workspace, "kept");
        } finally {
            workspace.suspend();
        }
    }

    @AfterEach
    void nothingIsLocked() throws Exception {
        if (Files.isDirectory(directory)) {
            Shell.run(temporary, "flock -n -x " + directory + "/use true");
        }
    }

    @Test
    void referenceIsSameAfterJson() {
        assertThat(WorkspaceRef.parse(ref.toJson())).isEqualTo(ref);
    }

    private void refused(WorkspaceRef edited, String why) {
        assertThatExceptionOfType(WorkspaceFailedException.class)
                .isThrownBy(() -> provider.resolve(edited))
                .withMessageContaining(why)
                .withMessageNotContaining(temporary.toString())
                .satisfies(fault -> assertThat(fault.isTransient()).isFalse());
        assertThat(kept()).isEqualTo("1");
    }

    private WorkspaceRef with(String field, String value) {
        Map<String, String> payload = new HashMap<>(ref.payload());
        payload.put(field, value);
        return new WorkspaceRef(ref.kind(), ref.schemaVersion(), ref.capabilities(), payload);
    }

    @Test
    void eachFieldThatIsEditedByHandIsRefused() {
        Map<String, String> payload = ref.payload();
        Set<Capability> own = ref.capabilities();
        refused(new WorkspaceRef("docker", 1, own, payload), "kind 'docker'");
        refused(new WorkspaceRef(ref.kind(), 2, own, payload), "schemaVersion 2");
        refused(new WorkspaceRef(ref.kind(), 1, Set.of(Capability.values()), payload), "more capabilities");
        refused(with("nonce", OTHER), "not the one");
        refused(with("nonce", ""), "not the one");
        refused(with("id", "../" + directory.getFileName()), "names none");
        refused(with("id", directory.toString()), "names none");
        refused(with("id", "."), "names none");
        refused(with("id", ""), "names none");
        refused(with("network", "open"), "not exactly the fields");
        refused(new WorkspaceRef(ref.kind(), 1, own, Map.of("id", payload.getOrDefault("id", ""))), "not exactly");
        assertThatExceptionOfType(WorkspaceEvictedException.class)
                .isThrownBy(() -> provider.resolve(with("id", OTHER)));
    }

    @Test
    void anotherKindsProviderDoesNotOpenWorkspaceUnderItsOwnName() {
        WorkspaceRef asSandbox = new WorkspaceRef("local-sandbox", 1, ref.capabilities(), ref.payload());
        assertThatExceptionOfType(WorkspaceFailedException.class)
                .isThrownBy(() -> Kinds.LOCAL_SANDBOX.provider(root).resolve(asSandbox))
                .withMessageContaining("another kind");
    }

    @Test
    void fewerCapabilitiesThanWorkspaceHasAreGranted() {
        Workspace narrow = provider.resolve(new WorkspaceRef(ref.kind(), 1, Set.of(Capability.FILES), ref.payload()));
        assertThat(narrow.snapshots()).isEmpty();
        assertThat(Kinds.read(narrow, "kept")).isEqualTo("1");
        narrow.suspend();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "null",
                "[]",
                "{}",
                "{\"kind\":\"a\",\"schemaVersion\":1,\"capabilities\":[\"files\"],\"payload\":{}} x",
                "{\"kind\":\"a\",\"schemaVersion\":1,\"capabilities\":[\"files\"],\"payload\":{},\"more\":1}",
                "{\"kind\":\"a\",\"kind\":\"a\",\"schemaVersion\":1,\"capabilities\":[\"files\"],\"payload\":{}}",
                "{\"kind\":1,\"schemaVersion\":1,\"capabilities\":[\"files\"],\"payload\":{}}",
                "{\"kind\":\"A/\",\"schemaVersion\":1,\"capabilities\":[\"files\"],\"payload\":{}}",
                "{\"kind\":\"a\",\"schemaVersion\":\"1\",\"capabilities\":[\"files\"],\"payload\":{}}",
                "{\"kind\":\"a\",\"schemaVersion\":0,\"capabilities\":[\"files\"],\"payload\":{}}",
                "{\"kind\":\"a\",\"schemaVersion\":1.5,\"capabilities\":[\"files\"],\"payload\":{}}",
                "{\"kind\":\"a\",\"schemaVersion\":1,\"capabilities\":[],\"payload\":{}}",
                "{\"kind\":\"a\",\"schemaVersion\":1,\"capabilities\":[\"code\"],\"payload\":{}}",
                "{\"kind\":\"a\",\"schemaVersion\":1,\"capabilities\":[\"files\",\"files\"],\"payload\":{}}",
                "{\"kind\":\"a\",\"schemaVersion\":1,\"capabilities\":[\"files\"],\"payload\":{\"id\":1}}",
                "{\"kind\":\"a\",\"schemaVersion\":1,\"capabilities\":[\"files\"],\"payload\":{\"id\":\"1\",\"id\":\"2\"}}",
                "{\"kind\":\"a\",\"schemaVersion\":1,\"capabilities\":[\"files\"],\"payload\":null}"
            })
    void jsonThatIsNoReferenceIsRefused(String json) {
        assertThatExceptionOfType(WorkspaceFailedException.class)
                .isThrownBy(() -> WorkspaceRef.parse(json))
                .withMessageStartingWith("this is no reference to a workspace: ");
    }

    @Test
    void directoryThatWasRemovedOrMovedIsEvicted() throws Exception {
        Files.move(directory, temporary.resolve("moved"));
        assertThatExceptionOfType(WorkspaceEvictedException.class)
                .isThrownBy(() -> provider.resolve(ref))
                .withMessageNotContaining(temporary.toString());
        Files.move(temporary.resolve("moved"), directory);
        assertThat(kept()).isEqualTo("1");
        Shell.run(root, "rm -r " + directory.getFileName() + "/files");
        assertThatExceptionOfType(WorkspaceEvictedException.class).isThrownBy(() -> provider.resolve(ref));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/files"})
    void linkOrFileInPlaceOfDirectoryIsRefused(String which) throws Exception {
        Path place = Path.of(directory + which);
        Path moved = temporary.resolve("moved");
        Files.move(place, moved);
        Files.createSymbolicLink(place, moved);
        assertThatExceptionOfType(WorkspaceFailedException.class)
                .isThrownBy(() -> provider.resolve(ref))
                .withMessageContaining("symbolic link")
                .withMessageNotContaining(temporary.toString());
        Files.delete(place);
        Files.createFile(place);
        assertThatExceptionOfType(WorkspaceFailedException.class)
                .isThrownBy(() -> provider.resolve(ref))
                .withMessageContaining("a file is in its place");
        Files.delete(place);
        Files.move(moved, place);
        assertThat(kept()).isEqualTo("1");
    }

    @Test
    void directoryThatOthersCanEnterIsRefused() throws Exception {
        Shell.run(root, "chmod 711 " + directory);
        assertThatExceptionOfType(WorkspaceFailedException.class)
                .isThrownBy(() -> provider.resolve(ref))
                .withMessageContaining("others can enter it")
                .withMessageNotContaining(temporary.toString());
        Shell.run(root, "chmod 700 " + directory);
        assertThat(kept()).isEqualTo("1");
        Shell.run(root, "chmod 755 .");
        assertThatExceptionOfType(WorkspaceFailedException.class)
                .isThrownBy(() -> provider.resolve(ref))
                .withMessageContaining("chmod 700 it");
        Shell.run(root, "chmod 700 .");
        assertThat(kept()).isEqualTo("1");
    }

    @Test
    void anotherUsersDirectoryIsRefused() throws Exception {
        assumeTrue(Shell.run(temporary, "id -u").strip().equals("0"), "only the superuser can give files away");
        Shell.run(root, "chown 54321 " + directory);
        assertThatExceptionOfType(WorkspaceFailedException.class)
                .isThrownBy(() -> provider.resolve(ref))
                .withMessageContaining("another user")
                .withMessageNotContaining(temporary.toString());
        Shell.run(root, "chown 0 " + directory);
        assertThat(kept()).isEqualTo("1");
    }

    @Test
    void recordThatWasRemovedCutOrExchangedIsRefused() throws Exception {
        Path record = directory.resolve("workspace.json");
        String before = Files.readString(record);
        for (String wrong :
                new String[] {"", "{}", before + before, before.replace("\"settings\":{}", "\"settings\":1")}) {
            Files.writeString(record, wrong);
            assertThatExceptionOfType(WorkspaceFailedException.class)
                    .isThrownBy(() -> provider.resolve(ref))
                    .withMessageContaining("record");
        }
        Workspace other = provider.open(
                Kinds.LOCAL_BASH.config().capabilities(Capability.FILES).build());
        Files.writeString(record, Files.readString(other.worktree().hostPath().resolveSibling("workspace.json")));
        assertThatExceptionOfType(WorkspaceFailedException.class)
                .isThrownBy(() -> provider.resolve(ref))
                .withMessageContaining("another workspace's");
        other.close();
        Files.delete(record);
        assertThatExceptionOfType(WorkspaceFailedException.class)
                .isThrownBy(() -> provider.resolve(ref))
                .withMessageContaining("'workspace.json' is missing");
        Files.writeString(record, before);
        assertThat(kept()).isEqualTo("1");
    }

    /** Resolves with one character after the other replaced: nothing but the workspace itself is found. */
    @Test
    void referenceWithAnyOtherCharacterFindsThisWorkspaceOrNone() {
        String json = ref.toJson();
        int refused = 0;
        for (int at = 0; at < json.length(); at++) {
            for (char other : "0a\"{-/".toCharArray()) {
                String edited = json.substring(0, at) + other + json.substring(at + 1);
                refused += isRefused(() -> provider.resolve(WorkspaceRef.parse(edited))) ? 1 : 0;
            }
        }
        assertThat(refused).isGreaterThan(5 * json.length());
        assertThat(kept()).isEqualTo("1");
    }

    @Test
    void recordWithAnyOtherCharacterIsRefusedOrUsable() throws Exception {
        Path record = directory.resolve("workspace.json");
        String json = Files.readString(record);
        int refused = 0;
        for (int at = 0; at < json.length(); at++) {
            for (char other : "0a\"{-/".toCharArray()) {
                Files.writeString(record, json.substring(0, at) + other + json.substring(at + 1));
                refused += isRefused(() -> provider.resolve(ref)) ? 1 : 0;
            }
        }
        assertThat(refused).isGreaterThan(4 * json.length());
        Files.writeString(record, json);
        assertThat(kept()).isEqualTo("1");
    }

    /** Any other exception than those of a reference that cannot be used fails the test. */
    private static boolean isRefused(Supplier<Workspace> resolving) {
        Workspace workspace;
        try {
            workspace = resolving.get();
        } catch (WorkspaceFailedException | WorkspaceEvictedException refused) {
            return true;
        }
        try {
            assertThat(Kinds.read(workspace, "kept")).isEqualTo("1");
            return false;
        } finally {
            workspace.suspend();
        }
    }

    @Test
    void recordDoesNotLeadSandboxedWorkspaceOntoHost() throws Exception {
        DirectoryWorkspaceProvider sandboxed = Kinds.LOCAL_SANDBOX.provider(root);
        Workspace workspace = sandboxed.open(
                Kinds.LOCAL_SANDBOX.config().setting("isolation", "landlock").build());
        workspace.suspend();
        Path record = workspace.worktree().hostPath().resolveSibling("workspace.json");
        String before = Files.readString(record);
        Files.writeString(record, before.replace("\"isolation\":\"landlock\"", "\"isolation\":\"host\""));
        assertThatExceptionOfType(WorkspaceFailedException.class)
                .isThrownBy(() -> sandboxed.resolve(workspace.ref()))
                .withMessageContaining("lacks the isolation 'host'");
        Files.writeString(record, before);
        Workspace again = sandboxed.resolve(workspace.ref());
        assertThat(again.executor().name()).isEqualTo("landlock");
        again.close();
    }

    @Test
    void closingRemovesNothingThatHasTakenDirectorysPlace() throws Exception {
        Workspace open = provider.resolve(ref);
        Path moved = temporary.resolve("moved");
        Files.move(directory, moved);
        Path precious = Files.createDirectories(temporary.resolve("other/files"));
        Files.writeString(precious.resolve("precious"), "2");
        for (String replacement : List.of("ln -s ../other ", "cp -a ../other ", "touch ")) {
            Shell.run(root, replacement + directory);
            assertThatExceptionOfType(WorkspaceFailedException.class)
                    .isThrownBy(open::close)
                    .withMessageContaining("has been replaced by another ")
                    .withMessageNotContaining(temporary.toString());
            assertThat(Files.exists(directory, LinkOption.NOFOLLOW_LINKS)).isTrue();
            Shell.run(root, "rm -r " + directory);
        }
        assertThat(precious.resolve("precious")).hasContent("2");
        Files.move(moved, directory);
        open.close();
        assertThat(root).isEmptyDirectory();
    }

    @Test
    void mountThatHasBecomeLinkIsRefused() throws Exception {
        Path data = Files.createDirectory(temporary.resolve("data"));
        Path elsewhere = Files.createDirectory(temporary.resolve("elsewhere"));
        Workspace workspace = provider.open(Kinds.LOCAL_BASH
                .config()
                .capabilities(Capability.FILES)
                .mount(new Mount(data, data.toString(), Mount.Access.READ_WRITE))
                .build());
        workspace.files().write(data + "/f", new byte[1]);
        workspace.suspend();
        Workspace again = provider.resolve(workspace.ref());
        assertThat(again.files().read(data + "/f", 9)).hasSize(1);
        again.suspend();
        Files.move(data, temporary.resolve("moved"));
        Files.createSymbolicLink(data, elsewhere);
        assertThatExceptionOfType(WorkspaceFailedException.class)
                .isThrownBy(() -> provider.resolve(workspace.ref()))
                .withMessageContaining("has become a link");
    }

    @Test
    void directoryThatIsNoWorkspaceIsNotListed() throws IOException {
        Files.createDirectory(root.resolve(OTHER));
        assertThat(provider.list()).extracting(entry -> entry.ref()).containsExactly(ref);
        try (Stream<Path> all = Files.list(root)) {
            assertThat(all).hasSize(2);
        }
    }
}
