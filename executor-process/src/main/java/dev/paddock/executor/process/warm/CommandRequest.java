package dev.paddock.executor.process.warm;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.SpawnException;
import dev.paddock.executor.SpawnOptions;
import java.util.Map;
import java.util.TreeMap;

/**
 * The request that a stub receives for one command: enter the directory, set the variables, report readiness, execute
 * the command. With it a sandbox can be set up before its command is known, and values and commands appear on no
 * command line.
 *
 * <p>A shell stub is any POSIX {@code sh} that was started with {@link Transport#bootstrap()} as its script. It
 * receives the request as shell text that consists only of quoted strings and fixed words, and is exact for every byte
 * except NUL. The shell answers with one line, {@link Answer}; a command that it has not reported as ready has not run.
 *
 * <p>A command of up to 128 KiB becomes an argument of the command's shell, which replaces the stub's shell. The kernel
 * refuses a longer argument (E2BIG): the stub's shell, or bash if the command wants it, then receives the command in
 * several arguments and evaluates it.
 *
 * @param shell the command's shell, an absolute command-side path
 * @param command the command string
 * @param cwd the command-side directory
 * @param env the variables to add to the stub's environment
 * @param stdin with EMPTY the command reads {@code /dev/null}
 * @param stderr with MERGED the command's standard error goes to standard output
 * @since 0.1
 */
public record CommandRequest(
        String shell,
        String command,
        String cwd,
        Map<String, String> env,
        SpawnOptions.Stdin stdin,
        SpawnOptions.Stderr stderr) {

    /** The kernel's limit on one argument, including its terminating NUL: 128 KiB. */
    public static final int MAX_ARGUMENT_BYTES = 128 << 10;

    /** The descriptor from which the shell stub reads its request, with {@link Transport#DESCRIPTORS}. */
    public static final int REQUEST_DESCRIPTOR = 3;

    /** The descriptor on which it answers, with {@link Transport#DESCRIPTORS}. */
    public static final int ANSWER_DESCRIPTOR = 4;

    /** The prefix of the shell stub's own variables. */
    private static final String OWN = "__paddock_";

    /** The characters of a long command in one argument; each takes at most 3 bytes. */
    private static final int PIECE = 30_000;

    /** Evaluates a command that arrives in pieces. */
    private static final String JOIN = OWN + "c=; for " + OWN + "i; do " + OWN + "c=$" + OWN + "c$" + OWN + "i; done; "
            + "set --; eval \"unset " + OWN + "c " + OWN + "i BASH_EXECUTION_STRING; $" + OWN + "c\"; exit";

    /** How the request and the answer travel. */
    public enum Transport {
        /**
         * On dedicated descriptors, {@value #REQUEST_DESCRIPTOR} and {@value #ANSWER_DESCRIPTOR}:
         * fast at any length.
         */
        DESCRIPTORS,
        /**
         * The request as the first line of standard input, the answer as the first line of standard output. The shell
         * reads byte by byte, so that it does not consume the command's input: 1 MiB takes a second.
         */
        STANDARD_STREAMS;

        /**
         * Returns the script of a shell stub: {@code sh -c SCRIPT sh}. It exits with 0 if its input
         * ends without a request.
         *
         * @return the script, ASCII
         */
        public String bootstrap() {
            return OWN + "n='\n'\n"
                    + switch (this) {
                        case DESCRIPTORS -> ". /dev/fd/" + REQUEST_DESCRIPTOR + "\n";
                        case STANDARD_STREAMS -> "IFS= read -r " + OWN + "o || exit 0\neval \"$" + OWN + "o\"\n";
                    };
        }
    }

    /** The answer of a stub. */
    public enum Answer {
        /** The stub has entered the directory and executes the command next. */
        READY,
        /** The directory does not exist. */
        CWD_MISSING,
        /** The path is not a directory. */
        CWD_NOT_DIRECTORY,
        /** The directory may not be entered. */
        CWD_DENIED,
        /** The command's shell does not exist. */
        NO_SHELL;

        /**
         * Parses an answer.
         *
         * @param line the line, without its end
         * @return the answer
         * @throws IllegalArgumentException if the line is not an answer: the shell has failed; the message contains the
         *     line
         */
        public static Answer parse(String line) {
            for (Answer answer : values()) {
                if (answer.name().equals(line)) {
                    return answer;
                }
            }
            throw new IllegalArgumentException("not an answer of a shell stub: '" + line + "'");
        }

        /**
         * Throws the exception for any answer but {@link #READY}.
         *
         * @param request the request that was answered
         * @throws SpawnException if the command cannot be run
         */
        public void requireReady(CommandRequest request) {
            switch (this) {
                case READY -> {}
                case CWD_MISSING ->
                    throw new SpawnException("the working directory does not exist: '" + request.cwd + "'");
                case CWD_NOT_DIRECTORY ->
                    throw new SpawnException("the working directory is no directory: '" + request.cwd + "'");
                case CWD_DENIED ->
                    throw new SpawnException("the working directory may not be entered: '" + request.cwd + "'");
                case NO_SHELL ->
                    throw new SpawnException("there is no shell to run the command: '" + request.shell + "'");
            }
        }
    }

    /**
     * Creates a request.
     *
     * @throws SpawnException if the command contains NUL or is longer than 1 MiB, or a variable is
     *     longer than the kernel accepts
     */
    public CommandRequest {
        requireCommand(command);
        env = Map.copyOf(env);
        env.forEach(CommandRequest::requireVariable);
    }

    /**
     * Checks a command string (C2).
     *
     * @param command the command string
     * @throws SpawnException if it contains NUL or is longer than 1 MiB
     */
    public static void requireCommand(String command) {
        if (command.indexOf('\0') >= 0) {
            throw new SpawnException("the command contains NUL at character " + command.indexOf('\0'));
        }
        int bytes = command.getBytes(UTF_8).length;
        if (bytes > CommandExecutor.MAX_COMMAND_BYTES) {
            throw new SpawnException("the command is longer than 1 MiB: " + bytes + " bytes");
        }
    }

    /**
     * Checks a variable.
     *
     * @param name its name
     * @param value its value
     * @throws SpawnException if no program could be started with it
     */
    public static void requireVariable(String name, String value) {
        if (name.startsWith(OWN)) {
            throw new SpawnException("names that begin with " + OWN + " are the executor's own: " + name);
        }
        int bytes = name.length() + 1 + value.getBytes(UTF_8).length;
        if (bytes >= MAX_ARGUMENT_BYTES) {
            throw new SpawnException("the environment variable " + name + " is longer than the system takes (128 KiB): "
                    + bytes + " bytes");
        }
    }

    /**
     * Returns whether the command can be an argument.
     *
     * @return false if the stub's shell must evaluate it
     */
    public boolean fitsArgument() {
        return command.getBytes(UTF_8).length < MAX_ARGUMENT_BYTES;
    }

    /**
     * Returns the request's text.
     *
     * @param transport how it travels
     * @return the text in UTF-8; one line where it travels on a standard stream. The caller must write nothing more to
     *     the request's descriptor
     */
    public byte[] encode(Transport transport) {
        StringBuilder text = new StringBuilder(command.length() + cwd.length() + 512);
        String answer = transport == Transport.DESCRIPTORS ? ">&" + ANSWER_DESCRIPTOR : "";
        prepare(text, transport, answer);
        execute(text, transport, answer);
        return text.append('\n').toString().getBytes(UTF_8);
    }

    private void prepare(StringBuilder text, Transport transport, String answer) {
        if (transport == Transport.DESCRIPTORS) {
            text.append("exec ").append(REQUEST_DESCRIPTOR).append("<&-; ");
        }
        assign(text, OWN + "d", cwd, transport);
        text.append("; if cd -P -- \"$" + OWN + "d\" 2>/dev/null; then :; elif [ -d \"$" + OWN + "d\" ]; ");
        text.append(then(Answer.CWD_DENIED, answer)).append(" elif [ -e \"$" + OWN + "d\" ]; ");
        text.append(then(Answer.CWD_NOT_DIRECTORY, answer))
                .append(" else echo ")
                .append(Answer.CWD_MISSING);
        text.append(answer).append("; exit 0; fi; if ! [ -x ");
        quote(text, shell, transport);
        text.append(" ]; ").append(then(Answer.NO_SHELL, answer)).append(" fi; unset OLDPWD; ");
        // The stub's shell would warn of an unknown locale; the command's own shell will repeat that.
        text.append("{ PWD=\"$" + OWN + "d\"; export PWD; ");
        new TreeMap<>(env).forEach((name, value) -> {
            text.append("export ");
            assign(text, name, value, transport);
            text.append("; ");
        });
        text.append("} 2>/dev/null; ");
    }

    private void execute(StringBuilder text, Transport transport, String answer) {
        String ready = "echo " + Answer.READY + answer + "; ";
        String redirect = (transport == Transport.DESCRIPTORS ? ANSWER_DESCRIPTOR + ">&- " : "")
                + (stdin == SpawnOptions.Stdin.EMPTY ? "</dev/null " : "")
                + (stderr == SpawnOptions.Stderr.MERGED ? "2>&1" : "");
        if (fitsArgument()) {
            text.append(ready).append("exec ");
            quote(text, shell, transport);
            text.append(" -c -- ");
            quote(text, command, transport);
            text.append(' ').append(redirect);
        } else if (shell.endsWith("/bash")) {
            text.append(ready).append("exec ");
            quote(text, shell, transport);
            text.append(" -c ").append('\'').append(JOIN).append("' ");
            quote(text, shell, transport);
            for (int from = 0; from < command.length(); from = end(from)) {
                text.append(' ');
                quote(text, command.substring(from, end(from)), transport);
            }
            text.append(' ').append(redirect);
        } else {
            assign(text, OWN + "c", command, transport);
            text.append("; ").append(ready);
            text.append(redirect.isBlank() ? "" : "exec " + redirect + "; ");
            text.append("set --; eval \"unset " + OWN + "c " + OWN + "d " + OWN + "n " + OWN
                    + "o BASH_EXECUTION_STRING; $" + OWN + "c\"; exit");
        }
    }

    /** Returns the end of a piece, without splitting a surrogate pair. */
    private int end(int from) {
        int to = Math.min(command.length(), from + PIECE);
        return to < command.length() && Character.isHighSurrogate(command.charAt(to - 1)) ? to - 1 : to;
    }

    private static String then(Answer bad, String answer) {
        return "then echo " + bad + answer + "; exit 0;";
    }

    private static void assign(StringBuilder text, String name, String value, Transport transport) {
        text.append(name).append('=');
        quote(text, value, transport);
    }

    private static void quote(StringBuilder text, String value, Transport transport) {
        text.append('\'');
        for (int index = 0; index < value.length(); index++) {
            char letter = value.charAt(index);
            if (letter == '\'') {
                text.append("'\\''");
            } else if (letter == '\n' && transport == Transport.STANDARD_STREAMS) {
                text.append("'\"$" + OWN + "n\"'");
            } else {
                text.append(letter);
            }
        }
        text.append('\'');
    }
}
