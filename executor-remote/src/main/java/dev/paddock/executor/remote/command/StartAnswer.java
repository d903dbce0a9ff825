package dev.paddock.executor.remote.command;

import dev.paddock.executor.SpawnException;
import dev.paddock.executor.process.warm.CommandRequest;

/** Reads a slot's answer to a command request. */
final class StartAnswer {
    private StartAnswer() {}

    /**
     * Returns the process id of a running command.
     *
     * @param answer {@code ready PID} or {@code refused WHY}
     * @param where names the remote system in messages
     * @throws SpawnException if the slot has refused the request
     */
    static long pid(String answer, CommandRequest request, String where) {
        String[] words = answer.split(" ", -1);
        if (words[0].equals("ready")) {
            return Long.parseLong(words[1]);
        }
        String why = switch (words[1]) {
            case "missing" -> "does not exist";
            case "file" -> "is no directory";
            case "closed" -> "may not be entered";
            default ->
                throw new SpawnException("the command's shell could not be started in " + where + ": "
                        + answer.substring(answer.indexOf(' ', "refused ".length()) + 1)
                                .strip());
        };
        throw new SpawnException("the working directory " + why + " in " + where + ": '" + request.cwd() + "'");
    }
}
