package dev.paddock.journeys;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.executor.tck.subject.Prerequisite;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the command line says after a failure that an option would have prevented. */
@EnabledOnOs(OS.LINUX)
class HintTest {
    @TempDir
    private Path root;

    private Path project = Path.of("project");
    private Path home = Path.of("home");
    private Paddock paddock = Paddock.in(project, project);

    @BeforeEach
    void create() throws Exception {
        Path real = root.toRealPath();
        project = Files.createDirectory(real.resolve("project"));
        home = Files.createDirectory(real.resolve("home"));
        paddock = Paddock.in(project, home);
        paddock.host("git init -q");
    }

    @ParameterizedTest
    @ValueSource(strings = {"bwrap", "landlock"})
    void directoryThatIsShownIsNotCalledHidden(String sandbox) {
        Paddock.Result result = paddock.env("PATH", "/usr/bin:/bin").script(sandbox, "wc f", "--env", "PATH=/nowhere");
        assertThat(result.exitCode()).isEqualTo(127);
        assertThat(result.stderr())
                .contains("the host has wc in /usr/bin")
                .doesNotContain("which this sandbox does not show", "--mount");
    }

    @ParameterizedTest
    @ValueSource(strings = {"bwrap", "landlock"})
    @Tag("full")
    void mavenOfflineNamesCache(String sandbox) throws Exception {
        Programs.require("mvn");
        Files.writeString(project.resolve("pom.xml"), """
                <project><modelVersion>4.0.0</modelVersion><groupId>g</groupId><artifactId>a</artifactId>
                <version>1</version><packaging>pom</packaging><parent><groupId>no.such</groupId>
                <artifactId>parent</artifactId><version>1</version><relativePath/></parent></project>
                """);
        for (String option : new String[] {"-o", "-B"}) {
            Paddock.Result result = paddock.script(sandbox, "mvn " + option + " validate");
            assertThat(result.exitCode()).isOne();
            assertThat(result.stderr()).as(result.stdout()).contains("--cache maven", "--cache-from-home");
        }
        Paddock.Result granted = paddock.script(sandbox, "mvn -o validate", "--cache", "maven", "--cache-from-home");
        assertThat(granted.exitCode()).isOne();
        assertThat(granted.stderr()).as("granted already").doesNotContain("--cache");
    }

    @ParameterizedTest
    @ValueSource(strings = {"bwrap", "landlock"})
    void javaHasHomeOfCommand(String sandbox) throws Exception {
        Programs.require("java");
        Files.writeString(project.resolve("Home.java"), """
                class Home {
                    public static void main(String[] none) {
                        System.out.println(System.getProperty("user.home").equals(System.getenv("HOME")));
                    }
                }
                """);
        paddock.host("javac Home.java");
        Paddock.Result result = paddock.script(sandbox, "java Home");
        assertThat(result.stdout()).as(result.stderr()).isEqualTo("true\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"bwrap", "landlock"})
    void npmWithoutNetworkEndsAtOnce(String sandbox) {
        Programs.require("npm");
        Paddock.Result result = paddock.script(sandbox, "npm view left-pad", "--timeout", "30");
        assertThat(result.exitCode()).as(result.stderr()).isOne();
        assertThat(result.stderr()).contains("the network is off for commands");
    }

    /**
     * npm hides what a package's scripts print if they succeed, as husky does without its hooks. Landlock's guard
     * undoes what husky has set, and says so.
     */
    @Test
    @Tag("full")
    void npmInstallNamesHooksThatHuskyDidNotMake() throws Exception {
        Programs.require("npm");
        Path husky = Files.createDirectory(project.resolve("husky"));
        Files.writeString(husky.resolve("package.json"), """
                {"name": "husky", "version": "9.0.0", "bin": "bin.js"}
                """);
        Files.writeString(husky.resolve("bin.js"), """
                #!/usr/bin/env node
                require('child_process').spawnSync('git', ['config', 'core.hooksPath', '.husky/_'])
                """);
        Files.writeString(project.resolve("package.json"), """
                {"scripts": {"prepare": "husky"}, "devDependencies": {"husky": "file:husky"}}
                """);
        Paddock.Result result = paddock.script("bwrap", "npm install --no-audit --no-fund");
        assertThat(result.exitCode()).as(result.stderr()).isZero();
        assertThat(result.stderr()).contains("husky has set up no hooks");
    }

    /** The exit code of a pipe is that of its last command. */
    @ParameterizedTest
    @ValueSource(strings = {"bwrap", "landlock"})
    void failureBeforePipeIsNotSilent(String sandbox) {
        Programs.require("curl");
        Paddock.Result result = paddock.script(sandbox, "curl -sS https://host.example 2>&1 | tail -n 5");
        assertThat(result.exitCode()).as(result.stderr()).isZero();
        assertThat(result.stderr()).contains("exited with 0", "the network is off for commands");
        Paddock.Result quoted = paddock.script(sandbox, "echo notes: curl: '(6) Could not resolve host: x' | tail");
        assertThat(quoted.stdout()).contains("Could not resolve");
        assertThat(quoted.stderr()).as("it is no message of curl's").doesNotContain("the network is off");
    }

    @ParameterizedTest
    @ValueSource(strings = {"bwrap", "landlock"})
    void packageOfWorkspaceNamesItsRoot(String sandbox) throws Exception {
        Programs.require("node");
        Path part = Files.createDirectories(project.resolve("packages/part"));
        Files.writeString(project.resolve("package.json"), "{\"workspaces\": [\"packages/*\"]}");
        Files.writeString(
                Files.createDirectories(project.resolve("node_modules/dep")).resolve("index.js"), "");
        Paddock inPart = new Paddock(part, paddock.environment());
        assertThat(inPart.host("node -e 'require(\"dep\")'")).isEmpty();

        Paddock.Result result = inPart.script(sandbox, "node -e 'require(\"dep\")'");
        assertThat(result.exitCode()).isOne();
        assertThat(result.stderr()).contains("--worktree " + project + " ", "cd packages/part");
        assertThat(inPart.script(
                                sandbox,
                                "cd packages/part && node -e 'require(\"dep\")'",
                                "--worktree",
                                project.toString())
                        .exitCode())
                .as("as the hint says")
                .isZero();
        assertThat(inPart.script(sandbox, "git status").stderr().lines())
                .filteredOn(line -> line.startsWith("paddock: "))
                .singleElement()
                .asString()
                .contains("--worktree " + project + ";", "cd packages/part");
    }

    @ParameterizedTest
    @ValueSource(strings = {"bwrap", "landlock"})
    void packagesThatAreLinkNameMount(String sandbox) throws Exception {
        Programs.require("node");
        Path shared = Files.createDirectories(home.resolve("shared/node_modules"));
        Files.writeString(Files.createDirectory(shared.resolve("dep")).resolve("index.js"), "");
        Files.createSymbolicLink(project.resolve("node_modules"), shared);

        Paddock.Result result = paddock.script(sandbox, "node -e 'require(\"dep\")'");
        assertThat(result.exitCode()).isOne();
        assertThat(result.stderr()).contains("--mount " + shared + ":" + shared);
        assertThat(paddock.script(sandbox, "node -e 'require(\"dep\")'", "--mount", shared + ":" + shared)
                        .exitCode())
                .as("as the hint says")
                .isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"bwrap", "landlock"})
    void scriptNamesMountOfItsInterpreter(String sandbox) throws Exception {
        Path tools = Files.createDirectory(home.resolve("tools"));
        paddock.host("cp /bin/sh '" + tools + "/own' && printf '#!%s\\necho ran\\n' '" + tools
                + "/own' >run && chmod +x run && printf 'echo ran\\n' >plain");

        Paddock.Result result = paddock.script(sandbox, "./run");
        assertThat(result.exitCode()).as(result.stderr()).isBetween(126, 127);
        assertThat(result.stderr()).contains("--mount " + tools + ":" + tools);
        assertThat(paddock.script(sandbox, "./run", "--mount", tools + ":" + tools)
                        .stdout())
                .as("as the hint says")
                .isEqualTo("ran\n");

        Paddock.Result plain = paddock.script(sandbox, "./plain");
        assertThat(plain.exitCode()).isEqualTo(126);
        assertThat(plain.stderr())
                .as("it lacks a permission of its own, and the shell says so")
                .doesNotContain("paddock:");
    }

    /** Git does without the settings that it could not write, and so do the installers of hooks. */
    @Test
    void settingThatGitCouldNotWriteIsNotSilent() throws Exception {
        paddock.host("git -c user.name=a -c user.email=a@example.org commit -q --allow-empty -m x");
        Paddock.Result result = paddock.script("bwrap", "git branch other && git branch --set-upstream-to=other");
        assertThat(result.exitCode()).as(result.stderr()).isZero();
        assertThat(result.stderr()).contains("exited with 0", "'.git/config' is protected");
    }

    /** An archive of another user, as most are that come from elsewhere. */
    @ParameterizedTest
    @ValueSource(strings = {"bwrap", "landlock"})
    void rootIsToldHowToExtractArchive(String sandbox) throws Exception {
        Prerequisite.require(paddock.host("id -u").equals("0\n"), "not root");
        paddock.host("echo a >file && tar -cf archive.tar --owner=1000 --group=1000 file && rm file");

        Paddock.Result result = paddock.script(sandbox, "tar -xf archive.tar");
        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.stderr()).contains("--env TAR_OPTIONS=--no-same-owner");
        Paddock.Result helped =
                paddock.script(sandbox, "tar -xf archive.tar && cat file", "--env", "TAR_OPTIONS=--no-same-owner");
        assertThat(helped.stdout()).as(helped.stderr()).isEqualTo("a\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"bwrap", "landlock"})
    @Tag("full")
    void addressSanitizerIsToldToLeaveLeaksOut(String sandbox) throws Exception {
        Programs.require("gcc");
        Files.writeString(project.resolve("a.c"), "int main(void) { return 0; }");
        paddock.host("gcc -fsanitize=address a.c");
        assertThat(paddock.script(sandbox, "./a.out").stderr()).contains("LSAN_OPTIONS=detect_leaks=0");
        assertThat(paddock.script(sandbox, "LSAN_OPTIONS=detect_leaks=0 ./a.out")
                        .exitCode())
                .as("as the hint says")
                .isZero();
    }
}
