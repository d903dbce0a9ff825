package dev.paddock.executor.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.paddock.executor.policy.NetworkPolicy;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.policy.SandboxPolicy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests that a file which commands can write narrows the user's grants and never widens them. */
class NarrowingTest {
    @TempDir
    private Path directory;

    private Path worktree;
    private Path project;
    private Path user;

    @BeforeEach
    void createWorktree() throws IOException {
        directory = directory.toRealPath();
        worktree = Files.createDirectory(directory.resolve("tree"));
        Files.createDirectory(directory.resolve("data"));
        Files.createDirectory(directory.resolve("other"));
        project = worktree.resolve("paddock.yaml");
        user = directory.resolve("user.yaml");
    }

    private SandboxPolicy policy(String userYaml, String projectYaml) throws IOException {
        Files.writeString(user, userYaml);
        Files.writeString(project, projectYaml);
        SandboxConfig both = SandboxConfig.read(project).over(SandboxConfig.read(user));
        return both.forUser(Map.of("HOME", worktree.resolveSibling("home").toString()))
                .policy(PathMapping.same(worktree));
    }

    /** A key that a later version adds is refused until it has a rule of its own. */
    @ParameterizedTest
    @EnumSource(names = {"EXTENDS", "GROUPS", "MCP", "MODELS"})
    void keyWithoutRuleIsRefused(Key key) {
        Origin origin = new Origin(List.of(project), List.of(), 3);
        ConfigLayer asked = new ConfigLayer(Map.of(key.path(), new ConfigLayer.Entry("value", origin)), false);
        Narrowing narrowing = new Narrowing(worktree, new ConfigLayer(Map.of(), false));

        assertThatExceptionOfType(SandboxConfigException.class)
                .isThrownBy(() -> narrowing.check(asked))
                .withMessageContaining(project + ":3")
                .withMessageContaining("'" + key.path() + "' is not granted");
    }

    /** A server would run programs, and a model's address would receive the provider's key. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            mcp: { files: { command: serve } }                | mcp: { files: { command: other } } | mcp.files
            network: off                                      | mcp: { files: { url: 'http://a' } } | mcp.files
            models: { m: { provider: ollama, model: a } }     | models: { m: { provider: b, model: c } } | models.m
            """)
    void worktreesFileConfiguresNoServerAndNoModel(String userYaml, String projectYaml, String name)
            throws IOException {
        Files.writeString(user, userYaml);
        Files.writeString(project, projectYaml);
        SandboxConfig both = SandboxConfig.read(project).over(SandboxConfig.read(user));
        PathMapping mapping = PathMapping.same(worktree);
        for (ThrowingCallable use : List.<ThrowingCallable>of(
                () -> both.policy(mapping), () -> both.mcpServers(mapping), () -> both.models(mapping))) {
            assertThatExceptionOfType(SandboxConfigException.class)
                    .isThrownBy(use)
                    .withMessageContaining(project + ":1: '" + name + "' is not granted");
        }
        SandboxConfig own = SandboxConfig.read(user);
        assertThat(own.mcpServers(mapping).size() + own.models(mapping).size())
                .isEqualTo(userYaml.startsWith("network") ? 0 : 1);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            network: open                     | network: off
            network: open                     | network: open
            network: open                     | network: { allow: [a.org] }
            network: { allow: ["*.a.org"] }   | network: { allow: ["b.a.org:443"] }
            network: { allow: ["a.org/9m"] }  | network: { allow: ["a.org/8m"] }
            network: { allow: [a.org] }       | network: { allow: [a.org], proxy-variables: true }
            network: { allow: [a.org], proxy-variables: true } | network: { allow: [a.org] }
            network: { allow: ["*.a.org/9m"] } | network: { allow: ["b.a.org/5m", "c.a.org/4m"] }
            {network: { allow: ["@own"] }, groups: { own: [a.org, b.org] }} | network: { allow: ["@own"] }
            network: { allow: ["localhost:5432", a.org] } | network: { allow: ["localhost:5432"] }
            network: { allow: [a.org] }       | network: off
            network: open                     | extends: sandbox
            { executor: docker, root: writable } | root: read-only
            { executor: docker, root: writable } | root: writable
            unix-sockets: on                  | unix-sockets: off
            network: off                      | unix-sockets: on
            toolchains: path                  | toolchains: path
            toolchains: path                  | toolchains: off
            identity: user                    | identity: none
            shell: sh                         | shell: bash
            caches: [maven, npm]              | caches: [npm]
            { caches: [npm], cache-scope: user } | cache-scope: worktree
            { caches: [npm], cache-from-home: true } | cache-from-home: false
            executor: host                    | executor: bwrap
            executor: bwrap                   | executor: bwrap
            executor: docker                  | image: debian
            { executor: ssh, settings: { host: a } } | settings: { host: a }
            { executor: kubernetes, image: a } | image: a
            { executor: docker, image: a }    | image: a
            container: a                      | container: a
            limits: { memory: 2g, cpus: 2 }   | limits: { memory: 1g, cpus: 1.5, processes: 512, file-size: 1m }
            limits: { processes: 900 }        | limits: { processes: 800 }
            mounts: [ { source: data, target: /d, access: rw } ] | mounts: [ { source: ../data, target: /d } ]
            mounts: [ { source: data, target: /d } ]             | mounts: []
            environment: { pass: [A, B!] }    | environment: { pass: [B] }
            environment: { set: { A: 1 } }    | environment: { set: { NODE_ENV: test, LC_ALL: C, NO_COLOR: 1 } }
            environment: { from-worktree: [B, MAVEN_OPTS] } | environment: { set: { B: 1, MAVEN_OPTS: -X } }
            network: off                      | audit: on
            network: off                      | audit: required
            audit: off                        | audit: off
            audit: off                        | audit: on
            audit: required                   | audit: required
            """)
    void narrows(String userYaml, String projectYaml) throws IOException {
        assertThat(policy(userYaml, projectYaml).worktree().hostPath()).isEqualTo(worktree);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            executor: ssh                     | settings: { host: a }           | the setting 'host: a' is not granted
            { executor: ssh, settings: { host: a } } | settings: { host: b }    | the setting 'host: b' is not granted
            executor: host                    | executor: ssh                   | may confine less than 'host'
            executor: kubernetes              | image: a                        | the image 'a' is not granted
            executor: ssh                     | environment: { set: { A: b } }  | would change programs on the host
            network: off                      | network: { allow: [a.org] }     | the network of [a.org] is not granted
            network: { allow: [a.org] }       | network: open                   | the network is not granted
            network: off                      | network: { allow: [a.org], proxy-variables: true } | of [a.org] is not granted
            network: { allow: [a.org] }       | network: { allow: [b.org] }     | the network of [b.org] is not granted
            network: { allow: [a.org] }       | network: { allow: ["localhost:5432"] } | of [localhost:5432] is not granted
            network: { allow: ["localhost:5432"] } | network: { allow: ["localhost:5433"] } | of [localhost:5433] is not
            network: { allow: ["localhost:5432"] } | network: { allow: ["host.internal:5432"] } | is not granted
            network: open                     | network: { allow: ["localhost:5432"] } | of [localhost:5432] is not granted
            { network: open, groups: { own: ["localhost:5432"] } } | network: { allow: ["@own"] } | is not granted
            network: { allow: [a.org] }       | network: { allow: ["a.org:22"] } | the network of [a.org:22] is not granted
            network: { allow: [a.org] }       | network: { allow: [a.org/private] } | is not granted
            network: off                      | network: open                   | the network is not granted
            network: { allow: [a.org] }       | network: { allow: [a.org], proxy: host } | is not granted
            network: { allow: [a.org], proxy: host } | network: { allow: [a.org] } | is not granted
            network: { allow: [a.org/9m] }    | network: { allow: [a.org] }     | is not granted
            network: { allow: ["*.a.org/9m"] } | network: { allow: ["b.a.org/5m", "c.a.org/5m"] } | is not granted
            network: { allow: ["@own"] }      | groups: { own: [a.org] }        | is not granted
            {network: { allow: ["@own"] }, groups: { own: [a.org] }} | groups: { own: [b.org] } | is not granted
            {network: { allow: [a.org] }, groups: { own: [b.org] }} | network: { allow: ["@own"] } | the network of [b.org] is not granted
            executor: docker                  | root: writable                  | a writable root is not granted
            unix-sockets: off                 | unix-sockets: on                | unix sockets are not granted
            toolchains: off                   | toolchains: path                | the toolchains are not granted
            network: off                      | toolchains: path                | the toolchains are not granted
            network: off                      | identity: user                  | your identity is not granted
            caches: [npm]                     | caches: [npm, maven]            | the cache 'maven' is not granted
            caches: [npm]                     | cache-scope: user               | other worktrees share are not granted
            caches: [npm]                     | cache-from-home: true           | a copy of your caches is not granted
            network: off                      | extends: build                  | the toolchains are not granted
            limits: { cpus: 1 }               | extends: development            | the network is not granted
            executor: auto                    | executor: host                  | the executor 'host' may confine less
            network: off                      | executor: landlock              | may confine less than 'auto'
            executor: bwrap                   | executor: docker                | may confine less than 'bwrap'
            network: off                      | image: debian                   | the image 'debian' is not granted
            { executor: docker, image: a }    | image: b                        | the image 'b' is not granted
            { executor: docker, container: a } | image: b                       | the image 'b' is not granted
            executor: docker                  | container: a                    | the container 'a' is not granted
            limits: { memory: 1g }            | limits: { memory: 1025m }       | limits.memory 1025m is more
            limits: { cpus: 1 }               | limits: { cpus: 1.1 }           | limits.cpus 1.1 is more
            limits: { file-size: 1m }         | limits: { file-size: 2m }       | limits.file-size 2m is more
            network: off                      | limits: { processes: 513 }      | limits.processes 513 is more
            mounts: [ { source: data, target: /d } ] | mounts: [ { source: ../other, target: /d } ] | is not granted
            mounts: [ { source: data, target: /d } ] | mounts: [ { source: ../data, target: /e } ]  | is not granted
            mounts: [ { source: data, target: /d } ] | mounts: [ { source: ../data, target: /d, access: rw } ] | (rw) is not
            network: off                      | environment: { pass: [A] }      | the variable A is not granted
            environment: { pass: [T_TOKEN] }  | environment: { pass: [T_TOKEN!] } | the variable T_TOKEN is not granted
            network: off                      | environment: { set: { LD_PRELOAD: x } } | LD_PRELOAD is not one that every
            network: off                      | environment: { set: { http_proxy: x } } | http_proxy is not one that every
            network: off                      | environment: { set: { PATH: x } } | PATH is not one that every
            network: off                      | environment: { set: { HOME: x } } | from-worktree: [HOME] to your own
            network: off                      | environment: { set: { NPM_CONFIG_REGISTRY: x } } | is not one that every
            environment: { from-worktree: [A] } | environment: { set: { B: 2 } } | B is not one that every
            network: off                      | environment: { from-worktree: [B] } | the key 'environment.from-worktree' is not
            environment: { set: { CI: 1 } }   | environment: { set: { CI: 2 } } | has a value of your own
            environment: { pass: [CI] }       | environment: { set: { CI: 2 } } | has a value of your own
            executor: host                    | environment: { set: { A: 2 } }  | would change programs on the host
            network: off                      | audit: off                      | audit is 'on'
            audit: on                         | audit: off                      | audit is 'on'
            audit: required                   | audit: on                       | audit is 'required'
            """)
    void doesNotWiden(String userYaml, String projectYaml, String message) {
        assertThatExceptionOfType(SandboxConfigException.class)
                .isThrownBy(() -> policy(userYaml, projectYaml))
                .withMessageStartingWith(project + ":1: ")
                .withMessageContaining(message)
                .withMessageEndingWith("can only narrow what your own configuration grants");
    }

    /** This module writes no records, so it must not start commands that are to leave some. */
    @Test
    void configurationThatRequiresRecordsIsNotOpenedWithoutThem() throws IOException {
        Files.writeString(user, "executor: host\naudit: required\n");
        SandboxConfig config = SandboxConfig.read(user);
        assertThat(config.auditing()).contains(Auditing.REQUIRED);
        assertThatExceptionOfType(SandboxConfigException.class)
                .isThrownBy(() -> config.open(PathMapping.same(worktree), progress -> {}))
                .withMessageStartingWith(user + ":2: audit is required");
        Files.writeString(user, "executor: host\naudit: on\n");
        SandboxConfig.read(user)
                .open(PathMapping.same(worktree), progress -> {})
                .close();
    }

    @Test
    void fileOutsideWorktreeWidens() throws IOException {
        Files.writeString(user, "network: open\n");
        assertThat(SandboxConfig.read(user).policy(PathMapping.same(worktree)).network())
                .isEqualTo(NetworkPolicy.open());
    }

    @Test
    void programsOwnSettingsCountOverFile() throws IOException {
        Files.writeString(project, "network: open\nexecutor: host\n");
        SandboxConfig config =
                SandboxConfig.builder().network("off").executor("bwrap").build().over(SandboxConfig.read(project));
        assertThat(config.policy(PathMapping.same(worktree)).network()).isEqualTo(NetworkPolicy.off());
        assertThat(config.executor()).isEqualTo("bwrap");
    }

    @Test
    void fileThatFileInWorktreeExtendsGrantsNothing() throws IOException {
        Files.writeString(worktree.resolve("base.yaml"), "network: open\n");
        Files.writeString(user, "extends: tree/base.yaml\n");
        assertThatExceptionOfType(SandboxConfigException.class)
                .isThrownBy(() -> SandboxConfig.read(user).policy(PathMapping.same(worktree)))
                .withMessageStartingWith(worktree.resolve("base.yaml") + ":1: the network is not granted");
    }

    @Test
    void fileThatWorktreeFileExtendsCannotGrant() throws IOException {
        Files.writeString(user, "network: open\n");
        Files.writeString(project, "extends: ../user.yaml\n");
        assertThatExceptionOfType(SandboxConfigException.class)
                .isThrownBy(() -> SandboxConfig.read(project).policy(PathMapping.same(worktree)))
                .withMessageContaining("not granted");
    }

    @Test
    void linkIsReadAsFileOfWorktree() throws IOException {
        Files.writeString(user, "network: open\n");
        Files.createSymbolicLink(project, user);
        assertThatExceptionOfType(SandboxConfigException.class)
                .isThrownBy(() -> SandboxConfig.read(project).policy(PathMapping.same(worktree)))
                .withMessageContaining("it is a link that leads out of the worktree");
        Path inside = Files.writeString(worktree.resolve("inside.yaml"), "network: open\n");
        Path link = Files.createSymbolicLink(directory.resolve("link.yaml"), inside);
        assertThatExceptionOfType(SandboxConfigException.class)
                .isThrownBy(() -> SandboxConfig.read(link).policy(PathMapping.same(worktree)))
                .withMessageContaining("the network is not granted");
    }
}
