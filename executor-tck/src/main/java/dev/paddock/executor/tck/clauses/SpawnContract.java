package dev.paddock.executor.tck.clauses;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paddock.executor.ExitStatus.Exited;
import dev.paddock.executor.SpawnException;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.SpawnOptions.Stdin;
import dev.paddock.executor.tck.context.ContractContext;
import dev.paddock.executor.tck.context.Outcome;
import dev.paddock.executor.tck.context.Posix;
import dev.paddock.executor.tck.context.Running;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** C1 and C4: what spawn does, and in which directory a command starts. */
public interface SpawnContract {

    @Test
    default void C1_returnsWhileTheCommandRuns(ContractContext trial) throws Exception {
        // If spawn waited for the command, this would not return: the command waits for input that
        // follows.
        Running command = trial.start("read go; exit 3", trial.options().stdin(Stdin.PIPE));
        assertThat(command.hasExited()).as("exited before it was told to").isFalse();
        command.type("go\n");
        assertThat(command.status()).isEqualTo(new Exited(3));
    }

    @Test
    default void C1_anEmptyCommandSucceeds(ContractContext trial) throws Exception {
        Outcome outcome = trial.run("");
        assertThat(outcome.status()).isEqualTo(new Exited(0));
        assertThat(outcome.out()).isEmpty();
    }

    @Test
    default void C1_whatCannotStartRunsNothing(ContractContext trial) {
        String trace = trial.commandPath("ran");
        SpawnOptions nowhere = SpawnOptions.in(trial.commandPath("missing"));
        assertThatThrownBy(() -> trial.spawn(trial.executor(), ": > " + Posix.quote(trace), nowhere))
                .isInstanceOf(SpawnException.class);
        assertThat(trial.hostPath("ran"))
                .as("what a command that was refused would have made")
                .doesNotExist();
    }

    @Test
    default void C1_theSameStreamsAndStagesOnEachCall(ContractContext trial) throws Exception {
        Running command = trial.start("read go", trial.options().stdin(Stdin.PIPE));
        assertThat(command.process().stdout()).isSameAs(command.process().stdout());
        assertThat(command.process().stderr()).isSameAs(command.process().stderr());
        assertThat(command.process().stdin()).isSameAs(command.process().stdin());
        command.process().stdin().close();
        command.outcome();
    }

    @Test
    default void C4_startsInTheDirectory(ContractContext trial) throws Exception {
        assertThat(trial.run("pwd").succeeded()).isEqualTo(trial.cwd() + "\n");
        assertThat(trial.run(": > here").status()).isEqualTo(new Exited(0));
        assertThat(trial.hostPath("here"))
                .as("what the command made in its directory, on the host")
                .exists();
    }

    @ParameterizedTest
    @ValueSource(strings = {"with space", "-p", "+e", "quo'te\"d", "$HOME`x`\\n", "new\nline", "é😀", "~", "a=b", "*"})
    default void C4_whateverTheDirectoryIsCalled(String name, ContractContext trial) throws Exception {
        trial.assumeTools("mkdir");
        String directory = trial.commandPath(name);
        // Created by a command: under some locales the JVM cannot name such a file.
        trial.run("mkdir -p -- \"$DIRECTORY\"", trial.options().env("DIRECTORY", directory))
                .succeeded();
        Outcome outcome = trial.run("printf %s \"$PWD\"", SpawnOptions.builder(directory));
        assertThat(outcome.succeeded()).isEqualTo(directory);
    }

    @Test
    default void C4_aMissingDirectoryIsRefused(ContractContext trial) {
        String missing = trial.commandPath("not/there");
        assertThatThrownBy(() -> trial.spawn("echo ran", SpawnOptions.builder(missing)))
                .isInstanceOf(SpawnException.class)
                .hasMessageContaining(missing);
    }

    @Test
    default void C4_aFileIsNoDirectory(ContractContext trial) throws Exception {
        trial.run(": > file").succeeded();
        String file = trial.commandPath("file");
        assertThatThrownBy(() -> trial.spawn("echo ran", SpawnOptions.builder(file)))
                .isInstanceOf(SpawnException.class)
                .hasMessageContaining(file);
    }

    @Test
    default void C4_aRefusalIsForgotten(ContractContext trial) throws Exception {
        for (int i = 0; i < 5; i++) {
            assertThatThrownBy(() -> trial.spawn("echo ran", SpawnOptions.builder(trial.commandPath("missing"))))
                    .isInstanceOf(SpawnException.class);
            assertThat(trial.run("echo fine").succeeded()).isEqualTo("fine\n");
        }
    }
}
