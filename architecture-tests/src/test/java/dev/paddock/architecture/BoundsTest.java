package dev.paddock.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Compares the bounds that {@code paddock config show} prints with those in the code. */
class BoundsTest {
    private static final Map<String, String> CONSTANTS = constants();

    private static Map<String, String> constants() {
        Map<String, String> constants = new LinkedHashMap<>();
        constants.put("output of a call that the model sees", "harness.tools.text.Excerpt#MAX_RESULT");
        constants.put("log of a command", "harness.CommandOptions#MAX_LOG_BYTES");
        constants.put("logs of a session, all together", "harness.tools.output.LogDirectory#SUM_BYTES");
        constants.put("messages of a session that is resumed", "harness.store.SessionFiles#MAX_MESSAGES_BYTES");
        constants.put("file that grep searches", "harness.files.workspace.GrepSearch#MAX_FILE_BYTES");
        constants.put("depth of grep, find and remove", "harness.files.TreeWalk#MAX_DEPTH");
        constants.put("image that read shows", "harness.tools.files.ImageFile#MAX_IMAGE_BYTES");
        constants.put("pixels of such an image", "harness.tools.files.ImageFile#MAX_PIXELS");
        constants.put("PDF that read shows", "harness.pdf.PdfPages#MAX_BYTES");
        constants.put("file that a guest reads", "harness.bindings.WorkspaceBinding#MAX_READ_BYTES");
        constants.put("configuration file", "executor.config.ConfigFile#MAX_BYTES");
        constants.put("prompt from a file or standard input", "cli.agent.Prompts#MAX_BYTES");
        constants.put(
                "files moved to a quarantine on another file system", "executor.worktree.Removal#MAX_COPIED_BYTES");
        constants.put(
                "bytes fetched after a command in a pod or over ssh", "executor.remote.sync.SyncDirectories#MAX_FETCH");
        constants.put("time of such a fetch", "executor.remote.sync.SyncDirectories#FETCH_TIMEOUT");
        constants.put("entries of a worktree that is synchronized", "executor.remote.sync.Tree#MAX_ENTRIES");
        constants.put("depth of a worktree that is synchronized", "executor.remote.sync.Tree#MAX_DEPTH");
        constants.put(
                "entries of a tree that is copied or has snapshots", "harness.workspace.tree.TreeReader#MAX_ENTRIES");
        constants.put("depth of such a tree", "harness.workspace.tree.TreeReader#MAX_DEPTH");
        constants.put(
                "snapshots of a workspace, all together",
                "harness.workspace.directory.DirectoryWorkspaceOptions#MAX_SNAPSHOT_BYTES");
        constants.put("data of your caches that new caches copy", "executor.config.grant.CacheDirectory#MAX_BYTES");
        constants.put("time to remove a tree that commands wrote", "executor.os.file.TreeRemoval#MAX_DURATION");
        return constants;
    }

    @Test
    void boundsThatConfigShowPrintsAreThoseOfCode() throws Exception {
        Map<String, Long> shown = new LinkedHashMap<>();
        for (Object bound : (List<?>) value("cli.Bounds#ALL")) {
            shown.put((String) part(bound, "what"), (Long) part(bound, "most"));
        }
        Map<String, Long> inCode = new LinkedHashMap<>();
        for (Map.Entry<String, String> constant : CONSTANTS.entrySet()) {
            Object value = value(constant.getValue());
            inCode.put(
                    constant.getKey(),
                    value instanceof Duration time ? time.toSeconds() : ((Number) value).longValue());
        }
        assertThat(shown).isEqualTo(inCode);
    }

    private static Object value(String constant) throws ReflectiveOperationException {
        String[] words = constant.split("#", -1);
        Field field = Class.forName("dev.paddock." + words[0]).getDeclaredField(words[1]);
        field.setAccessible(true);
        return field.get(null);
    }

    private static Object part(Object bound, String name) throws ReflectiveOperationException {
        Method accessor = bound.getClass().getDeclaredMethod(name);
        accessor.setAccessible(true);
        return accessor.invoke(bound);
    }
}
