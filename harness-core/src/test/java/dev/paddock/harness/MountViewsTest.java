package dev.paddock.harness;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.executor.AbortSignal;
import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.policy.Mount;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.harness.model.AssistantTurn;
import dev.paddock.harness.tools.Json;
import dev.paddock.harness.tools.Tool;
import dev.paddock.harness.tools.ToolCall;
import dev.paddock.harness.tools.ToolContext;
import dev.paddock.harness.tools.ToolResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tests on every backend that confines commands that file tools and commands see a policy's mounts
 * alike. The host executor is left out: its commands see everything.
 */
@ParameterizedClass(name = "{0}")
@EnumSource(value = Backend.class, mode = EnumSource.Mode.EXCLUDE, names = "HOST")
class MountViewsTest extends SessionTest {
    @Parameter
    Backend backend = Backend.BWRAP;

    private Path writable = Path.of("/");
    private Path kept = Path.of("/");
    private Path outside = Path.of("/");
    private List<Mount> mounts = List.of();
    private List<CommandExecutor> executors = List.of();
    private final AtomicReference<String> prompt = new AtomicReference<>("");

    @BeforeEach
    void makeMounts() throws IOException {
        writable = Files.createDirectory(home.resolve("data")).toRealPath();
        kept = Files.createDirectory(home.resolve("kept")).toRealPath();
        outside = Files.createDirectory(home.resolve("outside")).toRealPath();
        Files.writeString(writable.resolve("file"), "in the writable mount\n");
        Files.writeString(kept.resolve("file"), "in the read-only mount\n");
        Files.writeString(outside.resolve("secret"), "TOPSECRET\n");
        mounts = List.of(
                new Mount(writable, shown(writable), Mount.Access.READ_WRITE),
                new Mount(kept, shown(kept), Mount.Access.READ_ONLY));
    }

    @AfterEach
    void disposeOfExecutors() {
        executors.forEach(CommandExecutor::dispose);
    }

    /** Returns the path of a mount for commands: another than the host's if the backend maps paths. */
    private String shown(Path mount) {
        boolean same = backend.mapping(worktree).isSame();
        return same ? mount.toString() : "/" + mount.getFileName();
    }

    private SandboxPolicy.Builder granting(SandboxPolicy.Builder policy) {
        mounts.forEach(policy::mount);
        return policy;
    }

    private AgentSession session() {
        CommandExecutor executor = backend.executor(worktree, this::granting);
        executors = List.of(executor);
        return open(builder((request, listener) -> {
                    prompt.set(request.systemPrompt());
                    return AssistantTurn.saying("Done.");
                })
                .executor(executor)
                .policy(granting(SandboxPolicy.builder(backend.mapping(worktree)))
                        .build())
                .execCwd(backend.mapping(worktree).commandPath()));
    }

    private static ToolResult use(AgentSession session, String tool, String... arguments) {
        Json node = Json.object();
        for (int i = 0; i < arguments.length; i += 2) {
            node = node.with(arguments[i], arguments[i + 1]);
        }
        Tool found = session.tools().stream()
                .filter(one -> one.name().equals(tool))
                .findFirst()
                .orElseThrow();
        return found.execute(new ToolCall("call", tool, node), new ToolContext() {
            @Override
            public AbortSignal signal() {
                return AbortSignal.never();
            }

            @Override
            public void update(String textSoFar) {}
        });
    }

    private static String text(AgentSession session, String tool, String... arguments) {
        ToolResult result = use(session, tool, arguments);
        assertThat(result.isError()).as("%s: %s", tool, result.text()).isFalse();
        return result.text();
    }

    @Test
    void writableMountIsReadAndWrittenByCommandsAndFileTools() {
        AgentSession session = session();
        String data = shown(writable);
        assertThat(text(session, "bash", "command", "cat " + data + "/file")).isEqualTo("in the writable mount\n");
        assertThat(text(session, "read", "path", data + "/file")).isEqualTo("     1\tin the writable mount");
        text(session, "bash", "command", "mkdir " + data + "/made && echo by a command > " + data + "/made/one");
        text(session, "write", "path", data + "/made/deep/two", "content", "by a tool\n");
        text(session, "edit", "path", data + "/made/one", "old_string", "by a", "new_string", "of a");
        assertThat(text(session, "bash", "command", "cd " + data + "/made && cat one deep/two"))
                .isEqualTo("of a command\nby a tool\n");
        assertThat(text(session, "ls", "path", data)).isEqualTo("file\nmade/");
        assertThat(text(session, "bash", "command", "ls -p " + data)).isEqualTo("file\nmade/\n");
        assertThat(text(session, "grep", "pattern", "of a", "path", data))
                .isEqualTo(data + "/made/one:1: of a command");
        assertThat(text(session, "find", "glob", "two", "path", data)).isEqualTo(data + "/made/deep/two");
        assertThat(writable.resolve("made/deep/two")).hasContent("by a tool");
    }

    @Test
    void readOnlyMountIsReadAndNotWrittenByCommandsAndFileTools() {
        AgentSession session = session();
        String file = shown(kept) + "/file";
        assertThat(text(session, "bash", "command", "cat " + file)).isEqualTo("in the read-only mount\n");
        assertThat(text(session, "read", "path", file)).isEqualTo("     1\tin the read-only mount");
        assertThat(text(session, "ls", "path", shown(kept))).isEqualTo("file");
        assertThat(text(session, "grep", "pattern", "mount", "path", shown(kept)))
                .isEqualTo(file + ":1: in the read-only mount");
        assertThat(text(session, "bash", "command", "echo x > " + file + " || echo refused"))
                .endsWith("refused\n");
        ToolResult written = use(session, "write", "path", file, "content", "x");
        assertThat(written.isError()).isTrue();
        assertThat(written.text()).contains(file + " is in a read-only directory");
        assertThat(kept).isDirectoryContaining("glob:**/file").isDirectoryNotContaining("glob:**/[!f]*");
        assertThat(kept.resolve("file")).hasContent("in the read-only mount");
    }

    @Test
    void linkPlantedByCommandInMountLeadsNoFileToolOut() {
        AgentSession session = session();
        String data = shown(writable);
        text(
                session,
                "bash",
                "command",
                ("cd DATA && mkdir deep && ln -s OUT/secret file-link && ln -s OUT dir && ln -s ../outside up"
                                + " && ln -s ../../outside deep/up && ln -s OUT/made dangling && ln -s / root"
                                + " && ln -s KEPT kept && ln -s file inside && ln -s DATA/dir WORK/over")
                        .replace("OUT", outside.toString())
                        .replace("DATA", data)
                        .replace("KEPT", shown(kept))
                        .replace("WORK", backend.mapping(worktree).commandPath()));
        for (String path : List.of(
                data + "/file-link",
                data + "/dir/secret",
                data + "/up/secret",
                data + "/deep/up/secret",
                data + "/dangling",
                data + "/root" + outside + "/secret",
                "over/secret")) {
            for (String tool : List.of("read", "write", "edit", "ls", "grep", "find")) {
                refusedAsOutside(session, tool, path);
            }
        }
        ToolResult through = use(session, "write", "path", data + "/kept/file", "content", "x");
        assertThat(through.text()).contains("is in a read-only directory");
        assertThat(text(session, "grep", "pattern", "SECRET|writable", "path", data))
                .isEqualTo(data + "/file:1: in the writable mount");
        assertThat(text(session, "read", "path", data + "/inside"))
                .as("the control: a link that stays in the mount")
                .isEqualTo("     1\tin the writable mount");
        assertThat(text(session, "read", "path", data + "/kept/file"))
                .as("a link from one mount into the other")
                .isEqualTo("     1\tin the read-only mount");
        assertThat(outside.resolve("secret")).hasContent("TOPSECRET");
        assertThat(outside).isDirectoryNotContaining("glob:**/made");
    }

    private static void refusedAsOutside(AgentSession session, String tool, String path) {
        ToolResult result = use(
                session,
                tool,
                "path",
                path,
                "content",
                "evil",
                "old_string",
                "SECRET",
                "new_string",
                "evil",
                "pattern",
                ".",
                "glob",
                "*");
        assertThat(result.isError()).as("%s %s: %s", tool, path, result.text()).isTrue();
        assertThat(result.text()).contains("outside the worktree").doesNotContain("TOPSECRET");
    }

    @Test
    void promptNamesMountsAndTheirAccess() {
        session().prompt("Go");
        assertThat(prompt.get())
                .contains(" Outside it you may use: " + shown(writable) + " (to read and write), " + shown(kept)
                        + " (read-only). Name them by these absolute paths.");
    }
}
