package dev.paddock.harness.tool;

import dev.paddock.executor.ExitStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * What is told of a command of the model once it is over, whatever became of it: enough to account for it, and nothing that
 * may be secret: no argument, no variable, no output. Each command yields one.
 *
 * @param callId the id of the tool call that the command came with
 * @param executor the name of the executor: {@code "docker"}, {@code "bwrap"}
 * @param program the command's first word, after assignments and without its directory; {@code "sh"} if the command does not
 *     begin with a plain word of at most 32 letters, digits and {@code _ . + -}
 * @param background whether it was to run in the background
 * @param startedAt when it was called
 * @param outcome what came of it
 * @param status how it exited; empty if it did not run, was ended by the session, or that is not known
 * @param took how long it ran, with the draining of its output; zero if it did not run or was lost sight of
 * @param outputBytes how much it wrote, cut or not, in bytes
 */
public record CommandAudit(
        String callId,
        String executor,
        String program,
        boolean background,
        Instant startedAt,
        Outcome outcome,
        Optional<ExitStatus> status,
        Duration took,
        long outputBytes) {

    /** What came of a command. */
    public enum Outcome {
        /** It exited with 0. */
        OK,
        /** It exited with another code or by a signal, or the executor could not start it. */
        FAILED,
        /** Its time was up, and it was ended. */
        TIMED_OUT,
        /** It was not wanted any more: ended, or not started. */
        ABORTED,
        /** The session refused it. The executor has not heard of it. */
        DENIED,
        /** What became of it is not known: the place where it ran was lost, or its end was not seen. */
        LOST
    }
}
