package dev.paddock.harness.bindings.call;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.paddock.executor.AbortSignal;
import dev.paddock.executor.policy.Mount;
import dev.paddock.harness.bindings.AgentContainer;
import dev.paddock.harness.bindings.BindingException;
import dev.paddock.harness.bindings.BindingException.Reason;
import dev.paddock.harness.bindings.EnvOptions;
import dev.paddock.harness.bindings.ExecPolicy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls as a guest makes them: arguments and results are JSON, and no field is trusted. */
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class BindingCallsTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    Path directory;

    private Path root = Path.of("/");

    @SuppressWarnings("NullAway.Init") // set before each test
    private AgentContainer container;

    @BeforeEach
    void open() throws Exception {
        root = Files.createDirectory(directory.toRealPath().resolve("project"));
        Path data = Files.createDirectory(directory.toRealPath().resolve("data"));
        Files.writeString(data.resolve("table.csv"), "a.b,1\n");
        Files.writeString(root.resolve("a.txt"), "axb a.b a.b\r\nA.B\nlast a.b");
        Files.writeString(root.resolve("b.md"), "a.b\n");
        Files.writeString(root.resolve(".env"), "NAME=open\nB=2\nAPI_KEY=hidden-4711\n");
        container = AgentContainer.builder(root)
                .backend("bwrap")
                .mount("/data", data, Mount.Access.READ_ONLY)
                .environment(EnvOptions.standard().including("NAME", "B", "API_KEY"))
                .exec(ExecPolicy.anyProgram().withShell())
                .build();
    }

    @AfterEach
    void close() {
        container.close();
    }

    /** Writes JSON with single quotes, for the sake of the reader. */
    private static JsonNode json(String text) throws Exception {
        return JSON.readTree(text.replace('\'', '"'));
    }

    private JsonNode call(String method, String arguments) throws Exception {
        return new BindingCalls(container).call(method, json(arguments), AbortSignal.never());
    }

    private BindingException refusal(String method, String arguments) throws Exception {
        try {
            throw new AssertionError("the call succeeded: " + call(method, arguments));
        } catch (BindingException expected) {
            return expected;
        }
    }

    @Test
    void everyKindOfEntryHasItsPathItsKindAndItsSize() throws Exception {
        Files.createDirectory(root.resolve("dir"));
        Files.createSymbolicLink(root.resolve("link"), Path.of("gone"));
        assertThat(new ProcessBuilder("mkfifo", root.resolve("pipe").toString())
                        .start()
                        .waitFor())
                .isZero();
        assertThat(call("workspace.stat", "{'path': 'a.txt'}").toString())
                .isEqualTo(json("{'path': 'a.txt', 'kind': 'file', 'size': 25}").toString());
        JsonNode entries = call("workspace.list", "{}");
        assertThat(entries).isEqualTo(call("workspace.list", "{'path': '.'}"));
        assertThat(entries.findValuesAsText("path"))
                .containsExactly(".env", "a.txt", "b.md", "data", "dir", "link", "pipe");
        assertThat(entries.findValuesAsText("kind"))
                .containsExactly("file", "file", "file", "directory", "directory", "symlink", "other");
        assertThat(call("workspace.stat", "{'path': 'link'}").path("kind").asText())
                .isEqualTo("symlink");
    }

    @Test
    void fileIsReadAndWrittenAsTextAndAsBytes() throws Exception {
        assertThat(call("workspace.writeText", "{'path': 'new/deep/c.txt', 'text': 'é'}")
                        .isNull())
                .isTrue();
        assertThat(call("workspace.readText", "{'path': 'new/deep/c.txt'}").asText())
                .isEqualTo("é");
        assertThat(call("workspace.read", "{'path': 'new/deep/c.txt'}").asText())
                .isEqualTo("w6k=");
        assertThat(call("workspace.write", "{'path': 'd.bin', 'base64': 'AP8='}")
                        .isNull())
                .isTrue();
        assertThat(root.resolve("d.bin")).hasBinaryContent(new byte[] {0, (byte) 0xff});
        assertThat(call("workspace.remove", "{'path': 'new', 'recursive': true}")
                        .isNull())
                .isTrue();
        assertThat(call("workspace.remove", "{'path': 'new', 'force': true}").isNull())
                .isTrue();
        assertThat(root.resolve("new")).doesNotExist();
    }

    @Test
    void globTakesOnePatternOrSeveralAndUnitesAllRootsSortedAndOnce() throws Exception {
        assertThat(call("workspace.glob", "{'pattern': '*.txt'}")).isEqualTo(json("['a.txt']"));
        assertThat(call("workspace.glob", "{'pattern': ['*.md', '*.txt', '**/*.txt', '*.csv']}"))
                .isEqualTo(json("['a.txt', 'b.md', 'data/table.csv']"));
        assertThat(call("workspace.glob", "{'pattern': 'data/*'}")).isEqualTo(json("['data/table.csv']"));
    }

    @Test
    void grepFindsTextAndNotPatternOnceInLine() throws Exception {
        assertThat(call("workspace.grep", "{'query': 'a.b'}").toString())
                .isEqualTo(json("""
                        [{'path': 'a.txt', 'line': 1, 'column': 5, 'content': 'axb a.b a.b'},
                         {'path': 'a.txt', 'line': 3, 'column': 6, 'content': 'last a.b'},
                         {'path': 'b.md', 'line': 1, 'column': 1, 'content': 'a.b'},
                         {'path': 'data/table.csv', 'line': 1, 'column': 1, 'content': 'a.b,1'}]""").toString());
        assertThat(call("workspace.grep", "{'query': 'a.b', 'caseSensitive': false}"))
                .hasSize(5);
        assertThat(call("workspace.grep", "{'query': 'a.b', 'include': '*.md'}"))
                .hasSize(1);
        assertThat(call("workspace.grep", "{'query': 'a.b', 'include': ['*.md', 'data/**']}"))
                .hasSize(2);
        assertThat(call("workspace.grep", "{'query': 'a.b', 'path': 'b.md'}")).hasSize(1);
        assertThat(call("workspace.grep", "{'query': 'a.b', 'maxResults': 2}")).hasSize(2);
        assertThat(call("workspace.grep", "{'query': 'a.b', 'maxResults': 0}")).isEmpty();
        Files.writeString(root.resolve("many.txt"), "many\n".repeat(3_000));
        assertThat(call("workspace.grep", "{'query': 'many'}")).hasSize(3_000);
    }

    @Test
    void programGetsEveryOptionAndGivesEveryPartOfItsResult() throws Exception {
        Files.createDirectory(root.resolve("sub"));
        JsonNode result = call("exec.run", """
                {'command': 'sh', 'args': ['-c', 'cat; pwd; echo $A $NAME $B >&2; exit 3'], 'cwd': 'sub',
                 'stdin': 'typed ', 'timeoutMs': 60000, 'env': {'A': 'own'}, 'envKeys': ['NAME'], 'includeSecrets': false}""");
        assertThat(result.path("exitCode").asInt()).isEqualTo(3);
        assertThat(result.path("stdout").asText()).isEqualTo("typed /workspace/sub\n");
        assertThat(result.path("stderr").asText()).isEqualTo("own open\n");
        assertThat(result.path("timedOut").isBoolean()).isTrue();
        assertThat(result.path("timedOut").asBoolean()).isFalse();
        assertThat(result.path("durationMs").isIntegralNumber()).isTrue();
        JsonNode script = call("exec.shell", "{'script': 'pwd; echo $NAME | cat'}");
        assertThat(script.path("stdout").asText()).isEqualTo("/workspace\nopen\n");
        assertThat(call("exec.run", "{'command': 'sleep', 'args': ['60'], 'timeoutMs': 200}")
                        .path("timedOut")
                        .asBoolean())
                .isTrue();
    }

    @Test
    void variableIsGivenByBindingOfItsClassAlone() throws Exception {
        assertThat(call("env.keys", "{}")).isEqualTo(json("['B', 'NAME']"));
        assertThat(call("env.get", "{'name': 'NAME'}").asText()).isEqualTo("open");
        assertThat(call("env.get", "{'name': 'API_KEY'}").isNull()).isTrue();
        assertThat(call("env.get", "{'name': 'UNKNOWN'}").isNull()).isTrue();
        assertThat(call("secrets.keys", "{}")).isEqualTo(json("['API_KEY']"));
        assertThat(call("secrets.get", "{'name': 'API_KEY'}").asText()).isEqualTo("hidden-4711");
        assertThat(call("secrets.get", "{'name': 'NAME'}").isNull()).isTrue();
    }

    @Test
    void operationThatDoesNotExistIsNamedBesideThoseThatDo() throws Exception {
        BindingException unknown = refusal("workspace.rename", "{}");
        assertThat(unknown.reason()).isEqualTo(Reason.UNKNOWN);
        assertThat(unknown)
                .hasMessage(
                        "there is no operation 'workspace.rename'; there are env.get, env.keys, exec.run, exec.shell,"
                                + " observe.emit, secrets.get, secrets.keys, workspace.glob, workspace.grep, workspace.list,"
                                + " workspace.read, workspace.readText, workspace.remove, workspace.stat, workspace.write,"
                                + " workspace.writeText");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "workspace.readText | {'path': 5} | 'path' is no text",
                "workspace.readText | {} | 'path' is missing",
                "workspace.readText | {'path': 'a', 'encoding': 'x'} | no argument 'encoding'",
                "workspace.readText | [] | the arguments are no object",
                "workspace.read | {'path': ['a']} | 'path' is no text",
                "workspace.writeText | {'path': 'x', 'text': 5} | 'text' is no text",
                "workspace.writeText | {'path': 'x'} | 'text' is missing",
                "workspace.write | {'path': 'x', 'base64': '*'} | 'base64' is no text in base 64",
                "workspace.list | {'path': true} | 'path' is no text",
                "workspace.stat | {'path': {}} | 'path' is no text",
                "workspace.glob | {} | 'pattern' is missing",
                "workspace.glob | {'pattern': [5]} | 'pattern' is no list of texts",
                "workspace.grep | {'query': 5} | 'query' is no text",
                "workspace.grep | {'query': 'a', 'include': 5} | 'include' is no list of texts",
                "workspace.grep | {'query': 'a', 'caseSensitive': 'yes'} | 'caseSensitive' is neither",
                "workspace.grep | {'query': 'a', 'maxResults': -1} | 'maxResults' is no whole number from 0",
                "workspace.grep | {'query': 'a', 'maxResults': 1.5} | 'maxResults' is no whole number from 0",
                "workspace.grep | {'query': 'a', 'maxResults': '5'} | 'maxResults' is no whole number from 0",
                "workspace.remove | {'path': 'x', 'recursive': 1} | 'recursive' is neither",
                "workspace.remove | {'path': 'x', 'force': 'no'} | 'force' is neither",
                "exec.run | {'command': ''} | the command is empty",
                "exec.run | {'command': 5} | 'command' is no text",
                "exec.run | {'command': 'true', 'args': 'a', 'cwd': 5} | 'cwd' is no text",
                "exec.run | {'command': 'true', 'args': [5]} | 'args' is no list of texts",
                "exec.run | {'command': 'true', 'stdin': 5} | 'stdin' is no text",
                "exec.run | {'command': 'true', 'timeoutMs': -1} | from 0 to 2147483647",
                "exec.run | {'command': 'true', 'timeoutMs': 0.5} | from 0 to 2147483647",
                "exec.run | {'command': 'true', 'timeoutMs': 2147483648} | from 0 to 2147483647",
                "exec.run | {'command': 'true', 'env': []} | 'env' is no object of texts",
                "exec.run | {'command': 'true', 'env': {'A': 1}} | 'env' is no object of texts",
                "exec.run | {'command': 'true', 'env': {'PATH': '/x'}} | PATH is the sandbox's own",
                "exec.run | {'command': 'true', 'envKeys': ['PATH']} | PATH is the sandbox's own",
                "exec.run | {'command': 'true', 'envKeys': [1]} | 'envKeys' is no list of texts",
                "exec.run | {'command': 'true', 'includeSecrets': 1} | 'includeSecrets' is neither",
                "exec.shell | {'script': ' '} | the script is empty",
                "exec.shell | {'script': 'true', 'args': []} | no argument 'args'",
                "env.get | {'name': 5} | 'name' is no text",
                "secrets.get | {} | 'name' is missing",
                "observe.emit | {'scope': 'host', 'action': 'a', 'outcome': 'error'} | one of container, workspace, exec, env, net",
                "observe.emit | {'scope': 'net', 'action': 'a', 'outcome': 'OK'} | one of success, error, denied",
                "observe.emit | {'scope': 'net', 'action': 'a b', 'outcome': 'error'} | 'a b'",
                "observe.emit | {'scope': 'net', 'action': 'a', 'outcome': 'error', 'detail': 5} | 'detail' is no text",
                "observe.emit | {'scope': 'net', 'action': 'a', 'outcome': 'error', 'time': 5} | no argument 'time'",
            })
    void everyFieldIsChecked(String method, String arguments, String why) throws Exception {
        BindingException refused = refusal(method, arguments);
        assertThat(refused.reason()).isEqualTo(Reason.INVALID);
        assertThat(refused).hasMessageContaining(why);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "workspace.readText {'path': 'a0b'}",
                "workspace.writeText {'path': 'a0b', 'text': ''}",
                "workspace.list {'path': 'a0b'}",
                "workspace.stat {'path': 'a0b'}",
                "workspace.glob {'pattern': 'a0b'}",
                "workspace.remove {'path': 'a0b'}",
                "exec.run {'command': 'a0b'}",
                "exec.run {'command': 'true', 'args': ['a0b']}",
                "exec.run {'command': 'true', 'cwd': 'a0b'}",
                "exec.run {'command': 'true', 'env': {'A': 'a0b'}}",
                "exec.run {'command': 'true', 'env': {'a0b': 'A'}}",
                "exec.shell {'script': 'a0b'}",
            })
    void nulIsRefused(String call) throws Exception {
        int blank = call.indexOf(' ');
        BindingException refused =
                refusal(call.substring(0, blank), call.substring(blank + 1).replace("a0b", "a\\u0000b"));
        assertThat(refused.reason()).isEqualTo(Reason.INVALID);
        assertThat(refused).hasMessageContaining("NUL");
    }
}
