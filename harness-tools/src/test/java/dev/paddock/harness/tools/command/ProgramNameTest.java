package dev.paddock.harness.tools.command;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the program name that an audit record contains. */
class ProgramNameTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            ignoreLeadingAndTrailingWhitespace = false,
            quoteCharacter = '~',
            value = {
                "make|make",
                "  make test|make",
                "./gradlew build|gradlew",
                "/usr/bin/x86_64-linux-gnu-gcc-12 a.c|x86_64-linux-gnu-gcc-12",
                "cd src && rm x|cd",
                "cat<in|cat",
                "a;b|a",
                "[ -f x ]|[",
                ". ./env.sh|.",
                "TOKEN=s3cret curl https://x|curl",
                "A='s3cret words' B=\"s3 cret\" C=s3\\ cret PATH+=x env|env",
                "TOKEN= make|make",
            })
    void firstWordWithoutItsDirectoryAndAssignments(String command, String name) {
        assertThat(ProgramName.of(command)).isEqualTo(name);
    }

    @Test
    void commentsAndEmptyLinesAreNoProgram() {
        assertThat(ProgramName.of("\n  # the key is s3cret\n\tls")).isEqualTo("ls");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            ignoreLeadingAndTrailingWhitespace = false,
            quoteCharacter = '~',
            value = {
                "TOKEN=s3cret",
                "TOKEN=$(cat s3cret) curl",
                "TOKEN=\"$(echo \"a s3cret\")\" curl",
                "TOKEN=\"a\\\" s3cret\" curl",
                "TOKEN=`cat s3cret` curl",
                "KEYS=(a s3cret) curl",
                "'s3cret'",
                "\"s3cret",
                "$s3cret",
                "(s3cret)",
                "<s3cret cat",
                "user:s3cret@host",
                "s3cret-0123456789-0123456789-0123456789",
                "s3cret/",
                "\\",
                "a\\ s3cret",
                "# s3cret",
            })
    void wordsThatAreNotPlainlyAProgramAreNotShown(String command) {
        assertThat(ProgramName.of(command)).isEqualTo("sh");
    }

    @Test
    void emptyCommandIsShellAndLongOneIsParsed() {
        assertThat(ProgramName.of("")).isEqualTo("sh");
        assertThat(ProgramName.of("A=b ".repeat(250_000) + "ls")).isEqualTo("ls");
    }
}
