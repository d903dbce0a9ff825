package dev.paddock.executor.process.warm;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.SpawnException;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.policy.ShellVariables;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * What a waiting shell is told: enter this directory, take these variables, say that you are ready, become this command. So
 * a sandbox can be set up before its command is known, and values and commands stand on no command line.
 *
 * <p>The waiting shell is any POSIX {@code sh} that was started with {@link Transport#bootstrap()} as its script. The order
 * is a piece of shell text that holds nothing but quoted strings and words of its own, exact for every byte but NUL. The
 * shell answers with one line, {@link Answer}; what it has not called ready has not run.
 *
 * <p>A command of up to 128 KiB becomes an argument of the command's shell, which replaces the waiting one. A longer one is
 * no argument to the kernel (E2BIG): the waiting shell evaluates it.
 *
 * @param shell the command's shell, an absolute path on the command's side
 * @param command the command string
 * @param cwd the directory on the command's side
 * @param env what is laid over the waiting shell's own environment
 * @param stdin with EMPTY the command reads {@code /dev/null}
 * @param stderr with MERGED the command writes to standard output alone
 */
public record CommandRequest(
        String shell,
        String command,
        String cwd,
        Map<String, String> env,
        SpawnOptions.Stdin stdin,
        SpawnOptions.Stderr stderr) {

    /** The longest argument the kernel takes, its end included: 128 KiB. */
    public static final int MAX_ARGUMENT_BYTES = 128 << 10;

    /** The descriptor that the waiting shell reads its order from, with {@link Transport#DESCRIPTORS}. */
    public static final int ORDER_DESCRIPTOR = 3;

    /** The descriptor that it answers on, with {@link Transport#DESCRIPTORS}. */
    public static final int ANSWER_DESCRIPTOR = 4;

    /** Names beginning like this are the waiting shell's own. */
    private static final String OWN = "__paddock_";

    /** How the order and the answer travel. */
    public enum Transport {
        /** On descriptors of their own, {@value #ORDER_DESCRIPTOR} and {@value #ANSWER_DESCRIPTOR}: fast at any length. */
        DESCRIPTORS,
        /**
         * The order as the first line of standard input, the answer as the first line of standard output. The shell reads
         * byte by byte, so as not to take what is meant for the command: 1 MiB takes a second.
         */
        STANDARD_STREAMS;

        /**
         * The script of a waiting shell: {@code sh -c SCRIPT sh}. It ends with 0 if its input ends without an order.
         *
         * @return the script, ASCII
         */
        public String bootstrap() {
            return OWN + "n='\n'\n"
                    + switch (this) {
                        case DESCRIPTORS -> ". /dev/fd/" + ORDER_DESCRIPTOR + "\n";
                        case STANDARD_STREAMS -> "IFS= read -r " + OWN + "o || exit 0\neval \"$" + OWN + "o\"\n";
                    };
        }
    }

    /** What a waiting shell answers. */
    public enum Answer {
        /** The directory has been entered; the command follows. */
        READY,
        /** The directory does not exist. */
        CWD_MISSING,
        /** It is no directory. */
        CWD_NOT_DIRECTORY,
        /** It may not be entered. */
        CWD_DENIED,
        /** The command's shell is not there. */
        NO_SHELL;

        /**
         * Reads an answer.
         *
         * @param line the line, without its end
         * @return the answer
         * @throws IllegalArgumentException if it is none: the shell has failed, and this is what it said
         */
        public static Answer parse(String line) {
            for (Answer answer : values()) {
                if (answer.name().equals(line)) {
                    return answer;
                }
            }
            throw new IllegalArgumentException("not an answer of a waiting shell: '" + line + "'");
        }

        /**
         * Throws what the answer means, unless it is {@link #READY}.
         *
         * @param order the order that was answered
         * @throws SpawnException if the command cannot be run
         */
        public void requireReady(CommandRequest order) {
            switch (this) {
                case READY -> {}
                case CWD_MISSING ->
                    throw new SpawnException("the working directory does not exist: '" + order.cwd + "'");
                case CWD_NOT_DIRECTORY ->
                    throw new SpawnException("the working directory is no directory: '" + order.cwd + "'");
                case CWD_DENIED ->
                    throw new SpawnException("the working directory may not be entered: '" + order.cwd + "'");
                case NO_SHELL ->
                    throw new SpawnException("there is no shell to run the command: '" + order.shell + "'");
            }
        }
    }

    /**
     * Makes an order.
     *
     * @throws SpawnException if the command contains NUL or is longer than 1 MiB, or a variable is longer than the kernel
     *     takes
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
     * Whether every shell passes these variables on just as a newly started one would. If not, the command is better started
     * afresh, with them in its environment from the start.
     *
     * @param names variables' names
     * @return false if one of them has a meaning of its own to some shell
     */
    public static boolean passesExactly(Set<String> names) {
        return names.stream().allMatch(ShellVariables::isPlain);
    }

    /**
     * Whether the command can be an argument.
     *
     * @return false if the waiting shell has to evaluate it
     */
    public boolean fitsArgument() {
        return command.getBytes(UTF_8).length < MAX_ARGUMENT_BYTES;
    }

    /**
     * The order's text.
     *
     * @param transport how it travels
     * @return in UTF-8; one line where it travels on a standard stream. Nothing more is to be written to the order's
     *     descriptor then
     */
    public byte[] encode(Transport transport) {
        StringBuilder text = new StringBuilder(command.length() + cwd.length() + 512);
        enter(text, transport);
        become(text, transport, answer(transport));
        return text.append('\n').toString().getBytes(UTF_8);
    }

    /**
     * The order's text in two steps: to get ready, which the shell does while the second is still being awaited, and to become
     * the command.
     *
     * @return both, or, where a shell has to have it in one piece, the second alone
     */
    Steps encodeSteps(Transport transport) {
        if (transport != Transport.DESCRIPTORS || !fitsArgument()) {
            return new Steps(new byte[0], encode(transport));
        }
        StringBuilder first = new StringBuilder(cwd.length() + 512);
        enter(first, transport);
        StringBuilder second = new StringBuilder(command.length() + 128);
        become(second, transport, answer(transport));
        return new Steps(
                first.append('\n').toString().getBytes(UTF_8),
                second.append('\n').toString().getBytes(UTF_8));
    }

    /** An order's text in two steps. */
    @SuppressWarnings("ArrayRecordComponent") // written once, never compared
    record Steps(byte[] enter, byte[] become) {}

    private static String answer(Transport transport) {
        return transport == Transport.DESCRIPTORS ? ">&" + ANSWER_DESCRIPTOR : "";
    }

    private void enter(StringBuilder text, Transport transport) {
        boolean descriptors = transport == Transport.DESCRIPTORS;
        String answer = answer(transport);
        if (descriptors) {
            text.append("exec ").append(ORDER_DESCRIPTOR).append("<&-; ");
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
        // What the shell says to a locale that it does not know, the command's own shell will say again.
        text.append("{ PWD=\"$" + OWN + "d\"; export PWD; ");
        new TreeMap<>(env).forEach((name, value) -> {
            text.append("export ");
            assign(text, name, value, transport);
            text.append("; ");
        });
        text.append("} 2>/dev/null; ");
    }

    private void become(StringBuilder text, Transport transport, String answer) {
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
        } else {
            assign(text, OWN + "c", command, transport);
            text.append("; ").append(ready);
            text.append(redirect.isBlank() ? "" : "exec " + redirect + "; ");
            text.append("set --; eval \"unset " + OWN + "c " + OWN + "d " + OWN + "n " + OWN
                    + "o BASH_EXECUTION_STRING; $" + OWN + "c\"; exit");
        }
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
