package dev.paddock.executor.tck.clauses;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.SpawnException;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.SpawnOptions.Stdin;
import dev.paddock.executor.tck.context.ContractContext;
import dev.paddock.executor.tck.context.Outcome;
import dev.paddock.executor.tck.context.Processes;
import dev.paddock.executor.tck.context.Running;
import dev.paddock.executor.tck.subject.SuiteEnvironment;
import dev.paddock.executor.variable.ShellVariables;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** C3: a command's environment. */
public interface EnvironmentContract {

    /**
     * The host's variables that an executor's base environment may contain, with name and value.
     */
    Set<String> BASE = Set.of("PATH", "HOME", "LANG", "TERM", "TZ", "USER", "LOGNAME", "SHELL", "TMPDIR");

    /** The variables that the shell sets itself. */
    Set<String> SHELL = ShellVariables.maintained();

    /** Returns a command's environment as a program receives it. */
    static Map<String, String> environment(
            ContractContext context, CommandExecutor executor, SpawnOptions.Builder options) throws Exception {
        Outcome outcome = context.start(executor, "env -0", options).outcome();
        outcome.succeeded();
        return parse(outcome.stdout());
    }

    /** Parses the list that {@code env -0} prints. */
    static Map<String, String> parse(byte[] list) {
        Map<String, String> found = new TreeMap<>();
        for (String entry : new String(list, StandardCharsets.UTF_8).split("\0", -1)) {
            int equals = entry.indexOf('=');
            if (equals > 0) {
                found.put(entry.substring(0, equals), entry.substring(equals + 1));
            }
        }
        return found;
    }

    @ParameterizedTest(name = ContractContext.NAME)
    @ValueSource(
            strings = {
                "plain",
                "",
                " ",
                " two  spaces ",
                "line\nanother\n\n",
                "\n",
                "'single' \"double\" `back`",
                "$(echo sub) $HOME ${x} $$ \\ \\n \\\\ ~ * ?",
                "a=b=c",
                "=",
                "é 日本語 😀",
                "tab\tcarriage\rreturn\u0001\u007f",
                "-n",
                "#!;&|<>(){}[]"
            })
    default void C3_valuesAreExact(String value, ContractContext context) throws Exception {
        Outcome outcome = context.run("printf %s \"$VALUE\"", context.options().env("VALUE", value));
        assertThat(outcome.stdout()).isEqualTo(value.getBytes(StandardCharsets.UTF_8));
        context.assumeTools("env");
        assertThat(environment(context, context.executor(), context.options().env("VALUE", value)))
                .as("as a program finds it")
                .containsEntry("VALUE", value);
    }

    @Test
    default void C3_longValueAndManyVariables(ContractContext context) throws Exception {
        context.assumeTools("env");
        Map<String, String> variables = new HashMap<>();
        variables.put("LONG", "é".repeat(60_000));
        for (int i = 0; i < 300; i++) {
            variables.put("VARIABLE_" + i, "value\n" + i);
        }
        assertThat(environment(context, context.executor(), context.options().env(variables)))
                .containsAllEntriesOf(variables);
    }

    @ParameterizedTest(name = ContractContext.NAME)
    @ValueSource(
            strings = {
                "",
                "1ST",
                "WITH-DASH",
                "WITH.DOT",
                "WITH SPACE",
                "É",
                "A=B",
                "A\n",
                "UID",
                "EUID",
                "PPID",
                "SHELLOPTS",
                "BASHOPTS"
            })
    default void C3_otherNamesAreRefused(String name, ContractContext context) {
        assertThatThrownBy(() -> context.spawn("echo ran", context.options().env(name, "x")))
                .isInstanceOf(SpawnException.class);
    }

    @Test
    default void C3_nothingOfHostsIsThere(ContractContext context) throws Exception {
        context.assumeTools("env");
        Map<String, String> seen = environment(context, context.executor(), context.options());
        Map<String, String> leaked = new TreeMap<>(SuiteEnvironment.variables());
        leaked.keySet().removeIf(name -> BASE.contains(name) || SHELL.contains(name) || name.startsWith("LC_"));
        leaked.values().removeIf(String::isEmpty);
        leaked.entrySet().retainAll(seen.entrySet());
        assertThat(leaked.keySet())
                .as("variables of the host's that a command sees")
                .isEmpty();
    }

    @Test
    default void C3_optionsLieOverBase(ContractContext context) throws Exception {
        context.assumeTools("env");
        Map<String, String> base = environment(context, context.executor(), SpawnOptions.builder(context.cwd()));
        Map<String, String> with = environment(
                context,
                context.executor(),
                SpawnOptions.builder(context.cwd()).env("HOME", "/elsewhere").env("OWN", "value"));
        Map<String, String> expected = new TreeMap<>(base);
        expected.put("HOME", "/elsewhere");
        expected.put("OWN", "value");
        expected.put(CommandExecutor.MARKER, with.getOrDefault(CommandExecutor.MARKER, "missing"));
        assertThat(with).isEqualTo(expected);
    }

    @Test
    default void C3_oneMarkerUniqueToEachCommand(ContractContext context) throws Exception {
        Set<String> markers = new HashSet<>();
        for (int i = 0; i < 10; i++) {
            String marker = context.run("echo \"$" + CommandExecutor.MARKER + "\"")
                    .succeeded()
                    .strip();
            assertThat(marker).as("value of " + CommandExecutor.MARKER).isNotEmpty();
            markers.add(marker);
        }
        assertThat(markers).as("the markers of 10 commands").hasSize(10);
        assertThatThrownBy(() ->
                        context.options().env(CommandExecutor.MARKER, "mine").build())
                .isInstanceOf(SpawnException.class);
    }

    @Test
    default void C3_sameWarmAndCold(ContractContext context) throws Exception {
        context.assumeTools("env");
        CommandExecutor executor = context.fresh().executor();
        Map<String, String> cold = environment(context, executor, context.options());
        cold.remove(CommandExecutor.MARKER);
        for (int i = 0; i < 8; i++) {
            Map<String, String> later = environment(context, executor, context.options());
            later.remove(CommandExecutor.MARKER);
            assertThat(later)
                    .as("the environment of command %d, against the first one's", i + 2)
                    .isEqualTo(cold);
        }
    }

    @Test
    default void C3_variableIsGoneWithItsCommand(ContractContext context) throws Exception {
        context.run("export LATER=1", context.options().env("ONCE", "x")).succeeded();
        assertThat(context.run("echo \"${ONCE-unset} ${LATER-unset}\"").succeeded())
                .isEqualTo("unset unset\n");
    }

    /**
     * The launcher finds its programs by its own PATH, and the command's variables cannot hijack
     * it.
     */
    @Test
    default void C3_variablesForCommandDoNotReachLauncher(ContractContext context) throws Exception {
        context.run("mkdir -p bin; echo 'echo hijacked' > start; : > trace").succeeded();
        SpawnOptions.Builder options = context.options()
                .env("PATH", "/nonexistent")
                .env("ENV", context.commandPath("start"))
                .env("BASH_ENV", context.commandPath("start"))
                .env("LD_LIBRARY_PATH", "/nonexistent")
                .env("TMPDIR", "/nonexistent");
        Outcome outcome = context.run("echo \"$PATH\"", options);
        assertThat(outcome.succeeded()).isEqualTo("/nonexistent\n");
    }

    @Test
    default void C3_noValueOnCommandLine(ContractContext context) throws Exception {
        assumeTrue(Processes.canLook(), "there is no /proc to look at");
        String secret = "secret-" + UUID.randomUUID();
        Running command = context.start(
                "echo up; read go", context.options().env("TOKEN", secret).stdin(Stdin.PIPE));
        command.awaitText("up\n");
        assertThat(Processes.withArgument(secret).stream().map(Processes::describe))
                .as("processes that show the value of an environment variable in their arguments")
                .isEmpty();
        command.process().stdin().close();
        command.outcome();
    }
}
