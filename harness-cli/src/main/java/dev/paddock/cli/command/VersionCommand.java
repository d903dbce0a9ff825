package dev.paddock.cli.command;

import dev.paddock.cli.terminal.Console;
import dev.paddock.cli.terminal.InvocationContext;
import java.util.List;

/** Implements {@code paddock version}: reports the version, the commit, the JVM and the platform. */
public final class VersionCommand implements Subcommand {
    private final Console console;

    public VersionCommand(Console console) {
        this.console = console;
    }

    @Override
    public String name() {
        return "version";
    }

    @Override
    public String summary() {
        return "reports the version, the commit, the JVM and the platform";
    }

    @Override
    public List<Option> options() {
        return List.of();
    }

    @Override
    public Manual manual() {
        return new Manual(List.of("paddock version"), """
                Reports the version of this program, the commit from which it was built, the JVM
                that it runs on, and the platform.
                """, "");
    }

    @Override
    public int run(Arguments arguments, InvocationContext caller) {
        arguments.requireNoOperands();
        console.out()
                .print("paddock " + Version.text() + "\n"
                        + line("commit", Version.commit().orElse("not known: built in a checkout"))
                        + line(
                                "JVM",
                                property("java.runtime.version") + ", " + property("java.vm.name") + " of "
                                        + property("java.vendor") + ", in " + property("java.home"))
                        + line("platform", Version.platform()));
        return 0;
    }

    private static String line(String label, String value) {
        return "  " + label + " ".repeat(10 - label.length()) + value + "\n";
    }

    private static String property(String name) {
        return System.getProperty(name, "?");
    }
}
