package dev.paddock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tests what the program shows of the harness's messages, in a JVM of its own. */
class StandardErrorLogsTest {
    @TempDir
    Path directory;

    /** A program that logs as the harness and its libraries do. */
    static final class Logging {
        private Logging() {}

        public static void main(String[] arguments) {
            Main unused = Main.create();
            Logger log = LoggerFactory.getLogger("some.harness");
            log.debug("a detail of {}", "little interest", new IllegalStateException("the detail's cause"));
            log.warn("{} of {} are left", 2, 3, new IllegalStateException("the warning's cause"));
            log.error("the end");
        }
    }

    @Test
    void warningsAreALineEachOnStandardError() throws Exception {
        Cli.Result result = Cli.in(directory).mainClass(Logging.class).run();
        assertThat(result).isEqualTo(new Cli.Result(0, "", "paddock: 2 of 3 are left\npaddock: the end\n"));
    }

    @Test
    void detailsAreShownOnRequestWithTheirCauses() throws Exception {
        Cli.Result result = Cli.in(directory)
                .env("PADDOCK_DEBUG", "1")
                .mainClass(Logging.class)
                .run();
        assertThat(result.stderr())
                .contains(
                        "paddock: a detail of little interest\njava.lang.IllegalStateException: the detail's cause\n\tat ",
                        "paddock: 2 of 3 are left\njava.lang.IllegalStateException: the warning's cause\n\tat ",
                        "paddock: the end\n");
        assertThat(result.stdout()).isEmpty();
    }
}
