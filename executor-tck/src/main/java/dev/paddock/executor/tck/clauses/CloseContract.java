package dev.paddock.executor.tck.clauses;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.executor.CleanupReport;
import dev.paddock.executor.tck.context.ContractContext;
import dev.paddock.executor.tck.context.Running;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** C18: a command closes, whatever it leaves. */
public interface CloseContract {

    /** The time in which a command closes after its exit, in addition to its grace period. */
    Duration BOUND = Duration.ofSeconds(10);

    /** Creates directories below {@code deep} whose path is longer than the kernel's limit. */
    String DEEP = "( mkdir deep; cd deep; d=$(printf '%0200d' 0); i=0;"
            + " while [ $i -lt 25 ]; do mkdir $d && cd -P $d || break; i=$((i+1)); done; echo x > bottom ); ";

    /** The states in which a command leaves its directory, itself and its descendants. */
    enum Left {
        A_CLOSED_DIRECTORY("mkdir closed; echo x > closed/file; chmod 000 closed"),
        A_DIRECTORY_TOO_DEEP(DEEP),
        A_NAME_THAT_IS_NO_TEXT("n=$(printf '\\377'); mkdir \"$n\"; echo x > \"$n/$n\""),
        A_PIPE("mkfifo pipe"),
        ITS_DIRECTORY_CLOSED("chmod 000 ."),
        ITS_DIRECTORY_REMOVED("rm -rf \"$PWD\""),
        ITSELF_KILLED("kill -KILL $$"),
        ITS_STREAMS_CLOSED("exec <&- >&- 2>&-");

        private final String script;

        Left(String script) {
            this.script = script;
        }
    }

    @ParameterizedTest(name = ContractContext.NAME)
    @EnumSource
    default void C18_closesNormally(Left left, ContractContext context) throws Exception {
        context.assumeTools("mkdir", "mkfifo", "chmod", "rm");
        try {
            Running command = context.start("mkdir own; cd own; " + left.script);
            command.status();
            CleanupReport unused = command.cleanup(bound(context));
            assertThat(command.hasExited()).as("exited when closed").isTrue();
            assertThat(context.run("echo works").succeeded()).isEqualTo("works\n");
        } finally {
            context.run("chmod -R u+rwx own; rm -rf own");
        }
    }

    /** Returns how long a test waits for the close of a command that leaves no processes. */
    static Duration bound(ContractContext context) {
        return context.patience().compareTo(BOUND) < 0 ? context.patience() : BOUND;
    }
}
