package dev.paddock.cli.sessions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.harness.tools.Json;
import dev.paddock.harness.tools.ToolCall;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the short text of a tool call. */
class CallTextTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "bash        | {'command': 'make test', 'timeout': 5}  | make test",
                "read        | {'path': 'a.txt', 'offset': 2}          | a.txt",
                "grep        | {'pattern': 'todo', 'glob': '*.java'}   | todo",
                "find        | {'glob': '*.java'}                      | *.java",
                "web_fetch   | {'url': 'https://example.org/'}         | https://example.org/",
                "web_search  | {'query': 'wool', 'limit': 3}           | wool",
                "skill       | {'name': 'knitting'}                    | knitting",
                "bash_output | {'shell_id': 'bash_1', 'filter': 'x'}    | bash_1",
                "kill_shell  | {'shell_id': 'bash_1'}                  | bash_1",
                "other       | {'count': 3}                            | ``"
            })
    void aCallIsShownByItsSubject(String tool, String arguments, String subject) throws Exception {
        Json given = Json.parse(arguments.replace('\'', '"'));
        assertThat(CallText.subject(new ToolCall("1", tool, given)).orElse("")).isEqualTo(subject);
    }
}
