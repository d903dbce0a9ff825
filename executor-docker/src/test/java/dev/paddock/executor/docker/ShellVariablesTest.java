package dev.paddock.executor.docker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.SpawnException;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.docker.source.ManagedSettings;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * C3: variables with a special meaning to a shell arrive unchanged, or are refused, whatever shell
 * the image has.
 */
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ShellVariablesTest {
    private static final List<String> EXACT = List.of(
            "IFS",
            "PS1",
            "PS2",
            "PS4",
            "OPTERR",
            "OPTARG",
            "ENV",
            "BASH_ENV",
            "BASH",
            "BASH_VERSION",
            "BASH_COMPAT",
            "BASH_XTRACEFD",
            "POSIXLY_CORRECT",
            "COMP_WORDBREAKS",
            "HISTSIZE",
            "HISTFILE",
            "HISTFILESIZE",
            "IGNOREEOF",
            "FUNCNEST",
            "MAIL",
            "MAILCHECK",
            "TMOUT",
            "COLUMNS",
            "LINES",
            "CDPATH",
            "GLOBIGNORE",
            "REPLY",
            "TIMEFORMAT",
            "PROMPT_COMMAND",
            "HOSTNAME",
            "TERM",
            "LC_ALL");

    private static final List<String> REFUSED = List.of(
            "OPTIND",
            "LINENO",
            "RANDOM",
            "SRANDOM",
            "SECONDS",
            "EPOCHSECONDS",
            "EPOCHREALTIME",
            "HISTCMD",
            "DIRSTACK",
            "GROUPS",
            "FUNCNAME",
            "PIPESTATUS",
            "BASHPID",
            "BASH_ARGV",
            "BASH_COMMAND",
            "BASH_LINENO",
            "BASH_SUBSHELL",
            "__p_sh");

    @TempDir
    Path directory;

    @Test
    void C3_theyArriveExactOrAreRefused() throws Exception {
        requireExactOrRefused(TestEngine.BUSYBOX);
    }

    @Tag("full")
    @ParameterizedTest
    @ValueSource(strings = {TestEngine.DEBIAN, TestEngine.SHELL})
    void C3_soDoTheyWithOtherShells(String image) throws Exception {
        requireExactOrRefused(image);
    }

    private void requireExactOrRefused(String image) throws Exception {
        TestEngine.withImage(image);
        try (DockerExecutor warm = DockerExecutor.builder()
                .image(image)
                .worktree(directory)
                .eager()
                .build()) {
            String container = warm.containerId().orElseThrow();
            try (DockerExecutor cold = DockerExecutor.builder()
                    .container(container)
                    .user(ManagedSettings.ownerOf(directory))
                    .warmSlots(0)
                    .build()) {
                for (CommandExecutor executor : List.of(warm, cold)) {
                    // A digit is the most harmful value of IFS.
                    for (String value : List.of("1", "a b", "*")) {
                        assertThat(seen(executor, value))
                                .as(executor + " " + value)
                                .isEqualTo(given(value));
                    }
                    for (String name : REFUSED) {
                        assertThatThrownBy(() -> executor.spawn(
                                        "echo ran",
                                        SpawnOptions.builder("/work")
                                                .env(name, "1")
                                                .build()))
                                .isInstanceOf(SpawnException.class)
                                .hasMessageContaining(name);
                    }
                }
            }
        }
    }

    private static Map<String, String> given(String value) {
        Map<String, String> given = new TreeMap<>();
        EXACT.forEach(name -> given.put(name, value));
        return given;
    }

    /** Returns the variables as the command's shell received them, not as it prints them. */
    private static Map<String, String> seen(CommandExecutor executor, String value) throws Exception {
        SpawnOptions options = SpawnOptions.builder("/work").env(given(value)).build();
        String started = Runs.of(executor.spawn(
                        "while IFS= read -r line || [ -n \"$line\" ]; do echo \"$line\"; done" + " </proc/$$/environ",
                        options))
                .out();
        Map<String, String> seen = new TreeMap<>();
        EXACT.forEach(name -> {
            if (started.contains(name + "=" + value)) {
                seen.put(name, value);
            }
        });
        return seen;
    }
}
