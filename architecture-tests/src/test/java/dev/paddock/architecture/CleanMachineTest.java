package dev.paddock.architecture;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.executor.tck.subject.Prerequisite;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs the check of {@code ./verify} for what the tests left on the machine, on real objects of the machine. */
class CleanMachineTest {
    private static final String NOTE = "changed meanwhile, perhaps by another program: ";

    private static final String FAILED = "the tests changed the machine";

    private static final long BOUND_SECONDS = 60;

    /**
     * Creates an object of each kind, and compares the machine before and after. The arguments: a prefix of the
     * objects' names, and the environments of processes. Prints "made KIND" for each object that it could create, and
     * compares only these, since other programs change the machine meanwhile.
     */
    private static final String LEAVE = """
            name=$1$$
            shift
            all=$(declare -f machine_state)
            eval "all_of_$all"
            machine_state() { all_of_machine_state | awk -v name="$name" 'index($0, name)'; echo same; }
            pids=()
            cleanup() { kill "${pids[@]}"; umount "/tmp/$name" 2>/dev/null || :; rmdir "/tmp/$name"; }
            trap cleanup EXIT
            links=
            [ "$(id -u)" != 0 ] || ! mount -t sysfs none /sys || links=yes # those of this network namespace
            machine_remember

            mkdir "/tmp/$name"
            echo made temporary
            for environment; do
                # An orphan without a terminal: its parent exits.
                # shellcheck disable=SC2016
                pids+=("$( (env $environment setsid bash -c 'echo $$; exec -a "$0" sleep 1000 >&-' "$name" &) )")
            done
            echo made process
            if [ "$(id -u)" = 0 ]; then
                mount -t tmpfs none "/tmp/$name" && echo made mount
                [ -z "$links" ] || ! ip link add "$name" type bridge || echo made link
                ! iptables -A INPUT -m comment --comment "$name" -j DROP 2>/dev/null || echo made iptables
            fi
            check
            """;

    /** Compares a state with another: the lines of standard input that begin with - and with +. */
    private static final String COMPARE = """
            lines=$(cat)
            machine_state() { sed -n "s/^$sign//p" <<<"$lines"; echo same; }
            sign=-
            machine_remember
            sign=+
            check
            """;

    private static final String PRELUDE = """
            set -euo pipefail
            say() { echo "$*"; }
            . build/clean-machine.sh
            machine_tries=1
            check() { if machine_check; then echo passed; fi; }
            """;

    private record Checked(List<String> lines) {
        private boolean passed() {
            return lines.contains("passed") && !lines.contains(FAILED);
        }

        private boolean failed() {
            return !lines.contains("passed") && lines.contains(FAILED);
        }

        /** Returns the kinds of the objects that the script created. */
        private List<String> made() {
            return lines.stream()
                    .filter(line -> line.startsWith("made "))
                    .map(line -> line.substring("made ".length()))
                    .toList();
        }

        private List<String> startingWith(String start) {
            return lines.stream().filter(line -> line.startsWith(start)).toList();
        }
    }

    @BeforeAll
    static void isLinux() {
        Prerequisite.require(Files.isDirectory(Path.of("/proc/self")), "the check compares machines with Linux");
    }

    @Test
    void whatCarriesPaddocksMarksFails() throws Exception {
        Checked checked = leave("", "paddock", "-u CI", "-i PADDOCK_COMMAND=x", "-i CONTRACT_TAG=x");

        assertThat(checked.failed()).as("%s", checked).isTrue();
        assertThat(checked.startingWith(NOTE)).isEmpty();
        assertThat(checked.startingWith("left over: process ")).hasSize(3);
        for (String kind : checked.made()) {
            assertThat(checked.startingWith("left over: " + kind + " ")).isNotEmpty();
        }
    }

    @Test
    void whatAnotherProgramLeavesIsNote() throws Exception {
        Checked checked = leave("", "other", "-u PADDOCK_VERIFY");

        assertThat(checked.passed()).as("%s", checked).isTrue();
        assertThat(checked.startingWith("left over: ")).isEmpty();
        for (String kind : checked.made()) {
            assertThat(checked.startingWith(NOTE + "left over: " + kind + " ")).isNotEmpty();
        }
    }

    @Test
    void inContinuousIntegrationWhatAnotherProgramLeavesFails() throws Exception {
        Checked checked = leave("true", "other", "-u PADDOCK_VERIFY");

        assertThat(checked.failed()).as("%s", checked).isTrue();
        for (String kind : checked.made()) {
            assertThat(checked.startingWith("left over: " + kind + " ")).isNotEmpty();
        }
    }

    /** Of objects that a test cannot create on every machine. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "+container\tid\tname image dev.paddock.owner=1",
                "+container\tid\tname paddock-test/shell",
                "+image\tid paddock-test/shell:latest\t",
                "+image\tid localhost:5000/paddock:1\t",
                "+network\tid\tpaddock-1",
                "+iptables\tfilter -A FORWARD -i paddock77 -j ACCEPT\t",
                "+cgroup\t/sys/fs/cgroup/paddock-1",
                "+state\t/home/user/.local/state/paddock/run/1",
                "-link\tpaddock0\t7",
                "-link\tpaddock0\t7\n+link\tpaddock0\t8",
                "+temporary\t/tmp/junit-1",
                "+temporary\t/dev/shm/paddock-test-1",
                "+mount\t/tmp/junit-1/.vscode\tnone,tmpfs",
                "+mount\t/tmp/contract-1/a\tnone,tmpfs",
                "+process\t1 started at 2\t/usr/bin/containerd-shim /tmp/paddock-engine.1/exec (parent 1)",
            })
    void aMarkIsKnownInEachKind(String lines) throws Exception {
        assertThat(compare("", lines).failed()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "+container\tid\tname not-paddock/shell",
                "+image\tid escape-room:latest\t",
                "-volume\tdata",
                "+cgroup\t/sys/fs/cgroup/docker",
                "+temporary\t/tmp/not-paddock",
                "-sysctl\tnet/ipv4/ip_forward\t0\n+sysctl\tnet/ipv4/ip_forward\t1",
                "-mount\t/media/stick\t/dev/sdb1,vfat",
                "+process\t1 started at 2\tvim /home/user/paddock/README.md (parent 1)",
            })
    void withoutMarkItIsNoteExceptInContinuousIntegration(String lines) throws Exception {
        Checked checked = compare("", lines);
        assertThat(checked.passed()).isTrue();
        assertThat(checked.startingWith(NOTE)).hasSize(1);
        assertThat(compare("true", lines).failed()).isTrue();
    }

    @Test
    void notesAreBounded() throws Exception {
        StringBuilder lines = new StringBuilder("+temporary\t/tmp/paddock-1\n");
        for (int file = 0; file < 25; file++) {
            lines.append("+temporary\t/tmp/other-").append(file).append('\n');
        }
        Checked checked = compare("", lines.toString());

        assertThat(checked.startingWith(NOTE)).hasSize(20);
        assertThat(checked.lines()).contains("and 5 more");
        assertThat(checked.startingWith("left over: temporary /tmp/paddock-1")).hasSize(1);
        assertThat(checked.failed()).isTrue();
    }

    private static Checked leave(String ci, String... arguments) throws Exception {
        List<String> line = new ArrayList<>();
        if ("root".equals(System.getProperty("user.name"))) {
            line.addAll(List.of("unshare", "--mount", "--net"));
            Prerequisite.require(
                    run("", "", List.of("unshare", "--mount", "--net", "true")).isEmpty(),
                    "no namespaces can be made here");
        }
        line.addAll(List.of("bash", "-c", PRELUDE + LEAVE, "bash"));
        line.addAll(List.of(arguments));
        return new Checked(run(ci, "", line));
    }

    private static Checked compare(String ci, String lines) throws Exception {
        return new Checked(run(ci, lines + "\n", List.of("bash", "-c", PRELUDE + COMPARE)));
    }

    /** Runs a program in the checkout. */
    private static List<String> run(String ci, String input, List<String> line) throws Exception {
        ProcessBuilder builder =
                new ProcessBuilder(line).directory(Path.of("..").toFile()).redirectErrorStream(true);
        builder.environment().put("CI", ci);
        Process process = builder.start();
        try (var stdin = process.outputWriter(UTF_8)) {
            stdin.write(input);
        } catch (IOException unread) {
            // The program reads no input, and has exited.
        }
        List<String> lines = process.inputReader(UTF_8).lines().toList();
        assertThat(process.waitFor(BOUND_SECONDS, TimeUnit.SECONDS)).isTrue();
        return lines;
    }
}
