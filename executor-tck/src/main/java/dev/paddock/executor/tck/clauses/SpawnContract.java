package dev.paddock.executor.tck.clauses;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paddock.executor.ExitStatus.Exited;
import dev.paddock.executor.ShellQuoting;
import dev.paddock.executor.SpawnException;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.SpawnOptions.Stdin;
import dev.paddock.executor.tck.context.ContractContext;
import dev.paddock.executor.tck.context.Outcome;
import dev.paddock.executor.tck.context.Running;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** C1 and C4: what spawn does, and in which directory a command starts. */
public interface SpawnContract {

    @Test
    default void C1_returnsWhileCommandRuns(ContractContext context) throws Exception {
        // If spawn waited for the command, this would block: the command waits for input that
        // follows.
        Running command = context.start("read go; exit 3", context.options().stdin(Stdin.PIPE));
        assertThat(command.hasExited()).as("exited too early").isFalse();
        command.type("go\n");
        assertThat(command.status()).isEqualTo(new Exited(3));
    }

    @Test
    default void C1_emptyCommandSucceeds(ContractContext context) throws Exception {
        Outcome outcome = context.run("");
        assertThat(outcome.status()).isEqualTo(new Exited(0));
        assertThat(outcome.out()).isEmpty();
    }

    @Test
    default void C1_whatCannotStartRunsNothing(ContractContext context) {
        String trace = context.commandPath("ran");
        SpawnOptions nowhere = SpawnOptions.in(context.commandPath("missing"));
        assertThatThrownBy(() -> context.spawn(context.executor(), ": > " + ShellQuoting.posix(trace), nowhere))
                .isInstanceOf(SpawnException.class);
        assertThat(context.exists("ran"))
                .as("whether 'ran' exists, which a command that was refused would have made")
                .isFalse();
    }

    @Test
    default void C1_sameStreamsAndStagesOnEachCall(ContractContext context) throws Exception {
        Running command = context.start("read go", context.options().stdin(Stdin.PIPE));
        assertThat(command.process().stdout()).isSameAs(command.process().stdout());
        assertThat(command.process().stderr()).isSameAs(command.process().stderr());
        assertThat(command.process().stdin()).isSameAs(command.process().stdin());
        command.process().stdin().close();
        command.outcome();
    }

    @Test
    default void C4_startsInDirectory(ContractContext context) throws Exception {
        assertThat(context.run("pwd").succeeded()).isEqualTo(context.cwd() + "\n");
        assertThat(context.run(": > here").status()).isEqualTo(new Exited(0));
        assertThat(context.exists("here"))
                .as("whether 'here' exists, which the command made in its directory")
                .isTrue();
    }

    @ParameterizedTest(name = ContractContext.NAME)
    @ValueSource(strings = {"with space", "-p", "+e", "quo'te\"d", "$HOME`x`\\n", "new\nline", "é😀", "~", "a=b", "*"})
    default void C4_whateverDirectoryIsCalled(String name, ContractContext context) throws Exception {
        context.assumeTools("mkdir");
        String directory = context.commandPath(name);
        // Created by a command: under some locales the JVM cannot name such a file.
        context.run("mkdir -p -- \"$DIRECTORY\"", context.options().env("DIRECTORY", directory))
                .succeeded();
        Outcome outcome = context.run("printf %s \"$PWD\"", SpawnOptions.builder(directory));
        assertThat(outcome.succeeded()).isEqualTo(directory);
    }

    @Test
    default void C4_missingDirectoryIsRefused(ContractContext context) {
        String missing = context.commandPath("not/there");
        assertThatThrownBy(() -> context.spawn("echo ran", SpawnOptions.builder(missing)))
                .isInstanceOf(SpawnException.class)
                .hasMessageContaining(missing);
    }

    @Test
    default void C4_fileIsNoDirectory(ContractContext context) throws Exception {
        context.run(": > file").succeeded();
        String file = context.commandPath("file");
        assertThatThrownBy(() -> context.spawn("echo ran", SpawnOptions.builder(file)))
                .isInstanceOf(SpawnException.class)
                .hasMessageContaining(file);
    }

    @Test
    default void C4_refusalIsForgotten(ContractContext context) throws Exception {
        for (int i = 0; i < 5; i++) {
            assertThatThrownBy(() -> context.spawn("echo ran", SpawnOptions.builder(context.commandPath("missing"))))
                    .isInstanceOf(SpawnException.class);
            assertThat(context.run("echo fine").succeeded()).isEqualTo("fine\n");
        }
    }
}
