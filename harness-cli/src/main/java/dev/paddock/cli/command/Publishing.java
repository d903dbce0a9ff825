package dev.paddock.cli.command;

import dev.paddock.executor.PublishedPort;
import java.util.List;

/** The option that makes ports of commands reachable for programs of this machine; a configuration file cannot. */
public final class Publishing {
    /** Of one command. */
    public static final Option OF_THE_COMMAND = Option.repeatable(
            "--publish",
            "[HOST:]PORT",
            "lets programs of this machine reach PORT of the command",
            "at 127.0.0.1, on port HOST (PORT, if left out; a free",
            "one with :PORT); no other machine reaches it");

    /** Of the background commands of a session. */
    public static final Option OF_SHELLS = Option.repeatable(
            "--publish",
            "[HOST:]PORT",
            "the port of 127.0.0.1 at which programs of this machine",
            "reach PORT of a background command, if the model asks",
            "for that; other ports get free ones");

    private Publishing() {}

    /**
     * Reads the option.
     *
     * @throws UsageException if a value is malformed, or there are too many
     */
    public static List<PublishedPort> read(Arguments arguments) {
        List<PublishedPort> ports = arguments.all(OF_THE_COMMAND).stream()
                .map(text -> OptionValues.parse(OF_THE_COMMAND, text, PublishedPort::parse))
                .toList();
        if (ports.size() > PublishedPort.MAX_PORTS) {
            throw new UsageException(
                    OF_THE_COMMAND.name() + " can be given " + PublishedPort.MAX_PORTS + " times, not " + ports.size());
        }
        return ports;
    }
}
