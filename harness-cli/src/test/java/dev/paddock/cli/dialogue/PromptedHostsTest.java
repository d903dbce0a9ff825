package dev.paddock.cli.dialogue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.cli.terminal.Style;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests what answers about hosts mean, for this connection and for later ones. */
class PromptedHostsTest {
    private final List<String> asked = new ArrayList<>();
    private final Deque<String> answers = new ArrayDeque<>();
    private final PromptedHosts hosts = new PromptedHosts(
            (lines, prompt) -> {
                asked.addAll(lines);
                return answers.remove();
            },
            new Style(false));

    @ParameterizedTest
    @CsvSource({
        "y, true, 2",
        "once, true, 2",
        "Session, true, 1",
        "s, true, 1",
        "v, false, 1",
        "never, false, 1",
        "n, false, 2",
        "'', false, 2",
        "what, false, 2"
    })
    void answerCountsOnceOrForSession(String answer, boolean isAllowed, int questions) throws Exception {
        answers.addAll(List.of(answer, answer));
        assertThat(hosts.allows("a.example", 443)).isEqualTo(isAllowed);
        assertThat(hosts.allows("a.example", 443)).isEqualTo(isAllowed);
        assertThat(asked).hasSize(questions);
        assertThat(asked.get(0)).isEqualTo("A command connects to a.example:443, which is not allowed.");
    }

    @Test
    void anotherPortOrHostIsAnotherQuestion() throws Exception {
        answers.addAll(List.of("s", "n", "n"));
        assertThat(hosts.allows("a.example", 443)).isTrue();
        assertThat(hosts.allows("a.example", 80)).isFalse();
        assertThat(hosts.allows("b.a.example", 443)).isFalse();
    }
}
