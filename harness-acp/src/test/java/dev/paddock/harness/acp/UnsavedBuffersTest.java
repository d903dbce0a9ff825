package dev.paddock.harness.acp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.agentclientprotocol.sdk.client.AcpClient;
import com.agentclientprotocol.sdk.client.AcpSyncClient;
import com.agentclientprotocol.sdk.spec.AcpSchema;
import com.agentclientprotocol.sdk.spec.AcpSchema.StopReason;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Files that an editor shows with changes that are not saved. */
class UnsavedBuffersTest extends ServedEditor {
    private static final String READ = call("read", Map.of("path", "a.txt"));
    private static final String EDIT = edit("two", "2");
    private static final String WRITE = call("write", Map.of("path", "a.txt", "content", "all new\n"));

    private final List<String> asked = new CopyOnWriteArrayList<>();
    private final CompletableFuture<String> never = new CompletableFuture<>();

    /** What the editor shows of a file. */
    private volatile UnaryOperator<String> buffer = path -> "";

    private static String edit(String from, String to) {
        return call("edit", Map.of("path", "a.txt", "old_string", from, "new_string", to));
    }

    private Path file(String content) throws IOException {
        return Files.writeString(worktree.resolve("a.txt"), content);
    }

    private String shown(String path) {
        asked.add(path);
        return buffer.apply(path);
    }

    /** Returns a session in which nothing is asked about. */
    private String unasked(AcpSyncClient editor) {
        String session = open(editor);
        editor.setSessionMode(new AcpSchema.SetSessionModeRequest(session, "all"));
        return session;
    }

    private void plays(String... turns) throws IOException {
        AcpSyncClient editor = editor(host(turns), this::shown);
        assertThat(prompt(editor, unasked(editor), "Go")).isEqualTo(StopReason.END_TURN);
    }

    @Test
    void unsavedTextIsReadAndNotOverwritten() throws Exception {
        Path file = file("one\ntwo\n");
        buffer = path -> "one\ntwo\nnot saved\n";
        AcpSyncClient editor = editor(
                host(
                        READ,
                        after("     3\tnot saved\n[This is the text in the user's editor", EDIT),
                        after("changes in the user's editor that are not saved, the first in line 3", WRITE),
                        after("Nothing was written", DONE),
                        EDIT,
                        after("Edited a.txt at line 2", DONE)),
                this::shown);
        String session = unasked(editor);
        assertThat(prompt(editor, session, "Change it")).isEqualTo(StopReason.END_TURN);
        assertThat(file).hasContent("one\ntwo\n");
        assertThat(asked).hasSize(3).containsOnly(file.toString());

        file("one\ntwo\nnot saved\n"); // the user saves it
        assertThat(prompt(editor, session, "Saved")).isEqualTo(StopReason.END_TURN);
        assertThat(file).hasContent("one\n2\nnot saved\n");
    }

    /** With {@code /} for a line feed, and {@code |} for CR LF. */
    @ParameterizedTest
    @CsvSource({
        "UTF-8,        *one|two|café|,       one/two/café/",
        "UTF-8,        one/two/café/,        one/two/café",
        "windows-1252, one/two/café crème/,  one|two|café crème|",
        "UTF-16LE,     *one/two/café/,       one/two/café/"
    })
    void editorsFormOfSameTextIsNoChange(Charset charset, String onDisk, String inEditor) throws Exception {
        String text = lines(onDisk);
        buffer = path -> lines(inEditor);
        Path file = Files.writeString(worktree.resolve("a.txt"), text, charset);
        plays(EDIT, after("Edited a.txt at line 2", DONE));
        assertThat(Files.readString(file, charset)).isEqualTo(text.replace("two", "2"));
        assertThat(asked).hasSize(1);
    }

    private static String lines(String text) {
        return text.replace("|", "\r\n").replace("/", "\n").replace("*", "\ufeff");
    }

    @Test
    void editorWithoutCapabilityIsNotAsked() throws Exception {
        Path file = file("one\ntwo\n");
        AcpSyncClient editor = editor(host(READ, EDIT, DONE));
        assertThat(prompt(editor, unasked(editor), "Go")).isEqualTo(StopReason.END_TURN);
        assertThat(file).hasContent("one\n2\n");
    }

    /** It would follow a link that a command puts in the file's place. */
    @Test
    void editorThatOffersWritesIsAskedForTextsAlone() throws Exception {
        Path file = file("one\ntwo\n");
        buffer = path -> "one\ntwo\n";
        List<String> written = new CopyOnWriteArrayList<>();
        AcpSyncClient editor = initialized(AcpClient.sync(serve(
                        host(EDIT, call("write", Map.of("path", "b.txt", "content", "new\n")), DONE), PATIENCE))
                .clientCapabilities(
                        new AcpSchema.ClientCapabilities(new AcpSchema.FileSystemCapability(true, true), false))
                .readTextFileHandler(question -> new AcpSchema.ReadTextFileResponse(shown(question.path())))
                .writeTextFileHandler(request -> {
                    written.add(request.path());
                    return new AcpSchema.WriteTextFileResponse();
                }));
        assertThat(prompt(editor, unasked(editor), "Go")).isEqualTo(StopReason.END_TURN);
        assertThat(file).hasContent("one\n2\n");
        assertThat(worktree.resolve("b.txt")).hasContent("new\n");
        assertThat(asked).containsExactly(file.toString());
        assertThat(written).isEmpty();
    }

    @Test
    void newAndBinaryFilesAreNotAskedAbout() throws Exception {
        Files.write(worktree.resolve("a.bin"), new byte[] {0, 1, (byte) 0xff, (byte) 0xfe, 3});
        plays(WRITE, call("write", Map.of("path", "a.bin", "content", "text\n")), DONE);
        assertThat(asked).isEmpty();
        assertThat(worktree.resolve("a.txt")).hasContent("all new\n");
        assertThat(worktree.resolve("a.bin")).hasContent("text\n");
    }

    /** The editor does not notice changes on disk: what it shows was saved before the command. */
    @Test
    void textThatEditorHasNotReloadedIsNoChange() throws Exception {
        Path file = file("one\ntwo\n");
        buffer = path -> "one\ntwo\n";
        plays(
                READ,
                bash("printf 'one\\ntwo\\nthree\\n' > a.txt"),
                READ,
                after("3\tthree\n[The user's editor still shows this file as it was", EDIT),
                edit("three", "3"),
                DONE);
        assertThat(file).hasContent("one\n2\n3\n");
    }

    @Test
    void concurrentEditsOfOneFileBothSucceed() throws Exception {
        Path file = file("one\ntwo\nthree\n");
        buffer = path -> "one\ntwo\nthree\n";
        String both = EDIT.replace("]}", ", ") + edit("three", "3").replaceFirst(".*\"calls\": \\[", "");
        plays(both, after("Edited a.txt at line 3", DONE));
        assertThat(file).hasContent("one\n2\n3\n");
    }

    @Test
    void linkIsAskedAboutByItsTargetAndNeverOutside() throws Exception {
        Path file = file("one\ntwo\n");
        Path outside = Files.writeString(directory.resolve("secret.txt"), "secret\n");
        Files.createSymbolicLink(worktree.resolve("inside"), Path.of("a.txt"));
        Files.createSymbolicLink(worktree.resolve("out"), outside);
        buffer = path -> "one\n";
        plays(
                call("read", Map.of("path", "inside")),
                after("in the user's editor", call("read", Map.of("path", "out"))),
                after("leads through a symbolic link that points outside", DONE));
        assertThat(asked).containsExactly(file.toString());
    }

    @Test
    void cancelEndsWaitForEditor() throws Exception {
        Path file = file("one\ntwo\n");
        buffer = path -> never.join();
        AcpSyncClient editor = editor(host(EDIT, DONE), this::shown);
        String session = unasked(editor);
        CompletableFuture<StopReason> outcome = prompting(editor, session, "Go");
        await("the question").atMost(PATIENCE).until(() -> !asked.isEmpty());
        editor.cancel(new AcpSchema.CancelNotification(session));
        assertThat(outcome.get(60, TimeUnit.SECONDS)).isEqualTo(StopReason.CANCELLED);
        never.complete("one\ntwo\n");
        assertThat(file).hasContent("one\ntwo\n");
    }

    @Test
    void editorThatDiesMeanwhileEndsSession() throws Exception {
        Path file = file("one\ntwo\n");
        buffer = path -> never.join();
        AcpSyncClient editor = editor(host(EDIT, DONE), this::shown);
        CompletableFuture<StopReason> outcome = prompting(editor, unasked(editor), "Go");
        await("the question").atMost(PATIENCE).until(() -> !asked.isEmpty());
        connections.getFirst().die();
        connections.getFirst().awaitEnd();
        never.complete("one\ntwo\n");
        assertThat(outcome).isNotNull();
        assertThat(file).hasContent("one\ntwo\n");
    }
}
