package dev.paddock.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.policy.EnvironmentPolicy;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.harness.events.SessionEvent;
import dev.paddock.harness.tools.CommandAudit;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests what a session refuses before it uses its executor, and which variables it does not pass on
 * to commands.
 */
class GuardTest extends SessionTest {
    private final List<String> spawned = new CopyOnWriteArrayList<>();
    private final CommandExecutor recording = (command, options) -> {
        spawned.add(command);
        return host.spawn(command, options);
    };

    private static String calling(String arguments) {
        return "{'calls': [{'tool': 'bash', 'arguments': " + arguments + "}]}, {'text': 'Done.'}";
    }

    private AgentSession run(AgentSessionBuilder builder) {
        AgentSession session = open(builder);
        assertThat(session.prompt("Go").failure()).isEmpty();
        return session;
    }

    @Test
    void deniedCommandNeverTouchesExecutor() {
        AgentSession session = run(builder(script(calling("{'command': 'touch ran'}")))
                .executor(recording)
                .allowedCommands(List.of("echo")));
        assertThat(spawned).as("not even the probe").isEmpty();
        assertThat(results(session)).singleElement().satisfies(result -> {
            assertThat(result.isError()).isTrue();
            assertThat(result.text())
                    .isEqualTo(
                            "Command denied: 'touch' is not allowed. It was not run. This session allows one program at a"
                                    + " time, with plain arguments: no pipes, redirections, variables, globs or several commands in"
                                    + " one. Allowed: echo.");
        });
        assertThat(events(SessionEvent.CommandEnded.class))
                .singleElement()
                .returns(CommandAudit.Outcome.DENIED, event -> event.audit().outcome());
    }

    @Test
    void allowedCommandRuns() {
        AgentSession session = run(builder(script(calling("{'command': 'echo a\\\\ b'}")))
                .executor(recording)
                .allowedCommands(List.of("echo")));
        assertThat(results(session))
                .singleElement()
                .satisfies(result -> assertThat(result.text()).isEqualTo("a b\n"));
        assertThat(spawned).last().isEqualTo("echo a\\ b");
    }

    @Test
    void modelReceivesListBeforehand() {
        AgentSession session = open(builder(script("")).allowedCommands(List.of("make", "git")));
        assertThat(session.tools().getFirst().description()).endsWith(" Allowed: make, git.");
    }

    @Test
    void emptyListDeniesEverything() {
        AgentSession session = run(builder(script(calling("{'command': 'true'}")))
                .executor(recording)
                .allowedCommands(List.of()));
        assertThat(spawned).isEmpty();
        assertThat(results(session))
                .singleElement()
                .satisfies(result -> assertThat(result.text()).contains("allows no commands"));
    }

    @Test
    void modelNamesDirectoryOnCommandsSide() {
        AgentSession session =
                run(builder(script(calling("{'command': 'pwd', 'cwd': '/'}"))).executor(recording));
        assertThat(results(session))
                .singleElement()
                .satisfies(result -> assertThat(result.text()).isEqualTo("/\n"));
    }

    @Test
    void namedVariablesOfHostArePassedAndNoOthers() {
        List<String> ofTheHost = hostVariables();
        String passed = ofTheHost.getFirst();
        AgentSession session = run(builder(script(calling("{'command': 'env'}")))
                .environment(EnvironmentPolicy.empty().with("GIVEN", "a value").passing(passed)));
        List<String> lines = results(session).getFirst().text().lines().toList();
        assertThat(lines).contains("GIVEN=a value", passed + "=" + System.getenv(passed));
        assertThat(ofTheHost.subList(1, ofTheHost.size()))
                .isNotEmpty()
                .allSatisfy(name -> assertThat(lines).noneMatch(line -> line.startsWith(name + "=")));
    }

    /** Returns host variables that neither the host executor nor the shell sets by itself. */
    private static List<String> hostVariables() {
        List<String> usual = List.of(
                "HOME",
                "PATH",
                "LANG",
                "TERM",
                "TZ",
                "USER",
                "LOGNAME",
                "SHELL",
                "PWD",
                "OLDPWD",
                "SHLVL",
                "DEBIAN_FRONTEND");
        return System.getenv().keySet().stream()
                .filter(name -> name.matches("[A-Z][A-Z_]*[A-Z]") && !usual.contains(name) && !name.startsWith("LC_"))
                .filter(name -> !EnvironmentPolicy.empty().withholds(name))
                .filter(name -> System.getenv(name).indexOf('\n') < 0)
                .sorted()
                .toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"PATH", "HOME", "TMPDIR"})
    void variablesThatDescribeHostAreNotPassedOn(String name) {
        assertThatThrownBy(() -> builder(script(""))
                        .environment(EnvironmentPolicy.empty().passing(name))
                        .build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("the host's " + name);
    }

    @ParameterizedTest
    @ValueSource(strings = {"GITHUB_TOKEN", "my_api_key", "AWS_REGION", "DATABASE_URL"})
    void variablesThatLookLikeCredentialsMustBeForced(String name) {
        EnvironmentPolicy given = EnvironmentPolicy.empty().with(name, "s3cret");
        assertThatThrownBy(() -> builder(script("")).environment(given).build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(name)
                .hasMessageContaining("forcing(\"" + name + "\")")
                .hasMessageNotContaining("s3cret");
        SandboxPolicy policy = SandboxPolicy.builder(PathMapping.same(worktree))
                .environment(given)
                .build();
        assertThatThrownBy(() -> builder(script("")).policy(policy).build()).hasMessageContaining(name);
        AgentSession session =
                run(builder(script(calling("{'command': 'env'}"))).environment(given.forcing(name)));
        assertThat(results(session).getFirst().text()).contains(name + "=s3cret\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"LD_PRELOAD", "ld_library_path", "NODE_OPTIONS", "BASH_ENV", "PAGER", "GIT_CONFIG_COUNT", "IFS"})
    void codeInjectionVariablesAreRefusedWithAllowList(String name) {
        EnvironmentPolicy given = EnvironmentPolicy.empty().with(name, "x");
        AgentSessionBuilder listed = builder(script("")).allowedCommands(List.of("git"));
        assertThatThrownBy(() -> listed.environment(given).build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(name)
                .hasMessageContaining("allowedCommands");
        SandboxPolicy policy = SandboxPolicy.builder(PathMapping.same(worktree))
                .environment(given)
                .build();
        assertThatThrownBy(() -> listed.environment(EnvironmentPolicy.empty())
                        .policy(policy)
                        .build())
                .hasMessageContaining(name);
        open(builder(script("")).environment(given));
    }

    @Test
    void codeInjectionVariablesAreNeverTakenFromHost() {
        EnvironmentCheck check = new EnvironmentCheck(false);
        Map<String, String> host = Map.of("LD_PRELOAD", "x.so", "API_KEY", "s3cret", "PLAIN", "1");
        EnvironmentPolicy all = EnvironmentPolicy.empty()
                .forcing("LD_PRELOAD")
                .passing("API_KEY")
                .passing("PLAIN");
        assertThat(check.resolve(all, host)).isEqualTo(Map.of("PLAIN", "1"));
        assertThat(check.resolve(all.forcing("API_KEY"), host)).containsOnlyKeys("PLAIN", "API_KEY");
    }

    @Test
    void nameThatIsNoVariablesIsRefusedAtOnce() {
        assertThatThrownBy(() -> builder(script(""))
                        .environment(EnvironmentPolicy.empty().with("A-B", "x"))
                        .build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'A-B'");
    }
}
