package dev.paddock.executor.tck.escape;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.Guarantee;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.SpawnOptions.Stdin;
import dev.paddock.executor.tck.subject.SuiteEnvironment;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Attempts to reach other processes: their environments, memory and descriptors, and to signal
 * them.
 */
public interface ProcessEscapes {
    String ENVIRONMENTS = "cat /proc/[0-9]*/environ /proc/[0-9]*/task/*/environ 2>/dev/null | tr '\\0' '\\n'";

    @Test
    default void environmentOfAnotherCommandCannotBeRead(Escape escape) throws IOException {
        escape.assumeClaimed(Guarantee.ENV_CONFINED);
        String secret = "other-" + UUID.randomUUID();
        ProcessLike other = escape.start(
                "echo up; read x",
                escape.options().env("SECRET_OF_ANOTHER", secret).stdin(Stdin.PIPE));
        assertThat(readLine(other.stdout())).isEqualTo("up");
        assertThat(escape.run(ENVIRONMENTS).text()).doesNotContain(secret);
        String own = "own-" + UUID.randomUUID();
        assertThat(escape.run(escape.executor(), ENVIRONMENTS, Map.of("SECRET_OF_MINE", own))
                        .text())
                .as("a command's own environment")
                .contains(own);
        other.stdin().close();
    }

    /**
     * Any process that starts the sandbox is also visible inside, so its environment must contain
     * no host variables.
     */
    @Test
    default void environmentOfHostCannotBeRead(Escape escape) {
        escape.assumeClaimed(Guarantee.ENV_CONFINED);
        List<String> values = SuiteEnvironment.variables().values().stream()
                .filter(value -> value.length() > 15)
                .toList();
        assumeTrue(!values.isEmpty(), "this JVM's environment has no value long enough to be known again");
        String seen = escape.run(ENVIRONMENTS).text();
        for (String value : values) {
            // The base environment may name the same directories as the host's PATH.
            if (!value.contains("/bin")) {
                assertThat(seen.lines().map(line -> line.substring(line.indexOf('=') + 1)))
                        .doesNotContain(value);
            }
        }
        assertThat(seen).as("a command's own environment").contains("PATH=");
    }

    @ParameterizedTest
    @ValueSource(strings = {"environ", "mem", "maps", "fd/0", "fd/1", "fd/2", "root/etc/hostname", "cwd/."})
    default void procFilesOfJvmCannotBeOpened(String file, Escape escape) {
        escape.assumeClaimed(Guarantee.ENV_CONFINED);
        String jvm = "/proc/" + ProcessHandle.current().pid();
        String name = escape.run("cat " + jvm + "/comm").text();
        assumeTrue(
                !escape.run("[ -e " + jvm + " ]").succeeded() || name.startsWith("java"),
                "inside, another process has this JVM's number");
        // Not by ':', whose failed redirection makes the shell exit at the first thread.
        String all =
                "for t in " + jvm + " " + jvm + "/task/*; do true < $t/" + file + " && echo opened; done 2>/dev/null";
        if (escape.run("[ -e " + jvm + " ]").succeeded()) {
            assertThat(escape.run(all).text()).doesNotContain("opened");
        }
        assertThat(escape.run(": < /proc/self/environ").succeeded()).isTrue();
    }

    @Test
    default void noDescriptorIsInherited(Escape escape) throws IOException {
        Files.writeString(escape.outside("open"), "x");
        try (InputStream held = Files.newInputStream(escape.outside("open"))) {
            assertThat(held.available()).isPositive();
            String list = escape.run("ls /proc/$$/fd; :").text();
            assertThat(list.strip().split("\\s+", -1)).containsExactlyInAnyOrder("0", "1", "2");
        }
    }

    @Test
    default void noTerminalCanBeOpenedOrTypedInto(Escape escape) {
        escape.assumeClaimed(Guarantee.SYSCALL_FILTER);
        assertThat(escape.run(": < /dev/tty").succeeded())
                .as("opening the terminal")
                .isFalse();
        // On a pipe the request is invalid (ENOTTY); a filter refuses it before the kernel checks
        // that.
        assertThat(escape.attempt("ioctl", "21522").text()).as("TIOCSTI").isEqualTo("refused: 1\n");
        assertThat(escape.attemptOutside("ioctl", "21522").text())
                .as("TIOCSTI outside")
                .isEqualTo("refused: 25\n");
    }

    @Test
    default void noUserNamespaceCanBeMade(Escape escape) {
        escape.assumeClaimed(Guarantee.SYSCALL_FILTER);
        for (String way : List.of("unshare -U true", "unshare -Ur mount -t tmpfs x /tmp", "unshare -m true")) {
            assertThat(escape.run(way).succeeded()).as(way).isFalse();
        }
    }

    @Test
    default void noPrivileges(Escape escape) {
        escape.assumeClaimed(Guarantee.NO_NEW_PRIVILEGES);
        String status = escape.run("cat /proc/self/status").text();
        assertThat(status).containsPattern("NoNewPrivs:\\s+1");
        assertThat(status).containsPattern("CapEff:\\s+0+\n").containsPattern("CapPrm:\\s+0+\n");
        assertThat(status).containsPattern("CapInh:\\s+0+\n").containsPattern("CapAmb:\\s+0+\n");
    }

    @Test
    default void processOfHostCannotBeSignalled(Escape escape) throws Exception {
        escape.assumeClaimed(Guarantee.TREE_KILL);
        Process victim = escape.startOutside("cat");
        escape.runToTheEnd("kill -9 " + victim.pid() + "; kill -9 -1; :");
        victim.getOutputStream().write('x');
        victim.getOutputStream().flush();
        assertThat(victim.getInputStream().read()).as("it still answers").isEqualTo('x');
        assertThat(escape.runOutside("kill -9 " + victim.pid()).succeeded()).isTrue();
        assertThat(victim.waitFor()).isEqualTo(137);
        assertThat(escape.run("echo usable").text()).isEqualTo("usable\n");
    }

    @Test
    default void privateStateIsNotAnothers(Escape escape) throws IOException {
        escape.assumeClaimed(Guarantee.PRIVATE_HOME);
        String content = escape.secret(escape.inside("content"));
        assertThat(escape.run("cp content ~/kept").succeeded()).isTrue();
        assertThat(escape.run("cat ~/kept").text()).contains(content);
        CommandExecutor another = escape.with(escape.policy().build());
        assertThat(escape.run(another, "[ -e ~/kept ]", Map.of()).succeeded())
                .as("another executor's commands see it")
                .isFalse();
    }

    private static String readLine(InputStream stream) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int next = stream.read(); next >= 0 && next != '\n'; next = stream.read()) {
            line.append((char) next);
        }
        return new String(line.toString().getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
    }
}
