package dev.paddock.executor.tck.guarantees;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.executor.Guarantee;
import dev.paddock.executor.ShellQuoting;
import dev.paddock.executor.tck.clauses.EnvironmentContract;
import dev.paddock.executor.tck.context.ContractContext;
import dev.paddock.executor.tck.context.Outcome;
import dev.paddock.executor.tck.context.Running;
import dev.paddock.executor.tck.subject.SuiteEnvironment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/**
 * The guarantees about files, environments and privileges, each tested if claimed. Each test first
 * shows that the same action works where it is allowed.
 */
public interface ConfinementContract {

    @Test
    default void G_guaranteesStayTheSame(ContractContext context) throws Exception {
        var before = context.executor().guarantees();
        context.run("exit 0");
        assertThat(context.executor().guarantees()).isEqualTo(before);
    }

    /**
     * Returns host directories that no subject shares: the shared directory's parent, the user's
     * home, and the other temporary directory.
     */
    private static List<Path> unshared(ContractContext context) {
        List<Path> places = new ArrayList<>();
        for (Path place : List.of(
                context.environment().sharedDirectory().resolve("..").normalize(),
                Path.of(System.getProperty("user.home")),
                Path.of("/var/tmp"))) {
            if (Files.isDirectory(place) && Files.isWritable(place)) {
                places.add(place.normalize());
            }
        }
        return places;
    }

    @Test
    default void G_READ_CONFINED_readsNothingElse(ContractContext context) throws Exception {
        context.assumeClaimed(Guarantee.READ_CONFINED);
        String secret = "secret-" + UUID.randomUUID();
        Files.writeString(context.hostPath("granted"), secret);
        assertThat(context.run("read -r x < granted; echo \"$x\"").out())
                .as("what was granted")
                .isEqualTo(secret + "\n");
        for (Path place : unshared(context)) {
            Path file = Files.writeString(place.resolve("contract-" + UUID.randomUUID()), secret + "\n");
            try {
                String path = ShellQuoting.posix(file.toString());
                Outcome outcome = context.run("read -r x < " + path + "; echo \"$x\"; echo \"$(cat " + path + ")\"; "
                        + "ln " + path + " link && cat link; cat /proc/self/root" + file + "; cat /proc/1/root" + file);
                assertThat(outcome.out() + outcome.err())
                        .as("what a command reads of " + file)
                        .doesNotContain(secret);
            } finally {
                Files.delete(file);
            }
        }
    }

    @Test
    default void G_WRITE_CONFINED_writesNothingElse(ContractContext context) throws Exception {
        context.assumeClaimed(Guarantee.WRITE_CONFINED);
        context.run("echo written > granted").succeeded();
        assertThat(context.hostPath("granted")).as("what was granted").hasContent("written");
        for (Path place : unshared(context)) {
            Path existing = Files.writeString(place.resolve("contract-" + UUID.randomUUID()), "untouched");
            Path absent = place.resolve("contract-" + UUID.randomUUID());
            try {
                attack(existing, absent, place, context);
                assertThat(existing).as("after a command wrote to it").hasContent("untouched");
                assertThat(absent).as("after a command created it").doesNotExist();
            } finally {
                Files.deleteIfExists(existing);
                Files.deleteIfExists(absent);
            }
        }
    }

    private static void attack(Path existing, Path absent, Path place, ContractContext context) throws Exception {
        String there = ShellQuoting.posix(existing.toString());
        String gone = ShellQuoting.posix(absent.toString());
        context.run(
                "echo x > " + there + "; echo x > " + gone + "; rm -f " + there + "; mv " + there + " " + gone + "; "
                        + "ln -s " + there + " link; echo x > link; ln " + there + " hard; echo x > hard; "
                        + "echo x > /proc/self/root" + existing + "; echo x > /proc/1/root" + existing + "; "
                        + "mkdir -p " + ShellQuoting.posix(place.toString()) + "; echo x > " + gone);
    }

    @Test
    default void G_WRITE_CONFINED_systemIsReadOnly(ContractContext context) throws Exception {
        context.assumeClaimed(Guarantee.WRITE_CONFINED);
        for (String directory : List.of("/", "/etc", "/usr", "/bin", "/var", "/dev")) {
            String file = (directory.equals("/") ? "" : directory) + "/contract-" + UUID.randomUUID();
            Outcome outcome =
                    context.run("if ( : > " + file + " ) 2>/dev/null; then echo written; rm -f " + file + "; fi");
            assertThat(Path.of(file)).as("on the host").doesNotExist();
            if (!directory.equals("/dev") && !directory.equals("/var") && !directory.equals("/")) {
                assertThat(outcome.out()).as("writing to %s", file).doesNotContain("written");
            }
        }
    }

    @Test
    default void G_ENV_CONFINED_readsNoOtherEnvironment(ContractContext context) throws Exception {
        context.assumeClaimed(Guarantee.ENV_CONFINED);
        context.assumeTools("cat");
        String secret = "secret-" + UUID.randomUUID();
        // A program, not the shell itself: variables that a shell exports do not appear in its
        // own entry.
        Running neighbour = context.start(
                "exec sh -c 'echo up; read x < '" + context.never(),
                context.options().env("TOKEN", secret));
        neighbour.awaitText("up\n");
        Outcome outcome = context.run("for p in /proc/[0-9]*; do cat $p/environ $p/task/*/environ; done; "
                + "echo the-own-one; exec cat /proc/self/environ");
        int own = outcome.out().indexOf("the-own-one\n");
        assertThat(own).as("where its own environment starts in the output").isNotNegative();
        assertThat(outcome.out().substring(own)).as("its own environment").contains(context.tag());
        String others = outcome.out().substring(0, own);
        // The whole text is not reported: it may contain secrets.
        assertThat(others.contains(secret))
                .as("whether a command reads another command's environment")
                .isFalse();
        assertThat(longVariables().entrySet().stream()
                        .filter(variable -> others.contains(variable.getKey() + "=" + variable.getValue()))
                        .map(Map.Entry::getKey))
                .as("variables that a command reads of this JVM's environment")
                .isEmpty();
    }

    /** Returns variables of this JVM that a command cannot have by chance. */
    private static Map<String, String> longVariables() {
        Map<String, String> variables = new LinkedHashMap<>(SuiteEnvironment.variables());
        variables
                .keySet()
                .removeIf(name -> EnvironmentContract.BASE.contains(name)
                        || EnvironmentContract.SHELL.contains(name)
                        || name.startsWith("LC_"));
        variables.values().removeIf(value -> value.length() < 6);
        return variables;
    }

    @Test
    default void G_NO_NEW_PRIVILEGES_isSet(ContractContext context) throws Exception {
        context.assumeClaimed(Guarantee.NO_NEW_PRIVILEGES);
        assertThat(ownStatus("NoNewPrivs", context)).isEqualTo("1");
    }

    @Test
    default void G_SYSCALL_FILTER_isInForce(ContractContext context) throws Exception {
        context.assumeClaimed(Guarantee.SYSCALL_FILTER);
        assertThat(ownStatus("Seccomp", context)).isEqualTo("2");
    }

    private static String ownStatus(String field, ContractContext context) throws InterruptedException, IOException {
        return context.run("while read -r name value; do case $name in " + field + ":) echo $value;; esac; done "
                        + "< /proc/self/status")
                .succeeded()
                .strip();
    }
}
