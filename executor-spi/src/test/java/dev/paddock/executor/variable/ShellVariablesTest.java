package dev.paddock.executor.variable;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ShellVariablesTest {

    @Test
    void identifiersAreAsciiAndBeginWithNoDigit() {
        assertThat(new String[] {"A", "_", "a_1", "PATH"}).allMatch(ShellVariables::isIdentifier);
        assertThat(new String[] {"", "1A", "A-B", "A.B", "A B", "É", "A=B", "A\n"})
                .noneMatch(ShellVariables::isIdentifier);
    }

    @Test
    void nameIsOfOneKindAtMost() {
        assertThat(ShellVariables.all())
                .allMatch(ShellVariables::isIdentifier)
                .allSatisfy(name -> assertThat(ShellVariables.isReadOnly(name) && ShellVariables.isComputed(name))
                        .isFalse());
    }

    @ParameterizedTest
    @ValueSource(strings = {"PWD", "OLDPWD", "SHLVL", "_", "UID", "EUID", "PPID", "SHELLOPTS", "A-B"})
    void variablesThatShellKeepsForItselfAreNotPassedOn(String name) {
        assertThat(ShellVariables.isPassable(name)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"RANDOM", "OPTIND", "LINENO", "SECONDS", "PIPESTATUS", "BASHPID"})
    void countersAndListsAreComputed(String name) {
        assertThat(ShellVariables.isComputed(name)).isTrue();
        assertThat(ShellVariables.isPlain(name)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"IFS", "PS4", "BASH_ENV", "BASH_XTRACEFD", "SHLVL", "_", "OPTARG"})
    void variablesThatShellObeysAreNotPlain(String name) {
        assertThat(ShellVariables.isPlain(name)).isFalse();
        assertThat(ShellVariables.isComputed(name)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"PATH", "HOME", "LC_ALL", "LD_PRELOAD", "CDPATH", "PS1"})
    void otherVariablesArePlainAndPassable(String name) {
        assertThat(ShellVariables.isPlain(name)).isTrue();
        assertThat(ShellVariables.isPassable(name)).isTrue();
    }
}
