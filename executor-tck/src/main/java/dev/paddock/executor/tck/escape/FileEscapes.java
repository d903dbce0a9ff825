package dev.paddock.executor.tck.escape;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.Guarantee;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.policy.Mount;
import dev.paddock.executor.tck.subject.Prerequisite;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Attempts to read and write files that were not granted, under any name. */
public interface FileEscapes {

    /** The ways to name a file; $F is its path. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "cat \"$F\"",
                "cat <\"$F\"",
                "cat \"/./..//$F\"",
                "cat \"/proc/self/root$F\"",
                "cat \"/proc/$$/root$F\"",
                "cat \"/proc/1/root$F\"",
                "cd / && cat \"/proc/self/cwd$F\"",
                "ln -s \"$F\" link && cat link",
                "ln -s \"$(dirname \"$F\")\" up && cat \"up/${F##*/}\"",
                "ln \"$F\" hard && cat hard",
                "cp \"$F\" copy && cat copy",
                "cp /bin/cat ./harmless && ./harmless \"$F\"",
                "for ld in /lib64/ld-linux-*.so.* /lib/ld-linux-*.so.*; do \"$ld\" /bin/cat \"$F\"; done",
                "tail -c 100 \"$F\"; head -c 100 \"$F\"; dd if=\"$F\"; sed p \"$F\"",
                "git diff --no-index /dev/null \"$F\"",
                "git -C \"$(dirname \"$F\")\" grep --no-index -h secret",
            })
    default void filesThatAreNotGrantedCannotBeRead(String way, Escape escape) throws IOException {
        escape.assumeClaimed(Guarantee.READ_CONFINED);
        Path file = escape.outside("secret");
        String secret = escape.secret(file);
        String setUp = "F='" + file + "'; ";
        assertThat(escape.run(setUp + way).text()).as("what is read inside").doesNotContain(secret);
        Files.deleteIfExists(escape.inside("link"));
        Files.deleteIfExists(escape.inside("up"));
        if (!way.contains("/proc/1/") && !way.contains("self/cwd")) {
            assertThat(escape.runOutside(setUp + way).text())
                    .as("the same outside")
                    .contains(secret);
        }
    }

    @Test
    default void grantedFilesCanBeRead(Escape escape) throws IOException {
        String content = escape.secret(escape.inside("granted"));
        assertThat(escape.run("ln -s granted link && cat link").text()).contains(content);
        assertThat(escape.run("cat granted").text()).contains(content);
    }

    /**
     * Every command runs in the sandbox: in a warm slot or a new process, as an argument or in
     * a request.
     */
    @Test
    default void everyWayToStartIsConfined(Escape escape) throws IOException {
        escape.assumeClaimed(Guarantee.READ_CONFINED);
        Path file = escape.outside("secret");
        String secret = escape.secret(file);
        String granted = escape.secret(escape.inside("granted"));
        String read = "cat '" + file + "' granted";
        for (String command : List.of(read, read + " ".repeat(200_000))) {
            for (Map<String, String> env :
                    List.of(Map.<String, String>of(), Map.of("PS4", "x"), Map.of("ENV", "granted"))) {
                Escape.Output output = escape.run(escape.executor(), command, env);
                assertThat(output.text())
                        .as("%s bytes, with %s", command.length(), env)
                        .contains(granted)
                        .doesNotContain(secret);
            }
        }
        assertThat(escape.runOutside(read).text()).contains(granted).contains(secret);
    }

    /** The ways to write to an existing file; $F is its path. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "echo changed >\"$F\"",
                "echo changed >>\"$F\"",
                "echo changed >\"/proc/self/root$F\"",
                "ln -s \"$F\" link && echo changed >link",
                "ln -s \"$(dirname \"$F\")\" up && echo changed >\"up/${F##*/}\"",
                "ln \"$F\" hard && echo changed >hard",
                "echo changed >new && mv -f new \"$F\"",
                "echo changed >new && ln -f new \"$F\"",
                "echo changed >new && cp -f new \"$F\"",
                "rm -f \"$F\" && echo changed >\"$F\"",
                "mv \"$F\" taken && echo changed >taken && mv taken \"$F\"",
                "exec 7<\"$F\" && echo changed >/proc/self/fd/7",
                "truncate -s 0 \"$F\" && echo changed >>\"$F\"",
                "sed -i s/.*/changed/ \"$F\"",
                "git init -q r; cd r; echo changed >kept; git add kept; git --work-tree=\"$(dirname \"$F\")\" checkout -f -- kept",
                "git init -q r; cd r; echo changed >kept; git add kept; GIT_WORK_TREE=\"$(dirname \"$F\")\" git checkout -f -- kept",
            })
    default void filesThatAreNotGrantedCannotBeWritten(String way, Escape escape) throws IOException {
        escape.assumeClaimed(Guarantee.WRITE_CONFINED);
        Path file = escape.outside("kept");
        String content = escape.secret(file);
        String setUp = "F='" + file + "'; ";
        escape.run(setUp + way);
        assertThat(file).as("after the attempt inside").hasContent(content + "\n");
        Files.deleteIfExists(escape.inside("link"));
        Files.deleteIfExists(escape.inside("up"));
        Files.deleteIfExists(escape.inside("new"));
        escape.runOutside("rm -rf r"); // git refuses a repository of another user
        escape.runOutside(setUp + way);
        assertThat(file).as("after the same outside").content().endsWith("changed\n");
    }

    @Test
    default void filesCannotBeCreatedOutsideGrantedDirectories(Escape escape) {
        escape.assumeClaimed(Guarantee.WRITE_CONFINED);
        Path directory = escape.outside("created");
        assertThat(escape.run("mkdir '" + directory + "'").succeeded()).isFalse();
        assertThat(directory).doesNotExist();
        assertThat(escape.run("mkdir created").succeeded()).isTrue();
        assertThat(escape.inside("created")).isDirectory();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/usr", "/usr/bin", "/etc", "/bin", "/lib", "/proc", "/var", "/opt", "/root", "/run"})
    default void commandsDirectoryGrantsNoWriting(String cwd, Escape escape) {
        escape.assumeClaimed(Guarantee.WRITE_CONFINED);
        Assumptions.assumeTrue(escape.run("cd " + cwd).succeeded(), "there is no " + cwd + " for commands");
        SpawnOptions there = SpawnOptions.in(cwd);
        String name = "paddock-escape-" + UUID.randomUUID();
        try {
            escape.executor()
                    .spawn(": > " + name, there)
                    .onExit()
                    .toCompletableFuture()
                    .join();
        } finally {
            assertThat(Files.exists(Path.of(cwd, name)))
                    .as("whether it was made on the host")
                    .isFalse();
        }
        assertThat(escape.run("cd " + cwd + " && : > " + name).succeeded())
                .as("writing in " + cwd)
                .isFalse();
        assertThat(escape.run(": > " + name).succeeded())
                .as("writing in the worktree")
                .isTrue();
    }

    /** A mount that hides a directory must not accept writes there and then discard them. */
    @ParameterizedTest
    @ValueSource(strings = {"/", "/usr", "/etc", "/dev", "/proc", "/home", "/root", "/var", "/run", "/srv", "/mnt"})
    default void noWriteSucceedsWithoutReachingHost(String directory, Escape escape) {
        escape.assumeClaimed(Guarantee.WRITE_CONFINED);
        assertThat(escape.run("mkdir " + directory + "/paddock-escape").succeeded())
                .as("making a directory in " + directory)
                .isFalse();
        assertThat(Files.exists(Path.of(directory, "paddock-escape"))).isFalse();
        assertThat(escape.run("mkdir paddock-escape").succeeded()).isTrue();
    }

    /**
     * Root owns these even without capabilities. Opening one for writing is enough; nothing is
     * written.
     */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "/proc/sys/kernel/core_pattern",
                "/proc/sys/kernel/modprobe",
                "/proc/sys/kernel/hostname",
                "/proc/sys/vm/drop_caches",
                "/proc/sys/fs/binfmt_misc/register",
                "/proc/sysrq-trigger",
                "/sys/kernel/uevent_helper",
                "/sys/fs/cgroup/cgroup.procs",
                "/sys/power/state",
            })
    default void kernelSettingsCannotBeOpenedForWriting(String file, Escape escape) {
        escape.assumeClaimed(Guarantee.WRITE_CONFINED);
        assertThat(escape.run(": >> " + file).succeeded()).as("opening " + file).isFalse();
        assertThat(escape.run(": >> settings").succeeded()).isTrue();
    }

    /**
     * A user namespace in which the command maps itself to root, which is possible outside the sandbox.
     */
    @Test
    default void userMappingCannotBeWrittenByCommand(Escape escape) {
        escape.assumeClaimed(Guarantee.WRITE_CONFINED, Guarantee.SYSCALL_FILTER);
        String[] mapping = {"mapping", KernelEscapes.Call.UNSHARE_USER.number()};
        Prerequisite.require(
                escape.attemptOutside(mapping).text().equals("done\n"), "this host makes no user namespaces for perl");
        assertThat(escape.attempt(mapping).text()).as("mapping users").isEqualTo("refused: 1\n");
    }

    @Test
    default void temporaryFilesAreNotHosts(Escape escape) throws IOException {
        escape.assumeClaimed(Guarantee.PRIVATE_TMP);
        String name = "paddock-escape-" + escape.secret(escape.inside("name"));
        assertThat(escape.run("echo mine > /tmp/" + name + " && cat /tmp/" + name)
                        .text())
                .isEqualTo("mine\n");
        assertThat(Path.of("/tmp", name)).doesNotExist();
        Path trap = Files.createSymbolicLink(Path.of("/tmp", name), escape.outside("aim"));
        try {
            assertThat(escape.run("echo x > /tmp/" + name).succeeded()).isTrue();
            assertThat(escape.outside("aim")).doesNotExist();
        } finally {
            Files.delete(trap);
        }
    }

    @Test
    default void mountsGrantWhatTheySayAndNoMore(Escape escape) throws IOException {
        escape.assumeClaimed(Guarantee.WRITE_CONFINED, Guarantee.READ_CONFINED);
        escape.assumeMounts();
        Path readable = Files.createDirectory(escape.outside("readable"));
        Path writable = Files.createDirectory(escape.outside("writable"));
        String content = escape.secret(readable.resolve("file"));
        escape.secret(writable.resolve("file"));
        CommandExecutor executor = escape.with(escape.policy()
                .mount(new Mount(readable, readable.toString(), Mount.Access.READ_ONLY))
                .mount(new Mount(writable, writable.toString(), Mount.Access.READ_WRITE))
                .build());
        assertThat(run(escape, executor, "cat '" + readable + "/file'").text()).contains(content);
        for (String way : new String[] {
            "echo x > '%s/file'",
            "echo x > '%s/new'",
            "rm '%s/file'",
            "mv '%1$s/file' '%1$s/renamed'",
            "ln '%s/file' hard && echo x > hard",
            "exec 7<'%s/file' && echo x > /proc/self/fd/7"
        }) {
            assertThat(run(escape, executor, way.formatted(readable)).succeeded())
                    .as(way + " in a read-only mount")
                    .isFalse();
            assertThat(readable.resolve("file")).hasContent(content + "\n");
        }
        assertThat(run(escape, executor, "echo x > '" + writable + "/file'").succeeded())
                .isTrue();
        assertThat(writable.resolve("file")).hasContent("x\n");
        assertThat(escape.run("cat '" + readable + "/file'").succeeded())
                .as("reading it without the mount")
                .isFalse();
    }

    private static Escape.Output run(Escape escape, CommandExecutor executor, String command) {
        return escape.run(executor, command, Map.of());
    }
}
