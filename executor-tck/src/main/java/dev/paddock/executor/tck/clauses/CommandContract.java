package dev.paddock.executor.tck.clauses;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.CommandShell;
import dev.paddock.executor.ExitStatus.Exited;
import dev.paddock.executor.ShellQuoting;
import dev.paddock.executor.SpawnException;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.tck.context.ContractContext;
import dev.paddock.executor.tck.context.Outcome;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** C2: how a command reaches the shell. */
public interface CommandContract {

    @ParameterizedTest(name = ContractContext.NAME)
    @ValueSource(
            strings = {
                "plain",
                " leading and trailing ",
                "\"double\" `back` $(sub) $HOME ${x} \\ \\n %s %% !! # ; & | < > * ? [a] {a,b} ~",
                "tab\tcarriage\rreturn\u0007bell\u001bescape\u007f",
                "line one\nline two\n\n\nline five\n",
                "é ü ß ñ 日本語 😀 👩‍👩‍👧 \u00a0 \u2028 \ufeff \ufffd",
                "\\",
                "\\\\\n\\\n",
                "-n",
                "--",
                "\u0001\u0080\u009f"
            })
    default void C2_quotedTextIsExact(String text, ContractContext context) throws Exception {
        Outcome outcome = context.run("printf %s " + ShellQuoting.posix(text));
        assertThat(outcome.stdout()).as("stdout of " + text).isEqualTo(text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    default void C2_everyCharacterButNulIsExact(ContractContext context) throws Exception {
        String text = Stream.of(IntStream.rangeClosed(1, 0x17f), IntStream.of(0x7ff, 0x800, 0xffff, 0x10000, 0x10ffff))
                .flatMapToInt(range -> range)
                .filter(character -> character != '\'')
                .mapToObj(Character::toString)
                .collect(Collectors.joining());
        Outcome outcome = context.run("printf %s '" + text + "'");
        assertThat(outcome.stdout()).isEqualTo(text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    default void C2_severalLinesAndHeredocs(ContractContext context) throws Exception {
        String command = """
                if true
                then
                    greeting='hello
                world'
                fi
                while IFS= read -r line; do printf '<%s>\\n' "$line"; done <<'END'
                $not `expanded` \\ "as is"
                  é 😀
                END
                while IFS= read -r line; do printf '[%s]\\n' "$line"; done <<END
                $greeting
                END
                echo last""";
        assertThat(context.run(command).succeeded()).isEqualTo("""
                        <$not `expanded` \\ "as is">
                        <  é 😀>
                        [hello]
                        [world]
                        last
                        """);
    }

    @ParameterizedTest(name = ContractContext.NAME)
    @ValueSource(strings = {"-c", "-x", "--", "--version", "-", "+x", "+", "-e echo gone"})
    default void C2_leadingDashOrPlusIsNoOption(String command, ContractContext context) throws Exception {
        Outcome outcome = context.run(command);
        assertThat(outcome.status())
                .as("of a program that does not exist: %s", outcome)
                .isEqualTo(new Exited(127));
        assertThat(outcome.err()).contains(command.split(" ", -1)[0]);
    }

    @ParameterizedTest(name = ContractContext.NAME)
    @ValueSource(
            strings = {
                "\n\necho ok",
                "echo ok\n\n",
                "#!/bin/sh\necho ok",
                "# comment\necho ok # another",
                "echo ok;",
                "  echo ok  ",
                "echo \\\nok",
                "{ echo ok; }",
                "(echo ok)",
                "! echo ok || :",
                "\techo ok",
                "echo ok &\nwait",
                "exec sh -c 'echo ok'"
            })
    default void C2_shapesOfCommand(String command, ContractContext context) throws Exception {
        assertThat(context.run(command).out()).isEqualTo("ok\n");
    }

    @Test
    default void C2_syntaxErrorIsShellsToReport(ContractContext context) throws Exception {
        Outcome outcome = context.run("echo 'never closed");
        assertThat(outcome.status().isSuccess()).isFalse();
        assertThat(outcome.err()).isNotEmpty();
        assertThat(outcome.out()).isEmpty();
        assertThat(context.run("echo fine").succeeded()).isEqualTo("fine\n");
    }

    @Test
    default void C2_noPositionalParameters(ContractContext context) throws Exception {
        assertThat(context.run("echo $#").succeeded()).isEqualTo("0\n");
    }

    @Test
    default void C2_commandLeavesNoStateBehind(ContractContext context) throws Exception {
        String look = "pwd; umask; echo \"${leaked-unset}\"; set -- $-; case $1 in *f*) echo noglob;; esac";
        String before = context.run(look).succeeded();
        context.run("cd /; umask 0777; leaked=yes; export leaked; set -f; trap 'echo trapped' EXIT; echo() { :; }");
        assertThat(context.run(look).succeeded()).isEqualTo(before);
    }

    @ParameterizedTest(name = ContractContext.NAME)
    @ValueSource(
            ints = {
                4095,
                4096,
                65_536,
                (128 << 10) - 1,
                128 << 10,
                (128 << 10) + 1,
                300_000,
                CommandExecutor.MAX_COMMAND_BYTES - 1,
                CommandExecutor.MAX_COMMAND_BYTES
            })
    default void C2_longCommandsAreExact(int bytes, ContractContext context) throws Exception {
        String text = text(bytes - "printf %s ''".length());
        String command = "printf %s '" + text + "'";
        assertThat(command.getBytes(StandardCharsets.UTF_8)).hasSize(bytes);
        Outcome outcome = context.run(command);
        assertThat(outcome.status())
                .as("of a command of %d bytes; stderr %s", bytes, outcome.err())
                .isEqualTo(new Exited(0));
        assertThat(outcome.out().equals(text))
                .as(
                        "a command of %d bytes printed the %d bytes that it quotes, exactly; it printed %d",
                        bytes, bytes - 12, outcome.stdout().length)
                .isTrue();
    }

    @Test
    default void C2_bashWhereCommandAsksForIt(ContractContext context) throws Exception {
        Set<CommandShell> shells = context.executor().shells();
        assumeTrue(shells.contains(CommandShell.BASH_IF_PRESENT), "the executor has its own shell alone");
        assumeTrue(
                shells.contains(CommandShell.BASH)
                        || !context.run("command -v bash || :").succeeded().isEmpty(),
                "there is no bash where the executor runs its commands");
        String ifPresent = context.run(
                        "echo \"${BASH_VERSION:+bash}\"", context.options().shell(CommandShell.BASH_IF_PRESENT))
                .succeeded();
        assertThat(ifPresent).isEqualTo("bash\n");
        String arrays = "set -o pipefail; words=(one 'two 2'); [[ ${words[1]} == two* ]] && cat <(echo read)";
        SpawnOptions.Builder bash = context.options().shell(CommandShell.BASH);
        assertThat(context.run(arrays, bash).succeeded()).isEqualTo("read\n");
        String text = text(200_000);
        Outcome longer = context.run("words=('" + text + "'); printf %s \"${words[0]}\"", bash);
        assertThat(longer.out().equals(text))
                .as("bash takes long commands, too: %s", longer.err())
                .isTrue();
    }

    /** Returns lines of ASCII and other characters, of an exact length in UTF-8. */
    private static String text(int bytes) {
        String line = "line with é and 😀 and \"quotes\" and \\ and $dollars\n";
        int length = line.getBytes(StandardCharsets.UTF_8).length;
        return line.repeat(bytes / length) + "x".repeat(bytes % length);
    }

    @Test
    default void C2_longerCommandIsRefused(ContractContext context) {
        String trace = ": > " + ShellQuoting.posix(context.commandPath("ran")) + "; : ";
        // The limit counts bytes: this command has far fewer characters.
        int characters = (CommandExecutor.MAX_COMMAND_BYTES - trace.length()) / 2 + 1;
        assertThatThrownBy(() -> context.spawn(trace + "é".repeat(characters), context.options()))
                .isInstanceOf(SpawnException.class);
        assertThat(context.exists("ran"))
                .as("whether 'ran' exists, which a command that was refused would have made")
                .isFalse();
    }

    @Test
    default void C2_nulIsRefused(ContractContext context) {
        String trace = ": > " + ShellQuoting.posix(context.commandPath("ran"));
        assertThatThrownBy(() -> context.spawn(trace + "\n\0\n", context.options()))
                .isInstanceOf(SpawnException.class);
        assertThat(context.exists("ran"))
                .as("whether 'ran' exists, which a command that was refused would have made")
                .isFalse();
    }
}
