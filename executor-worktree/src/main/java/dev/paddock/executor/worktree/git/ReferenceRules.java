package dev.paddock.executor.worktree.git;

import dev.paddock.executor.path.PathBytes;
import dev.paddock.executor.worktree.files.EntryState;
import dev.paddock.executor.worktree.files.NameSkeleton;
import dev.paddock.executor.worktree.files.SmallFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/** Judges references: their names reach shells and scripts, and some replace other objects. */
final class ReferenceRules {
    /** Everything that a shell expands or splits at, and a component that reads as an option. */
    private static final Pattern SHELL = Pattern.compile("(?s).*[\\x00-\\x20\\x7f$`;&|<>()'\"!{}\\\\*?~#].*|.*/-.*");

    private static final int MAX_REFERENCE_SIZE = 1 << 10;
    private static final int MAX_COMMITS_SIZE = 64 << 20;
    private static final int MAX_LIST_SIZE = 256 << 20;

    private ReferenceRules() {}

    /**
     * Judges {@code HEAD}, or that of a linked worktree.
     *
     * @param undo returns the verdict on a change that may not stay, by the reason
     */
    static Verdict judgeHead(Path head, Function<String, Verdict> undo) {
        return SmallFile.read(head)
                .filter(ReferenceGrammar::isHead)
                .map(content -> Verdict.reported(remarkOnContent(content)))
                .orElseGet(() -> undo.apply("it names no branch and no commit"));
    }

    /**
     * Judges a reference, or the log of one.
     *
     * @param name as {@code refs/heads/main}, bytes as ISO 8859-1
     * @param created whether it did not exist before the command
     */
    static Verdict judge(String name, Path file, EntryState state, boolean created) {
        if (!NameSkeleton.ofBytes(name).startsWith("refs/")) {
            return Verdict.allowed();
        }
        Optional<String> remark = remark(name);
        if (state.is(EntryState.Kind.DIRECTORY)) {
            return Verdict.reported(remark);
        }
        Optional<String> content = SmallFile.read(file, MAX_REFERENCE_SIZE).filter(ReferenceGrammar::isReference);
        if (content.isEmpty()) {
            // Without the file, git would silently use an older value in packed-refs.
            return created
                    ? new Verdict.Quarantined("it is no reference that git can read")
                    : new Verdict.Reported("it is no reference that git can read; its earlier values are in 'logs'");
        }
        return Verdict.reported(remark.or(() -> remarkOnContent(content.get())));
    }

    /** Returns a remark on the branch that a symbolic reference, such as {@code HEAD}, names. */
    private static Optional<String> remarkOnContent(String content) {
        return ReferenceGrammar.symbolic(content).flatMap(ReferenceRules::remark);
    }

    /**
     * Returns a remark on a reference.
     *
     * @param name as {@code refs/heads/main}, bytes as ISO 8859-1
     */
    private static Optional<String> remark(String name) {
        if (NameSkeleton.ofBytes(name).startsWith("refs/replace/")) {
            return Optional.of(
                    "git shows another object in place of the one that '" + PathBytes.escaped(name) + "' names");
        }
        return SHELL.matcher(name).matches()
                ? Optional.of("the name of the reference '" + PathBytes.escaped(name)
                        + "' has characters that a shell interprets")
                : Optional.empty();
    }

    /**
     * Judges {@code packed-refs}.
     *
     * @param undo as with {@link #judgeHead}
     */
    static Verdict judgePacked(Path packed, Function<String, Verdict> undo) {
        List<String> remarks = new ArrayList<>();
        boolean wellFormed = SmallFile.read(packed, MAX_LIST_SIZE)
                .filter(content -> ReferenceGrammar.isPacked(content, name -> {
                    if (remarks.isEmpty()) {
                        remark(name).ifPresent(remarks::add);
                    }
                }))
                .isPresent();
        return wellFormed
                ? Verdict.reported(remarks.stream().findFirst())
                : undo.apply("it is no list of references as git writes it");
    }

    /**
     * Judges a file such as {@code FETCH_HEAD}, {@code MERGE_HEAD} or {@code shallow}.
     *
     * @param undo as with {@link #judgeHead}
     */
    static Verdict judgeCommits(String name, Path file, Function<String, Verdict> undo) {
        Predicate<String> grammar =
                GitNames.is(name, "fetch_head") ? ReferenceGrammar::isFetched : ReferenceGrammar::isListOfCommits;
        return SmallFile.read(file, MAX_COMMITS_SIZE)
                .filter(grammar)
                .map(content -> Verdict.allowed())
                .orElseGet(() -> undo.apply("it is no list of commits as git writes it"));
    }
}
