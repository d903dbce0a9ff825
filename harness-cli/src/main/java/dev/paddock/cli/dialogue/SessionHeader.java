package dev.paddock.cli.dialogue;

import dev.paddock.cli.command.Version;
import dev.paddock.cli.terminal.Printable;
import dev.paddock.cli.terminal.Style;
import dev.paddock.cli.terminal.Words;
import dev.paddock.executor.Guarantee;
import dev.paddock.executor.policy.Mount;
import dev.paddock.executor.policy.NetworkPolicy;
import dev.paddock.harness.events.SessionEvent;
import dev.paddock.harness.files.access.FileException;
import dev.paddock.harness.files.workspace.WorkspaceFiles;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntSupplier;
import java.util.stream.Collectors;

/** Shows which model works where, and what its commands can reach. */
final class SessionHeader {
    private static final String BRANCH = "ref: refs/heads/";
    private static final int MAX_BYTES = 4096;
    private static final int LABEL_WIDTH = 11;

    /** How many protected paths the header names. */
    private static final int NAMES = 8;

    private final SessionScope scope;
    private final Style style;
    private final IntSupplier width;

    SessionHeader(SessionScope scope, Style style, IntSupplier width) {
        this.scope = scope;
        this.style = style;
        this.width = width;
    }

    /** Returns how many columns a line may take. */
    int columns() {
        return Math.max(1, width.getAsInt() - 1);
    }

    List<String> lines(SessionEvent.SessionStarted started, String model) {
        List<String> lines = new ArrayList<>();
        lines.add(style.bold("paddock " + Version.text()));
        lines.add(line("model", model));
        String branch = branch().map(name -> " (branch " + name + ")").orElse("");
        scope.workspace().ifPresent(id -> lines.add(line("workspace", id)));
        lines.add(line("worktree", scope.worktree().hostPath() + branch));
        if (scope.workspace().isEmpty()) {
            lines.addAll(sandbox(started.executor(), started.guarantees(), NAMES));
        } else {
            lines.add(line("commands", "in the workspace's sandbox"));
        }
        lines.add(style.dim("Esc stops a run, /help lists the commands"));
        return lines;
    }

    /** Returns the lines about the sandbox of a workspace that has just been opened. */
    List<String> opened(String executor, Set<Guarantee> guarantees) {
        return sandbox(executor, guarantees, NAMES);
    }

    /** Returns the lines about the sandbox alone, with all protected paths. */
    List<String> sandbox(String executor, Set<Guarantee> guarantees) {
        return sandbox(executor, guarantees, Integer.MAX_VALUE);
    }

    private List<String> sandbox(String executor, Set<Guarantee> guarantees, int mostNames) {
        List<String> lines = new ArrayList<>();
        boolean isConfined = guarantees.contains(Guarantee.WRITE_CONFINED);
        lines.add(line("commands", isConfined ? "in " + executor : executor + ", without a sandbox"));
        lines.add(line("network", network(guarantees)));
        lines.addAll(mounts(mostNames));
        if (guarantees.contains(Guarantee.PROTECTED_PATHS)) {
            List<String> names = Words.wrap("", "", names(mostNames), columns() - LABEL_WIDTH - 2);
            lines.add(label("protected") + names.getFirst());
            names.stream().skip(1).forEach(more -> lines.add(" ".repeat(LABEL_WIDTH + 2) + more));
        } else {
            lines.add(line("protected", "nothing from commands"));
        }
        return lines;
    }

    /** Names all writable mounts, and the others up to a limit. */
    private List<String> mounts(int most) {
        List<String> lines = new ArrayList<>();
        List<Mount> readOnly = new ArrayList<>();
        for (Mount mount : scope.mounts()) {
            if (mount.access() == Mount.Access.READ_WRITE) {
                lines.add(line("mount", mount.source() + " (writable)"));
            } else {
                readOnly.add(mount);
            }
        }
        if (readOnly.size() > most) {
            lines.add(line("mounts", readOnly.size() + " more, read-only: /sandbox lists them"));
        } else {
            readOnly.forEach(mount -> lines.add(line("mount", mount.source() + " (read-only)")));
        }
        return lines;
    }

    private String names(int most) {
        List<String> names = List.copyOf(scope.protectedPaths().names());
        String shown = names.stream().limit(most).map(Printable::text).collect(Collectors.joining(", "));
        return names.size() <= most ? shown : shown + ", and " + (names.size() - most) + " more: /sandbox lists them";
    }

    private String label(String name) {
        return style.dim("  " + name + " ".repeat(Math.max(1, LABEL_WIDTH - name.length())));
    }

    private String line(String name, String value) {
        return label(name) + Printable.line(value, Math.max(1, width.getAsInt() - LABEL_WIDTH - 3));
    }

    private String network(Set<Guarantee> guarantees) {
        return switch (scope.network()) {
            case NetworkPolicy.Off off -> guarantees.contains(Guarantee.NETWORK_OFF) ? "off" : "open";
            case NetworkPolicy.Open open -> "open";
            case NetworkPolicy.Allow allow -> String.join(", ", allow.hosts());
        };
    }

    /** Returns the branch of a repository whose git directory is in the worktree. */
    private Optional<String> branch() {
        try (WorkspaceFiles files = scope.files()) {
            String head = new String(files.read(".git/HEAD", MAX_BYTES), StandardCharsets.UTF_8).strip();
            return head.startsWith(BRANCH) ? Optional.of(head.substring(BRANCH.length())) : Optional.empty();
        } catch (FileException | UncheckedIOException none) {
            return Optional.empty();
        }
    }
}
