package dev.paddock.cli.doctor;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.paddock.cli.command.Arguments;
import dev.paddock.cli.command.Manual;
import dev.paddock.cli.command.Option;
import dev.paddock.cli.command.SandboxFlags;
import dev.paddock.cli.command.Subcommand;
import dev.paddock.cli.command.Version;
import dev.paddock.cli.terminal.Console;
import dev.paddock.cli.terminal.Interrupts;
import dev.paddock.cli.terminal.InvocationContext;
import dev.paddock.cli.terminal.TerminalWidth;
import dev.paddock.executor.Availability;
import dev.paddock.executor.ExecutorProviders;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Implements {@code paddock doctor}: reports which backends can be used here, which cannot, and
 * what helps.
 */
public final class DoctorCommand implements Subcommand {
    private static final Option JSON = Option.flag("--json", "writes the findings as JSON");

    private final Console console;

    public DoctorCommand(Console console) {
        this.console = console;
    }

    @Override
    public String name() {
        return "doctor";
    }

    @Override
    public String summary() {
        return "reports which sandboxes can be used here, and the guarantees of each";
    }

    @Override
    public List<Option> options() {
        return Stream.concat(Stream.of(JSON), SandboxFlags.ALL.stream()).toList();
    }

    @Override
    public Manual manual() {
        return new Manual(List.of("paddock doctor [--json]", "paddock doctor [--json] OPTION..."), """
                Tries every backend and reports whether it can be used, or the reason and the
                remedy, names the one that commands in this directory run in, and
                has one write a file here. The guarantees of a usable one follow from its kind and from the
                mechanisms that were found; not every guarantee is tried.

                With options of a sandbox: checks the needs of these options and of the
                configuration files. Opens the backend, which may fetch an image; probes it with
                the policy that results; runs a command; and tries each limit that is set with a
                command that exceeds one of its kind.
                """, """
                Exit codes: 0 if a sandbox can be used, or all that was asked for; 1 if not. The
                host is no sandbox, nor is a host that ssh reaches.
                """);
    }

    @Override
    public int run(Arguments arguments, InvocationContext caller) {
        arguments.requireNoOperands();
        Interrupts.catching(console);
        if (SandboxFlags.ALL.stream().anyMatch(arguments::has)) {
            return NeedsCheck.run(arguments, caller, console, arguments.has(JSON));
        }
        Map<String, Availability> findings = ProbeResults.probe(
                ExecutorProviders.installed(),
                ProbeResults.PATIENCE,
                ProbeResults.LONGER,
                names -> console.complain(String.join(", ", names) + ": no answer yet; tried once more, for up to "
                        + ProbeResults.LONGER.plus(ProbeResults.PATIENCE).toSeconds() + " s"));
        List<String> undecided = findings.keySet().stream()
                .filter(name -> ProbeResults.isUndecided(findings.get(name)))
                .toList();
        boolean hasSandbox = findings.values().stream().anyMatch(ProbeResults::isSandbox);
        UsedBackend used = UsedBackend.find(arguments, caller, console, findings);
        if (arguments.has(JSON)) {
            console.out().println(json(findings, used.name()).toPrettyString());
        } else {
            Report report = new Report(TerminalWidth.ofOutput(caller));
            report.paragraph("", "paddock " + Version.text() + " on " + platform());
            report.blank().backends(findings);
            if (hasSandbox || used.name().isPresent()) {
                report.blank().paragraph("", used.sentence());
                report.findings(used.faults());
            }
            if (!hasSandbox && undecided.isEmpty()) {
                report.blank().paragraph("", "No sandbox can be used here: commands run only on the host, by name.");
            } else if (!hasSandbox && used.name().isEmpty()) {
                report.blank()
                        .paragraph(
                                "",
                                "It is not known whether a sandbox can be used here: " + String.join(", ", undecided)
                                        + " did not answer in time. Try again when the machine is less busy.");
            }
            console.out().print(report.text());
        }
        return hasSandbox ? 0 : 1;
    }

    private static String platform() {
        return Version.platform() + ", Java " + System.getProperty("java.version");
    }

    static ObjectNode json(Map<String, Availability> findings, Optional<String> used) {
        ObjectNode all = JsonNodeFactory.instance.objectNode();
        all.put("version", Version.text()).put("platform", platform());
        used.ifPresent(name -> all.put("used", name));
        ArrayNode backends = all.putArray("backends");
        findings.forEach((name, availability) -> {
            ObjectNode backend = backends.addObject().put("name", name).put("usable", availability.isUsable());
            switch (availability) {
                case Availability.Usable usable -> {
                    backend.put("version", usable.version());
                    ArrayNode guarantees = backend.putArray("guarantees");
                    usable.guarantees().stream().sorted().forEach(guarantee -> guarantees.add(guarantee.name()));
                }
                case Availability.Unusable unusable ->
                    backend.put("reason", unusable.reason())
                            .put("remedy", unusable.remedy())
                            .put("transient", unusable.isTransient())
                            .put("undecided", unusable.outlook() == Availability.Outlook.UNDECIDED);
            }
        });
        return all;
    }
}
