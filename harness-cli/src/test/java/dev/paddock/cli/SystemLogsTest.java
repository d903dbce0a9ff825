package dev.paddock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** Tests what the program shows of messages, its own and those of libraries, in a JVM of its own. */
class SystemLogsTest {
    @TempDir
    Path directory;

    /** A program that logs as Paddock and its libraries do. */
    static final class Logging {
        private Logging() {}

        public static void main(String[] arguments) {
            Main unused = Main.create();
            System.Logger own = System.getLogger("some.harness");
            own.log(
                    System.Logger.Level.DEBUG,
                    "a detail of {0} interest, that isn't a pattern",
                    new IllegalStateException("the detail's cause"));
            own.log(System.Logger.Level.WARNING, "{0} of {1} are left", 2, 3);
            own.log(System.Logger.Level.ERROR, "the end");

            org.slf4j.Logger library = LoggerFactory.getLogger("some.library");
            library.debug("a library's {}", "detail", new IllegalStateException("the library's cause"));
            library.warn("{} are left to a library", 3, new IllegalStateException("the warning's cause"));
        }
    }

    @Test
    void warningsAreLineEachOnStandardError() throws Exception {
        Cli.Result result = Cli.in(directory).mainClass(Logging.class).run();
        assertThat(result)
                .isEqualTo(new Cli.Result(
                        0, "", "paddock: 2 of 3 are left\npaddock: the end\npaddock: 3 are left to a library\n"));
    }

    @Test
    void detailsAreShownOnRequestWithTheirCauses() throws Exception {
        Cli.Result result = Cli.in(directory)
                .env("PADDOCK_DEBUG", "1")
                .mainClass(Logging.class)
                .run();
        assertThat(result.stderr())
                .contains(
                        "paddock: a detail of {0} interest, that isn't a pattern\n"
                                + "java.lang.IllegalStateException: the detail's cause\n\tat ",
                        "paddock: 2 of 3 are left\n",
                        "paddock: the end\n",
                        "paddock: a library's detail\njava.lang.IllegalStateException: the library's cause\n\tat ",
                        "paddock: 3 are left to a library\njava.lang.IllegalStateException: the warning's cause\n\tat ");
        assertThat(result.stdout()).isEmpty();
    }
}
