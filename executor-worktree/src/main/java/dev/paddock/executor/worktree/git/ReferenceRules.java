package dev.paddock.executor.worktree.git;

import dev.paddock.executor.path.PathBytes;
import dev.paddock.executor.worktree.files.NameSkeleton;
import dev.paddock.executor.worktree.files.SmallFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** Judges references: their names reach shells and scripts, and some replace other objects. */
final class ReferenceRules {
    /** Everything that a shell expands or splits at, and a component that reads as an option. */
    private static final Pattern SHELL = Pattern.compile("(?s).*[\\x00-\\x20\\x7f$`;&|<>()'\"!{}\\\\*?~#].*|.*/-.*");

    private static final int MAX_REFERENCE_SIZE = 1 << 10;
    private static final int MAX_COMMITS_SIZE = 64 << 20;
    private static final int MAX_LIST_SIZE = 256 << 20;

    private ReferenceRules() {}

    /** Returns a remark for the user on the branch that a symbolic reference, such as {@code HEAD}, names. */
    static Optional<String> remarkOnContent(String content) {
        return ReferenceGrammar.symbolic(content).flatMap(ReferenceRules::remark);
    }

    /**
     * Returns a remark for the user on a reference.
     *
     * @param name as {@code refs/heads/main}, bytes as ISO 8859-1
     */
    static Optional<String> remark(String name) {
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
     * Returns the first remark for the user on the references in {@code packed-refs}.
     *
     * @return empty if git would not have written such a file
     */
    static Optional<List<String>> remarksOnList(Path packed) {
        List<String> remarks = new ArrayList<>();
        boolean wellFormed = SmallFile.read(packed, MAX_LIST_SIZE)
                .filter(content -> ReferenceGrammar.isPacked(content, name -> {
                    if (remarks.isEmpty()) {
                        remark(name).ifPresent(remarks::add);
                    }
                }))
                .isPresent();
        return wellFormed ? Optional.of(remarks) : Optional.empty();
    }

    /** Returns the content of a reference's file; empty if git would not have written it. */
    static Optional<String> reference(Path file) {
        return SmallFile.read(file, MAX_REFERENCE_SIZE).filter(ReferenceGrammar::isReference);
    }

    /** Returns whether git would have written a file such as {@code FETCH_HEAD} or {@code MERGE_HEAD}. */
    static boolean isListOfCommits(String name, Path file) {
        return SmallFile.read(file, MAX_COMMITS_SIZE)
                .filter(name.equals("FETCH_HEAD") ? ReferenceGrammar::isFetched : ReferenceGrammar::isListOfCommits)
                .isPresent();
    }
}
