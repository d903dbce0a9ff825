package dev.paddock.harness.tools.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paddock.executor.AbortSignal;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests commands against an allow list. */
class AllowListTest {
    private static final CommandGate GATE = new AllowList(List.of("git", "make", "/opt/tools/lint"));

    private static void pass(CommandGate gate, String command) {
        gate.pass(command, AbortSignal.never());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "git",
                " \tgit status",
                "git commit -m 'a message'",
                "git commit -m \"it's said\"",
                "git log a\\ b 'c\\' # and no more",
                "make -j2 TARGET=a:~b a~",
                "/opt/tools/lint src"
            })
    void programOfListAndPlainArgumentsPass(String command) {
        pass(GATE, command);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "git status; rm -rf x",
                "git status && rm x",
                "git status & rm x",
                "git status | sh",
                "git status || rm x",
                "git log > x",
                "git apply < x",
                "git log `rm x`",
                "git log $(rm x)",
                "git log $HOME",
                "git log \"$(rm x)\"",
                "(git status)",
                "git status\nrm x",
                "git status\rrm x",
                "git status <<END\nEND"
            })
    void operatorsAndSubstitutionsAreRefusedInQuotesToo(String command) {
        assertThatThrownBy(() -> pass(GATE, command))
                .isInstanceOf(DeniedException.class)
                .hasMessageStartingWith("Command denied: it contains ")
                .hasMessageContaining("It was not run.")
                .hasMessageEndingWith("Allowed: git, make, /opt/tools/lint.");
    }

    @ParameterizedTest
    @ValueSource(strings = {"git add *", "git add a?", "git add [ab]", "git add {a,b}", "git add ~/x", "~/git"})
    void globsBracesAndTildeAreRefused(String command) {
        assertThatThrownBy(() -> pass(GATE, command)).hasMessageContaining("expands");
    }

    @Test
    void longNameIsCutBetweenTwoCharacters() {
        assertThatThrownBy(() -> pass(GATE, "x".repeat(99) + "\ud83e\udde6\ud83e\udde6"))
                .hasMessageContaining("'" + "x".repeat(99) + "…' is not allowed");
    }

    @ParameterizedTest
    @ValueSource(strings = {"git commit -m 'a", "git commit -m \"a", "git commit -m \"a\\\"", "git log a\\"})
    void quotesThatDoNotEndAndTrailingBackslashAreRefused(String command) {
        assertThatThrownBy(() -> pass(GATE, command))
                .isInstanceOf(DeniedException.class)
                .hasMessageMatching("Command denied: (the quote .* is not closed|it ends with a backslash)\\. .*");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "rm x",
                "GIT status",
                "gitk",
                "/usr/bin/git status",
                "./git status",
                "../opt/tools/lint",
                "lint src",
                "\"git\" status",
                "g\\it status",
                "'git' status",
                "exec git status",
                "command git status",
                "! git status",
                "\u00a0git status",
                "git\u000bstatus",
                "# git"
            })
    void anotherProgramIsRefusedHoweverItIsWritten(String command) {
        assertThatThrownBy(() -> pass(GATE, command)).hasMessageContaining("' is not allowed. It was not run.");
    }

    @ParameterizedTest
    @ValueSource(strings = {"GIT_SSH_COMMAND=sh git fetch", "PATH=.:x git", "A+=b git"})
    void assignmentsBeforeProgramAreRefused(String command) {
        assertThatThrownBy(() -> pass(GATE, command)).hasMessageContaining("it begins with an assignment");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "  ", "ls", "true", ":"})
    void emptyListDeniesEverything(String command) {
        assertThatThrownBy(() -> pass(new AllowList(List.of()), command))
                .isInstanceOf(DeniedException.class)
                .hasMessageEndingWith("It was not run. This session allows no commands; use its other tools.");
    }

    @Test
    void emptyCommandIsRefused() {
        assertThatThrownBy(() -> pass(GATE, " \t")).hasMessageContaining("it is empty");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "git status", "*", "git;rm", "a=b", "$X", "~/x", "\u00e9"})
    void listNamesProgramsAndNothingElse(String entry) {
        assertThatThrownBy(() -> new AllowList(List.of("make", entry)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageEndingWith("not '" + entry + "'");
    }

    @Test
    void longWordIsNotRepeatedWhole() {
        assertThatThrownBy(() -> pass(GATE, "x".repeat(100_000)))
                .satisfies(denied -> assertThat(denied.getMessage()).hasSizeLessThan(500));
    }

    /** The rule is a part of the tool's description. */
    @Test
    void ruleNamesFirstOfManyAndRefusalAll() {
        CommandGate gate = new AllowList(IntStream.rangeClosed(1, 200)
                .mapToObj(number -> "program" + number)
                .toList());
        assertThat(gate.rule())
                .hasSizeLessThan(400)
                .contains("program1, program2")
                .endsWith(" more.");
        assertThatThrownBy(() -> pass(gate, "ls")).hasMessageEndingWith("program199, program200.");
    }
}
