package dev.paddock.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The entry point of the {@code paddock} command. */
@Command(
        name = "paddock",
        mixinStandardHelpOptions = true,
        version = "paddock 0.1.0-SNAPSHOT",
        description = "Gives a model a shell without giving it the machine.")
final class Main implements Runnable {

    private Main() {}

    public static void main(String[] args) {
        System.exit(new CommandLine(new Main()).execute(args));
    }

    @Override
    public void run() {
        CommandLine.usage(this, System.out);
    }
}
