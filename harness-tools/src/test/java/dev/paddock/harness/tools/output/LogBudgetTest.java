package dev.paddock.harness.tools.output;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogBudgetTest {
    @TempDir
    private Path directory;

    @Test
    void logsTakeNoMoreTogetherThanTheirSum() throws IOException {
        LogBudget budget = new LogBudget(directory, 100);
        budget.take(60);
        budget.take(40);
        assertThatThrownBy(() -> budget.take(1))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("have reached 100 bytes together");
        budget.giveBack(10);
        assertThatCode(() -> budget.take(10)).doesNotThrowAnyException();
        assertThatThrownBy(() -> budget.take(1)).isInstanceOf(IOException.class);
    }

    @Test
    void diskKeepsItsReserve() throws IOException {
        LogBudget budget = new LogBudget(directory, Long.MAX_VALUE, total -> total + 1);
        budget.take(1 << 20); // the space is read now and then
        assertThatThrownBy(() -> budget.take(16 << 20))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("free on the disk of the session's logs");
        LogBudget roomy = new LogBudget(directory, Long.MAX_VALUE, total -> 0);
        assertThatCode(() -> roomy.take(16 << 20)).as("the control").doesNotThrowAnyException();
    }

    /** Two shells that write without end: each keeps its log, and both stay below the sum. */
    @Test
    void rollingLogGivesBackWhatItReplaces() throws IOException {
        LogDirectory logs = new LogDirectory(directory.resolve("logs"), 1000);
        RollingLog log = new RollingLog(logs, "bash_1");
        for (int block = 0; block < 100; block++) {
            log.append(new byte[400], 400);
        }
        assertThatCode(() -> logs.budget().take((int) ((4L << 30) - 1000 - Integer.MAX_VALUE)))
                .doesNotThrowAnyException();
        assertThatCode(() -> logs.budget().take(Integer.MAX_VALUE)).doesNotThrowAnyException();
        assertThatThrownBy(() -> logs.budget().take(1001)).isInstanceOf(IOException.class);
        log.close();
    }
}
