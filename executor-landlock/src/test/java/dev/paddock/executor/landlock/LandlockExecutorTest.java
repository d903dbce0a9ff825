package dev.paddock.executor.landlock;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.paddock.executor.Availability;
import dev.paddock.executor.ExitStatus;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.SandboxUnavailableException;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.landlock.kernel.LandlockKernel;
import dev.paddock.executor.landlock.kernel.Rights;
import dev.paddock.executor.policy.Mount;
import dev.paddock.executor.policy.NetworkPolicy;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.executor.tck.local.UnmappedSandboxContract;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests Landlock's own behavior, besides the contract and the escapes that all backends are tested
 * for.
 */
@EnabledOnOs(OS.LINUX)
class LandlockExecutorTest extends UnmappedSandboxContract<LandlockExecutor> {

    @BeforeEach
    void requireLandlock() {
        assumeTrue(LandlockKernel.find().orElseThrow().version() > 0, "this kernel has Landlock");
    }

    @Override
    protected LandlockExecutor create(SandboxPolicy policy) {
        return LandlockExecutor.builder()
                .policy(policy)
                .quarantine(directory().resolve("quarantine"))
                .build();
    }

    /** Truncating is a separate right since version 3; before, the system-call filter denies it. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7})
    void truncatingOutsideIsRefusedWithEveryVersion(int version) throws Exception {
        Path outside = Files.writeString(directory().resolve("outside"), "content");
        LandlockExecutor executor = closedLater(LandlockExecutor.builder()
                .worktree(worktree())
                .asWithVersion(version)
                .build());
        String ways = """
                use Fcntl;
                my $f = shift;
                print "truncate: ", (truncate($f, 0) ? "done" : $!+0), "\\n";
                print "read-only: ", (sysopen(A, $f, O_RDONLY | O_TRUNC) ? "done" : $!+0), "\\n";
                print "no mode: ", (sysopen(B, $f, 3 | O_TRUNC) ? "done" : $!+0), "\\n";
                print "write: ", (sysopen(C, $f, O_WRONLY | O_TRUNC) ? "done" : $!+0), "\\n";
                """;
        Files.writeString(worktree().resolve("ways.pl"), ways);
        String answers = run(executor, "perl ways.pl " + outside).text();
        assertThat(answers).doesNotContain("done");
        assertThat(answers.lines()).hasSize(4);
        assertThat(outside).hasContent("content");

        run(executor, "echo content > inside");
        assertThat(run(executor, ": > inside; perl -e 'open(F, \"+>\", \"inside\") or die'")
                        .status()
                        .isSuccess())
                .as("opened for writing, inside")
                .isTrue();
        assertThat(worktree().resolve("inside")).isEmptyFile();
    }

    /** Landlock does not confine these calls: a command could lock the user out of every file of theirs. */
    @Test
    void extendedAttributesAndFlagsStayAsTheyAre() throws Exception {
        Path outside = Files.writeString(directory().resolve("outside"), "content");
        LandlockExecutor executor =
                closedLater(LandlockExecutor.builder().worktree(worktree()).build());
        Files.writeString(worktree().resolve("set.pl"), """
                my ($f, $call, $name, $value) = (shift, shift, "user.paddock", "x");
                print syscall($call, $f, $name, $value, 1, 0) == 0 ? "done" : $!+0;
                """);
        int setxattr = System.getProperty("os.arch").equals("amd64") ? 188 : 5;
        String line = "perl set.pl " + outside + " " + setxattr;
        assertThat(run(executor, line).text()).isEqualTo("95");
        assertThat(run(executor, "echo a >a; chmod 750 a; cp -p a b; sed -i s/a/c/ b; stat -c %a b; cat b")
                        .text())
                .as("programs that keep attributes where there are any")
                .isEqualTo("750\nc\n");
    }

    @Test
    void signalsStayInSandbox() throws Exception {
        assumeTrue(LandlockKernel.find().orElseThrow().version() >= Rights.SCOPES_VERSION, "signals can be confined");
        LandlockExecutor executor = executor(policy -> policy);
        ProcessLike neighbour = executor.spawn(
                "echo up; read x; exit 3",
                SpawnOptions.builder(worktree().toString())
                        .stdin(SpawnOptions.Stdin.PIPE)
                        .build());
        assertThat(neighbour.stdout().read()).isEqualTo('u');
        long other = neighbour.pid().orElseThrow();
        long jvm = ProcessHandle.current().pid();
        assertThat(run(executor, "kill -0 " + jvm + "; kill -9 " + other + "; kill -9 -" + other)
                        .text())
                .containsPattern("(?s)(not permitted.*){3}");
        assertThat(run(executor, "sleep 60 & kill $! && wait $!; echo $?").text())
                .as("a command's own child")
                .contains("143");
        neighbour.stdin().write('\n');
        neighbour.stdin().close();
        assertThat(neighbour.onExit().toCompletableFuture().get(1, TimeUnit.MINUTES))
                .isEqualTo(new ExitStatus.Exited(3));
    }

    @Test
    void ofEtcOnlyWhatProgramsNeed() throws Exception {
        LandlockExecutor executor = executor(policy -> policy);
        assertThat(run(executor, "cat /etc/passwd").status().isSuccess()).isTrue();
        for (String hidden : List.of("/etc/shadow", "/etc/sudoers", "/etc/machine-id", "/etc/ssh/ssh_config")) {
            if (Files.isReadable(Path.of(hidden))) {
                assertThat(run(executor, "cat " + hidden).text()).contains("Permission denied");
            }
        }
    }

    @Test
    void usersSharedMemoryAndQueuesAreOutOfReach() throws Exception {
        LandlockExecutor executor = executor(policy -> policy);
        String make = "perl -e 'print shmget(4711, 10, 0600|01000) // $!+0, \"\\n\"'";
        assertThat(run(executor, make).text()).isEqualTo("1\n");
        assertThat(run(executor, ": > /dev/shm/x").text()).contains("Permission denied");
        assertThat(run(executor, "perl -e 'print shmget(4711, 10, 0) // $!+0, \"\\n\"'")
                        .text())
                .isEqualTo("1\n");
    }

    @Test
    void anotherDirectoryInWorktreesPlaceIsGrantedAnew() throws Exception {
        LandlockExecutor executor = executor(policy -> policy);
        assertThat(run(executor, "echo x > a").status().isSuccess()).isTrue();
        assertThat(run(executor, "echo x > b").status().isSuccess()).isTrue();
        Files.move(worktree(), directory().resolve("old"));
        Files.createDirectory(worktree());
        assertThat(run(executor, "echo x > c").text()).isEmpty();
        assertThat(worktree().resolve("c")).exists();
        assertThat(run(executor, "echo x > " + directory().resolve("old/d")).text())
                .contains("Permission denied");
    }

    @Test
    void mountIsGrantedAtItsOwnPath() throws Exception {
        Path data = Files.createDirectory(directory().resolve("data"));
        Path cache = Files.createDirectory(directory().resolve("cache"));
        Files.writeString(data.resolve("file"), "data");
        LandlockExecutor executor =
                executor(policy -> policy.mount(new Mount(data, data.toString(), Mount.Access.READ_ONLY))
                        .mount(new Mount(cache, cache.toString(), Mount.Access.READ_WRITE)));
        assertThat(run(executor, "cat " + data + "/file; echo x > " + cache + "/new")
                        .text())
                .isEqualTo("data");
        assertThat(run(executor, "echo x > " + data + "/new").text()).contains("Permission denied");
        assertThat(cache.resolve("new")).exists();
    }

    @Test
    void openNetworkHasTcpAndUdpAndNoUnixSockets() throws Exception {
        LandlockExecutor executor = executor(policy -> policy.network(NetworkPolicy.open()));
        String sockets = "perl -MSocket -e 'for my $f (AF_INET, AF_UNIX) { for my $t (SOCK_STREAM, SOCK_DGRAM) "
                + "{ print socket(S, $f, $t, 0) ? 0 : $!+0, \" \" } }'";
        assertThat(run(executor, sockets).text()).isEqualTo("0 0 1 1 ");
        assertThat(run(executor(policy -> policy), sockets).text()).isEqualTo("1 1 1 1 ");
    }

    @Test
    void linkedWorktreeCommitsButCannotChangeRepositorysConfiguration() throws Exception {
        Path main = directory().resolve("main");
        host("git init -q -b trunk " + main + " && cd " + main
                + " && git config user.name a && git config user.email a@b"
                + " && echo x > file && git add file && git commit -qm one && git worktree add -q -b side "
                + worktree());
        LandlockExecutor executor = executor(policy -> policy);
        Result result = run(
                executor,
                "git status --short && echo y >> file && git add file && git commit -qm two && git log --oneline | wc -l");
        assertThat(result.text().strip()).isEqualTo("2");
        assertThat(result.status().isSuccess()).isTrue();
        assertThat(result.notices()).isEmpty();
        for (String closed : List.of("config", "hooks/pre-commit", "HEAD", "index", "config.worktree")) {
            assertThat(run(executor, "echo x >> " + main + "/.git/" + closed).text())
                    .as(closed)
                    .contains("Permission denied");
        }
        assertThat(run(executor, "cat " + main + "/file").text())
                .as("the main checkout")
                .contains("Permission denied");
        Path gitDirectory = main.resolve(".git/worktrees/worktree");
        run(executor, "echo /elsewhere > " + gitDirectory + "/commondir; echo gitdir: /elsewhere > .git");
        assertThat(gitDirectory.resolve("commondir")).hasContent("../..\n");
        assertThat(host("cd " + worktree() + " && git status --short && git log --format=%s -1"))
                .isEqualTo("two\n");
    }

    private String host(String command) throws Exception {
        Process process = new ProcessBuilder("sh", "-c", command)
                .redirectErrorStream(true)
                .start();
        String text = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor()).as(text).isZero();
        return text;
    }

    @Test
    void withoutLandlockThereIsReasonAndRemedy() {
        assertThatThrownBy(() -> LandlockExecutor.builder()
                        .worktree(worktree())
                        .asWithVersion(-38)
                        .build())
                .isInstanceOfSatisfying(SandboxUnavailableException.class, refusal -> {
                    assertThat(refusal.reason()).startsWith("this kernel has no Landlock");
                    assertThat(refusal.remedy()).contains("Linux 5.13");
                });
        assertThatThrownBy(() -> LandlockExecutor.builder()
                        .worktree(worktree())
                        .asWithVersion(-95)
                        .build())
                .isInstanceOfSatisfying(
                        SandboxUnavailableException.class,
                        refusal -> assertThat(refusal.remedy()).contains("lsm="));
    }

    @Test
    void probeSaysWhichVersionAndWhatItGuarantees() throws Exception {
        LandlockExecutor executor = executor(policy -> policy);
        Availability answer = new LandlockProvider().probe();
        assertThat(answer).isInstanceOfSatisfying(Availability.Usable.class, usable -> {
            assertThat(usable.version()).matches("Landlock \\d+, Linux .*");
            assertThat(usable.guarantees()).isEqualTo(executor.guarantees());
        });
    }

    @Test
    void autoTakesItAfterBubblewrap() {
        assertThat(new LandlockProvider().autoPriority(Map.of())).hasValue(200);
        assertThat(new LandlockProvider().autoPriority(Map.of("image", "x"))).isEmpty();
    }
}
