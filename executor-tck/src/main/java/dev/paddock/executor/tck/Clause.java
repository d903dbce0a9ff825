package dev.paddock.executor.tck;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The clauses of the contract, with the promise quoted in the report of a failing test. */
enum Clause {
    C1("spawn returns once the command is handed over and never waits for it; if it cannot start, nothing runs"),
    C2("the command reaches a POSIX shell exact to the byte, up to 1 MiB"),
    C3("the environment is the executor's base, options.env and one marker, exact, with nothing of the host's"),
    C4("a command starts in options.cwd, or SpawnException is thrown; there is no fallback"),
    C5("standard input is empty, or a pipe that is exact and has an end"),
    C6("stdout and stderr are exact, separate or merged in order, and a reader that stops blocks the writer"),
    C7("onExit completes with the exit status when the main process has exited"),
    C8("processes that a command left running end with it, and both streams reach their end"),
    C9("kill reaches the whole tree and nothing else, within 2 s; after exit it returns false"),
    C10("an abort sends TERM to the tree and KILL after the grace, and leaves no listener behind"),
    C11("dispose is idempotent and ends every live command within 10 s; later spawns are refused"),
    C12("nothing survives the death of the JVM by more than 5 s"),
    C13("commands do not wait for each other, and many commands leave nothing behind"),
    C14("an unavailable sandbox or an unenforceable policy is an error; there is no fallback"),
    C15("loss of the sandbox is reported within 5 s, and the executor works again once the cause is gone"),
    C16("an idle executor with silent commands uses no CPU"),
    C17("/tmp, $HOME and loopback are shared by an executor's commands and invisible to other executors"),
    C18("onClosed completes within the grace plus 10 s whatever the command left; a cleanup fault is a notice"),
    C19("run returns exact output and status for exact input; a timeout and an interrupt end the tree"),
    C20("a command gets its own terminal and no other if it asks for one, or is refused"),
    G("a claimed guarantee holds, and an unclaimed one is refused");

    private static final Pattern NAME = Pattern.compile("(C\\d+|G)_.*");

    private final String promise;

    Clause(String promise) {
        this.promise = promise;
    }

    /** Returns the clause that a test's method name starts with. */
    static Optional<Clause> ofMethod(String name) {
        Matcher matcher = NAME.matcher(name);
        return matcher.matches() ? Optional.of(valueOf(matcher.group(1).toUpperCase(Locale.ROOT))) : Optional.empty();
    }

    /** Returns the clause with its promise. */
    String words() {
        return name() + " (" + promise + ")";
    }
}
