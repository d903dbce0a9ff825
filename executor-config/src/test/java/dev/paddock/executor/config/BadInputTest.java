package dev.paddock.executor.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that what is no configuration is refused, and that the message says where and why. */
class BadInputTest {
    @TempDir
    private Path directory;

    private Path file;

    @BeforeEach
    void resolveLinks() throws IOException {
        directory = directory.toRealPath();
        file = directory.resolve("paddock.yaml");
    }

    static Stream<Arguments> texts() {
        return Stream.of(
                Arguments.of("", ": it is empty"),
                Arguments.of("# nothing\n\n", ": it is empty"),
                Arguments.of("network: off\nnetwrok: off\n", ":2: unknown key 'netwrok'; did you mean 'network'?"),
                Arguments.of("limits:\n  memroy: 2g\n", ":2: unknown key 'memroy' in limits; did you mean 'memory'?"),
                Arguments.of("zzz: 1\n", ":1: unknown key 'zzz'; there are extends, executor, image"),
                Arguments.of("mounts: [ { src: a, target: /a } ]", ":1: unknown key 'src' in mounts"),
                Arguments.of(
                        "network: off\n\nnetwork: open\n", ":3: the key 'network' is there twice, first in line 1"),
                Arguments.of("limits:\n\tmemory: 2g\n", ":2: this is no YAML: found character '\\t(TAB)'"),
                Arguments.of("network: off\n---\nnetwork: open\n", ":2: this is no YAML: but found another document"),
                Arguments.of("network: 'off\n", ": this is no YAML: "),
                Arguments.of("a: \0\n", ":1: this is no YAML: the character U+0000"),
                Arguments.of("just words\n", ":1: a configuration is a map of keys and values, not 'just words'"),
                Arguments.of("[network]\n", ":1: a configuration is a map of keys and values, not a list"),
                Arguments.of("? [a]\n: b\n", ":1: a key is a word, not a list"),
                Arguments.of("<<: { network: open }\n", ":1: unknown key '<<'"),
                Arguments.of("limits: &l { cpus: 1 }\nenvironment: *l\n", ":1: anchors and aliases are not read"),
                Arguments.of("network: !!java.net.URL http://a\n", ":1: network is a text, not 'http://a'"),
                Arguments.of("network: maybe\n", ":1: the network is 'off', 'open' or 'allow' with hosts, not 'maybe'"),
                Arguments.of("network:\n", ":1: network is a text, not nothing"),
                Arguments.of("network: { allow: [127.0.0.1] }\n", ":1: the network rule '127.0.0.1' cannot be used"),
                Arguments.of("network: { allow: [] }\n", ":1: the list of allowed hosts is empty"),
                Arguments.of("network: { deny: [a.org] }\n", ":1: unknown key 'deny' in network"),
                Arguments.of("network: { allow: a.org }\n", ":1: network.allow is a list, not 'a.org'"),
                Arguments.of("toolchains: all\n", ":1: toolchains is path or off, not 'all'"),
                Arguments.of("shell: zsh\n", ":1: shell is bash or sh, not 'zsh'"),
                Arguments.of("identity: me\n", ":1: identity is user or none, not 'me'"),
                Arguments.of("caches: [mavne]\n", ":1: there is no cache named 'mavne'; did you mean maven?"),
                Arguments.of("caches: maven\n", ":1: caches is a list, not 'maven'"),
                Arguments.of("cache-scope: all\n", ":1: cache-scope is worktree or user, not 'all'"),
                Arguments.of("cache-from-home: 1\n", ":1: cache-from-home is true or false, not '1'"),
                Arguments.of("mcp:\n  f: { cmd: x }\n", ":2: unknown key 'cmd' in mcp"),
                Arguments.of("mcp:\n  f: {}\n", ":2: the MCP server 'f' is a program or an address"),
                Arguments.of("mcp:\n  f: { command: x, url: 'http://a' }\n", ":2: the MCP server 'f' is a program or"),
                Arguments.of("mcp:\n  f: { command: x, run: docker }\n", ":2: mcp.run is sandbox or host"),
                Arguments.of("mcp:\n  f: { command: x, token: T }\n", "has token, which is for a url alone"),
                Arguments.of("mcp:\n  f: { url: 'https://a', pass: [T] }\n", "has pass, which is for a command alone"),
                Arguments.of(
                        "mcp:\n  f: { url: 'https://me:secret@a' }\n",
                        "is not http or https with a host and without a user"),
                Arguments.of("mcp:\n  f_f: { command: x }\n", ":2: an MCP server's name is 1 to 24 letters"),
                Arguments.of("mcp:\n  f: { command: x, env: { 'A B': c } }\n", ":2: "),
                Arguments.of("models:\n  fast: { provider: ollama }\n", ":2: the model 'fast' lacks its model"),
                Arguments.of("models:\n  'a b': { provider: x, model: y }\n", ":2: a model's name is 1 to 64 letters"),
                Arguments.of(
                        "models:\n  a: { provider: x, model: y, max-tokens: 0 }\n", ":2: models.max-tokens is a whole"),
                Arguments.of("models: fast\n", ":1: models is a map of keys and values, not 'fast'"),
                Arguments.of("settings: far\n", ":1: settings is a map of keys and values, not 'far'"),
                Arguments.of("settings: { host: }\n", ":1: settings.host is a text, not nothing"),
                Arguments.of("settings: { host: ' ' }\n", ":1: the setting 'host' is empty"),
                Arguments.of("settings: { 'a b': c }\n", ":1: a setting's name consists of letters and digits"),
                Arguments.of("audit: maybe\n", ":1: audit is on, required or off, not 'maybe'"),
                Arguments.of("executor: bwarp\n", ":1: there is no backend named 'bwarp'; did you mean bwrap?"),
                Arguments.of("executor: true\n", ":1: executor is a text, not 'true'; put it in quotes"),
                Arguments.of("image: [a]\n", ":1: image is a text, not a list"),
                Arguments.of("image: a\ncontainer: b\n", ":2: image makes a container and container uses one"),
                Arguments.of("limits: 2g\n", ":1: limits is a map of keys and values, not '2g'"),
                Arguments.of("limits: { memory: much }\n", ":1: a size is digits"),
                Arguments.of("limits: { memory: 1k }\n", ":1: the memory limit is less than 6 MiB"),
                Arguments.of("limits: { cpus: 0 }\n", ":1: the CPU limit is not a number more than 0"),
                Arguments.of("limits: { cpus: .inf }\n", ":1: cpus is a number such as 1.5"),
                Arguments.of("limits: { processes: 1e3 }\n", ":1: processes is a whole number"),
                Arguments.of("mounts: { source: a }\n", ":1: mounts is a list, not a map"),
                Arguments.of("mounts: [ { source: a } ]\n", ":1: the mount lacks its target"),
                Arguments.of(
                        "mounts: [ { source: a, target: b } ]\n", ":1: the command-side path is not absolute: 'b'"),
                Arguments.of(
                        "mounts: [ { source: a, target: ~me/.m2 } ]\n",
                        ":1: the command-side path is not absolute: '~me/.m2'"),
                Arguments.of("mounts: [ { source: a, target: /b, access: x } ]\n", ":1: access is ro or rw, not 'x'"),
                Arguments.of(
                        "mounts:\n- { source: a, target: /b }\n- { source: c, target: /b }\n",
                        ":3: the target '/b' is that of the mount in line 2"),
                Arguments.of("environment: { pass: CI }\n", ":1: environment.pass is a list, not 'CI'"),
                Arguments.of("environment: { pass: ['A=B'] }\n", "'A=B'"),
                Arguments.of("environment: { set: { A: } }\n", ":1: environment.set.A is a text, not nothing"),
                Arguments.of(
                        "environment: { set: { A: yes, B: true } }\n", ":1: environment.set.B is a text, not 'true'"),
                Arguments.of("extends: none\n", ":1: there is no preset named 'none'"),
                Arguments.of("extends: ./absent.yaml\n", ":1: extends './absent.yaml': the configuration "),
                Arguments.of("a: {".repeat(9_000), ": this is nested too deeply"),
                Arguments.of("# long\n".repeat(1_500_000), ": it is longer than 65536 bytes"));
    }

    @ParameterizedTest
    @MethodSource("texts")
    void badInputIsRefusedWithFileAndLine(String text, String message) throws IOException {
        Files.writeString(file, text);
        assertThatExceptionOfType(SandboxConfigException.class)
                .isThrownBy(() -> SandboxConfig.read(file))
                .withMessageStartingWith(file.toString())
                .withMessageContaining(message);
    }

    @Test
    void textInAnotherEncodingIsRefusedWithItsLine() throws IOException {
        Files.write(file, "network: off\nimage: m\u00fcll\n".getBytes(StandardCharsets.ISO_8859_1));
        assertThatExceptionOfType(SandboxConfigException.class)
                .isThrownBy(() -> SandboxConfig.read(file))
                .withMessage(file + ":2: this is not UTF-8; save the file in that encoding");
    }

    @Test
    void onlyRegularFilesAreRead() throws Exception {
        assertThatExceptionOfType(SandboxConfigException.class)
                .isThrownBy(() -> SandboxConfig.read(file))
                .withMessageContaining(file + " does not exist");
        assertThatExceptionOfType(SandboxConfigException.class)
                .isThrownBy(() -> SandboxConfig.read(directory))
                .withMessageContaining(directory + " is a directory");
        assertThatExceptionOfType(SandboxConfigException.class)
                .isThrownBy(() -> SandboxConfig.read(Path.of("/dev/zero")))
                .withMessageContaining("/dev/zero is no regular file");
    }

    @Test
    void circleIsNamed() throws IOException {
        Path other = directory.resolve("other.yaml");
        Files.writeString(file, "extends: other.yaml\n");
        Files.writeString(other, "network: off\nextends: ./paddock.yaml\n");
        assertThatExceptionOfType(SandboxConfigException.class)
                .isThrownBy(() -> SandboxConfig.read(file))
                .withMessage(other + ":2: extends goes in a circle: " + file + " -> " + other + " -> " + file);
        Files.createSymbolicLink(directory.resolve("again.yaml"), file);
        Files.writeString(file, "extends: again.yaml\n");
        assertThatExceptionOfType(SandboxConfigException.class)
                .isThrownBy(() -> SandboxConfig.read(file))
                .withMessageContaining("extends goes in a circle: ");
    }

    /** A repository's file can lead to any of the user's, and the message may appear in a public log. */
    @ParameterizedTest
    @ValueSource(strings = {"user secret", "secret: 1", "executor: secret", "limits: { memory: secret }", "'secret"})
    void messageQuotesNothingOfFileElsewhere(String text) throws IOException {
        Path elsewhere = Files.createDirectories(directory.resolve("home")).resolve("token.yaml");
        Files.writeString(elsewhere, text + "\n");
        Path project = Files.createDirectory(directory.resolve("project"));
        Path extending = Files.writeString(project.resolve("paddock.yaml"), "extends: ../home/token.yaml\n");
        Path inner = Files.writeString(project.resolve("inner.yaml"), "extends: ./paddock.yaml\n");
        Path link = Files.createSymbolicLink(project.resolve("link.yaml"), elsewhere);
        for (Path leading : List.of(extending, inner, link)) {
            assertThatExceptionOfType(SandboxConfigException.class)
                    .isThrownBy(() -> SandboxConfig.read(leading))
                    .withMessageContaining("'--config " + elsewhere + "' shows why")
                    .withNoCause()
                    .satisfies(refused -> assertThat(refused).message().doesNotContain("secret"));
        }
        assertThatExceptionOfType(SandboxConfigException.class)
                .as("the user reads it by name")
                .isThrownBy(() -> SandboxConfig.read(elsewhere))
                .withMessageStartingWith(elsewhere + ":");
    }
}
