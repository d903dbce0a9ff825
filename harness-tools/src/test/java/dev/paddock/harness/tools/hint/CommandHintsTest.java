package dev.paddock.harness.tools.hint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.executor.Guarantee;
import dev.paddock.executor.policy.Mount;
import dev.paddock.executor.policy.NetworkPolicy;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.policy.SandboxPolicy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CommandHintsTest {
    private static final Set<Guarantee> KEPT = EnumSet.allOf(Guarantee.class);

    @TempDir
    private Path bin;

    private SandboxPolicy policy;

    @BeforeEach
    void create() throws IOException {
        Path tool = Files.writeString(bin.resolve("cargo"), "");
        Files.setPosixFilePermissions(tool, PosixFilePermissions.fromString("rwxr-xr-x"));
        policy = SandboxPolicy.builder(PathMapping.same(Path.of("/work"))).build();
    }

    private CommandHints hints(Set<Guarantee> guarantees, boolean seesHostPaths) {
        return new CommandHints(new SandboxFacts(policy, guarantees, "/nowhere:" + bin, seesHostPaths));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "sh: 1: cargo: not found\n",
                "bash: line 1: cargo: command not found\n",
                "/usr/bin/env: 'cargo': No such file or directory",
                "building\nsh: cargo: not found"
            })
    void programOfHostIsNamedWithOptionThatGrantsIt(String output) {
        assertThat(hints(KEPT, true).after(127, output))
                .singleElement()
                .asString()
                .contains(bin + ",", "--toolchains path", "--mount " + bin);
        assertThat(hints(KEPT, false).after(127, output))
                .singleElement()
                .asString()
                .contains("image");
        assertThat(hints(KEPT, true).after(1, output)).as("another failure").isEmpty();
        assertThat(hints(Set.of(), true).after(127, output)).as("on the host").isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/bin/sh: 1: nothing: not found\n", "bash: line 1: nothing: command not found"})
    void programThatHostLacksToo(String output) {
        assertThat(hints(KEPT, true).after(127, "building\n" + output))
                .singleElement()
                .asString()
                .startsWith("nothing is not on this machine's PATH either");
        assertThat(hints(KEPT, true).after(1, output)).as("another failure").isEmpty();
        assertThat(hints(KEPT, false).after(127, output))
                .as("in a container")
                .singleElement()
                .asString()
                .startsWith("nothing is neither in the container's image nor on this machine");
        assertThat(hints(Set.of(), true).after(127, output)).as("on the host").isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"sh: 1: ../cargo: not found", "sh: 1: echo 'nothing': not found", "", "cargo"})
    void outputThatNamesNoProgramGivesNoHint(String output) {
        assertThat(hints(KEPT, true).after(127, output)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "curl: (6) Could not resolve host: example.org",
                "Temporary failure in name resolution",
                "npm error code EAI_AGAIN",
                "httpc request failed with: {:failed_connect, [{:inet6, [:inet6], :nxdomain}]}",
                "Warning: unable to access index for repository https://example.org/src/contrib:",
                "java.net.UnknownHostException: repo.maven.apache.org",
                "wget: unable to resolve host address 'example.org'",
                "Caused by: java.nio.channels.UnresolvedAddressException",
                "CMake Error at x.cmake:2 (message): 6;\"Couldn't resolve host name\"",
                "Could not reach host index.rubygems.org. Check your network connection and try again."
            })
    void aFailedLookUpNamesTheNetworkOnlyIfItIsOff(String output) {
        assertThat(hints(KEPT, true).after(6, output))
                .singleElement()
                .asString()
                .contains("--network open");
        policy = policy.toBuilder().network(NetworkPolicy.open()).build();
        assertThat(hints(EnumSet.complementOf(EnumSet.of(Guarantee.NETWORK_OFF)), true)
                        .after(6, output))
                .isEmpty();
    }

    /** As in {@code npm install 2>&1 | tail}, whose exit code is that of tail. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            curl: (6) Could not resolve host: example.org                                   | --network open
            npm error code EAI_AGAIN                                                        | --network open
            Warning: unable to access index for repository https://example.org/src/contrib: | --network open
            bash: line 1: cargo: command not found                                          | the host has cargo
            [ERROR] Cannot access central in offline mode and the artifact g:a:jar:1        | --cache maven
            error: could not write config file .git/config: Device or resource busy         | .git/config
            """)
    void aFailureThatACommandSwallowedIsNamed(String output, String hint) {
        assertThat(hints(KEPT, true).after(0, "building\n" + output + "\nend\n"))
                .singleElement()
                .asString()
                .startsWith("the command exited with 0, although a part of it failed: ")
                .contains(hint);
        assertThat(hints(KEPT, true).after(0, "notes.txt:1: " + output))
                .as("text of a file")
                .isEmpty();
        assertThat(hints(Set.of(), true).after(0, output)).as("on the host").isEmpty();
    }

    /** A model has no options, and its session may be that of a program without a command line. */
    @Test
    void hintsForModelNameNoOption() {
        SandboxFacts facts = new SandboxFacts(policy, KEPT, "/nowhere", true);
        assertThat(CommandHints.forModel(facts).after(6, "curl: (6) Could not resolve host: example.org"))
                .containsExactly("the network is off for commands; the user can open it (network: open)");
        policy = policy.toBuilder().network(NetworkPolicy.allow("a.example")).build();
        facts = new SandboxFacts(policy, KEPT, "/nowhere", true);
        assertThat(CommandHints.forModel(facts).after(6, "curl: (6) Could not resolve host: example.org"))
                .containsExactly("the network of commands is a.example; the user can add a host (network: { allow:"
                        + " [HOST] })");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            FATAL:  could not create shared memory segment: Operation not permitted   | no shared memory of its own
            lua5.4: (command line):1: unable to generate a unique filename            | no /tmp in this sandbox
            Fatal Error Unable to create lock file: Permission denied (13)            | no /tmp in this sandbox
            Protocol 'inet_tcp': register/listen error: eperm                         | this sandbox denies sockets
            error connecting to /tmp/tmux-0/default (Operation not permitted)                       | this sandbox denies sockets
            lib = "/usr/local/lib/R/site-library" is not writable                     | is the system's
            error Error: EACCES: permission denied, open '/home/me/.npmrc'            | yarn --no-default-rc
            """)
    void whatLandlockKeepsFromProgramsIsNamed(String output, String hint) {
        Set<Guarantee> landlock = EnumSet.complementOf(EnumSet.of(Guarantee.PRIVATE_TMP, Guarantee.PRIVATE_LOOPBACK));
        assertThat(hints(landlock, true).after(1, output))
                .singleElement()
                .asString()
                .contains(hint);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            Could not create local repository at /root/.m2/repository: Permission denied     | maven
            npm error Error: EROFS: read-only file system, mkdir '/home/me/.npm/_cacache'    | npm
            failed to open: /home/me/.cargo/registry/x: Permission denied (os error 13)      | cargo
            java.nio.file.AccessDeniedException: /home/me/.gradle/caches                     | gradle
            """)
    void refusedCacheNamesItsOption(String output, String kind) {
        assertThat(hints(KEPT, true).after(1, output))
                .singleElement()
                .asString()
                .contains("--cache " + kind);
        assertThat(hints(KEPT, true).after(1, output.replace("/.", "/"))).noneMatch(hint -> hint.contains("--cache"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            Cannot access central (https://x) in offline mode and the artifact g:a:jar:1 has not been | maven
            npm error code ENOTCACHED                                                                 | npm
            As a reminder, you're using offline mode (--offline) which can sometimes cause            | cargo
            > No cached version of com.google.guava:guava:20.0 available for offline mode.            | gradle
            main.go:2:8: module lookup disabled by GOPROXY=off                                        | go
            [error] sbt.librarymanagement.ResolveException: Error downloading org.a:b_2.13:1.0         | sbt
            """)
    void aDependencyThatIsMissingNamesTheCacheUnlessItIsGranted(String output, String kind) throws IOException {
        assertThat(hints(KEPT, true).after(1, output))
                .singleElement()
                .asString()
                .contains("--cache " + kind, "--cache-from-home");
        assertThat(hints(Set.of(), true).after(1, output)).as("on the host").isEmpty();
        Path cache = Files.createDirectory(bin.resolve(kind + "-from-home"));
        policy = policy.toBuilder()
                .mount(new Mount(cache, cache.toString(), Mount.Access.READ_WRITE))
                .build();
        assertThat(hints(KEPT, true).after(1, output)).as("granted").isEmpty();

        Path empty = Files.createDirectories(bin.resolve("empty").resolve(kind));
        policy = SandboxPolicy.builder(policy.worktree())
                .mount(new Mount(empty, empty.toString(), Mount.Access.READ_WRITE))
                .build();
        assertThat(hints(KEPT, true).after(1, output))
                .as("granted, and not filled")
                .singleElement()
                .asString()
                .contains("this worktree's " + kind + " cache does not have it", "--network open");
    }

    /** Their messages have no reason, which is one or the other. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            ERROR: No matching distribution found for requests                                             | pip
            [ERROR] No plugin found for prefix 'archetype' in the current project and in the plugin groups | maven
            wget: Failed to fetch https://x/org/apache/maven/apache-maven/3.9.9/apache-maven-3.9.9-bin.zip | maven
            - Plugin Repositories (could not resolve plugin artifact 'a:a.gradle.plugin:1')                | gradle
            Caused by: java.net.UnknownHostException: services.gradle.org                                  | gradle
            """)
    void toolThatFindsNothingNamesNetworkAndCache(String output, String kind) {
        assertThat(hints(KEPT, true).after(1, output))
                .satisfiesExactly(
                        network -> assertThat(network).contains("--network open"),
                        cache -> assertThat(cache).contains("--cache " + kind));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is it running?         | container engine
            java.lang.IllegalStateException: Could not find a valid Docker environment.                | container engine
            warning: ptrace: Operation not permitted                                                   | trace processes
            [1:1:1/1.1:FATAL:x/process_singleton_posix.cc:297] Check failed: . socket() failed: Operation not permitted (1) | a browser needs
            could not launch process: fork/exec /tmp/debug: operation not permitted                    | trace processes
            E: Unable to acquire the dpkg frontend lock (/var/lib/dpkg/lock-frontend), are you root?   | cannot become root
            sudo: The "no new privileges" flag is set, which prevents sudo from running as root.       | cannot become root
            psql: error: connection to server at "localhost" (127.0.0.1), port 5432 failed: Connection refused | own
            Error: connect ECONNREFUSED 127.0.0.1:6379                                                 | sandbox's own
            System has not been booted with systemd as init system (PID 1).                            | systemd
            E: List directory /var/lib/apt/lists/partial is missing. - Acquire (2: No such file or directory) | install no packages
            dpkg: error: cannot create the dpkg database directory /var/lib/dpkg: Read-only file system | install no packages
            fatal: Failed to register url for submodule path 'sub'                                     | git submodule init
            su: Critical error - immediate abort                                                       | cannot become root
            ==8==LeakSanitizer has encountered a fatal error.                                          | detect_leaks=0
            tar: src/a: Cannot change ownership to uid 1000, gid 1000: Invalid argument                | --no-same-owner
            chown: changing ownership of 's.sh': Operation not permitted                               | another user
            install: cannot change ownership of 'z': Invalid argument                                  | another user
            npm error EACCES: permission denied, mkdir '/usr/lib/node_modules/x'                       | the system's
            java.nio.file.AccessDeniedException: /root/.config/x                                       | outside of what
            /bin/sh: 1: cannot create /etc/hosts: Read-only file system                                | '/etc/hosts' is
            unshare: unshare failed: Operation not permitted                                           | no sandboxes of their own
            bwrap: Creating new namespace failed: Operation not permitted                              | no sandboxes of their own
            mount: /mnt: must be superuser to use mount.                                               | cannot mount
            touch: cannot touch '/work/.vscode/tasks.json': Read-only file system                      | is protected
            error: could not write config file /work/.git/modules/a/config: Device or resource busy    | submodule update then works
            """)
    void whatIsKeptFromAllCommandsIsNamed(String output, String hint) {
        assertThat(hints(KEPT, true).after(1, output))
                .singleElement()
                .asString()
                .contains(hint);
        assertThat(hints(Set.of(), true).after(1, output)).as("on the host").isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            touch: cannot touch '/usr/local/bin/tool': Read-only file system                           | is the image's
            dpkg: error: unable to access the dpkg database directory /var/lib/dpkg: Read-only file system | is the image's
            fatal: could not create leading directories of '/srv/wt/.git': Read-only file system       | outside of what
            touch: cannot touch '/work/.vscode/tasks.json': Read-only file system                      | is protected
            [ERROR] Could not create local repository at /root/.m2/repository                          | -Duser.home=/tmp
            > Failed to create parent directory '/root/.gradle' when creating                          | -Duser.home=/tmp
            curl: (7) Failed to connect to localhost port 9: Connection refused                        | sandbox's own
            """)
    void aContainerDeniesTheSameToCommands(String output, String hint) {
        policy = SandboxPolicy.builder(new PathMapping(bin, "/work")).build();
        assertThat(hints(KEPT, false).after(1, output))
                .singleElement()
                .asString()
                .contains(hint);
    }

    @Test
    void linkedWorktreeInContainerNamesPathThatGitRecorded() throws IOException {
        Files.writeString(bin.resolve(".git"), "gitdir: .bare\n");
        policy = SandboxPolicy.builder(new PathMapping(bin, "/work")).build();
        String record = bin.resolve(".bare/worktrees/here").toString();
        assertThat(hints(KEPT, false).after(128, "fatal: not a git repository: " + record))
                .singleElement()
                .asString()
                .contains(record, "--exec-cwd " + bin);
        assertThat(hints(KEPT, false).after(128, "fatal: not a git repository: /other"))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "bash: ./run.sh: Permission denied",
                "/work/run.sh: Permission denied",
                "/bin/sh: 1: ./run.sh: Permission denied",
                "/bin/bash: line 1: ./run.sh: Permission denied",
                "/usr/bin/env: './run.sh': Permission denied",
                "/usr/bin/ld: cannot open output file tool: Permission denied",
                "git@host.example: Permission denied (publickey).",
                "fatal: unable to access 'https://host.example/x.git/': Permission denied",
                "cat: /home/you/.ssh/id_rsa: No such file or directory"
            })
    void failureOfAnotherCauseHasNoHint(String output) {
        assertThat(hints(KEPT, true).after(1, output)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            127 | /bin/sh: 1: ./run: not found
            126 | /bin/sh: 1: ./run: Permission denied
            127 | bash: line 1: ./run: cannot execute: required file not found
            126 | bash: line 1: ./run: PROGRAM: bad interpreter: No such file or directory
            """)
    void scriptWhoseInterpreterIsHiddenNamesIt(int exitCode, String message) throws IOException {
        Path worktree = Files.createDirectory(bin.resolve("worktree"));
        Path script = Files.writeString(worktree.resolve("run"), "#! " + bin.resolve("cargo") + " -x\necho\n");
        policy = SandboxPolicy.builder(PathMapping.same(worktree)).build();
        String output = message.replace("PROGRAM", bin.resolve("cargo").toString());

        assertThat(hints(KEPT, true).after(exitCode, output))
                .singleElement()
                .asString()
                .contains("'./run' names " + bin.resolve("cargo"), "--mount " + bin + ":" + bin);
        assertThat(hints(KEPT, false).after(exitCode, output))
                .singleElement()
                .asString()
                .contains("image");

        Files.writeString(script, "#!" + bin.resolve("none") + "\n");
        assertThat(hints(KEPT, true).after(exitCode, output))
                .as("the host has none either")
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "mise ERROR No version is set for shim: node, --env MISE_NODE_VERSION=",
        "No version is set for command node, --env ASDF_NODEJS_VERSION=",
        "No version is set for command python3, .tool-versions",
        "direnv: error /work/.envrc is blocked. Run `direnv allow`, direnv exec . paddock"
    })
    void managerWithoutItsSettingsIsHelped(String output, String remedy) {
        assertThat(hints(KEPT, true).after(1, output))
                .singleElement()
                .asString()
                .contains(remedy);
        assertThat(hints(Set.of(), true).after(1, output)).as("on the host").isEmpty();
    }
}
