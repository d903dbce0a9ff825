package dev.paddock.benchmarks.measure;

import dev.paddock.benchmarks.row.BenchmarkWorktree;
import dev.paddock.benchmarks.row.Catalogue;
import dev.paddock.benchmarks.row.Entry;
import java.util.List;

/**
 * Tells a family what to measure, and where.
 *
 * @param place a worktree
 * @param settings the settings of the command line
 */
public record Scope(BenchmarkWorktree place, Settings settings) {

    /** Returns the first number for a quick run, and the other one otherwise. */
    public int ifQuick(int quick, int otherwise) {
        return settings.quick() ? quick : otherwise;
    }

    /**
     * Returns the number of rounds in the settings; without one, one of the given numbers as with
     * {@link #ifQuick}.
     */
    public int rounds(int quick, int otherwise) {
        return settings.rounds().orElse(ifQuick(quick, otherwise));
    }

    /**
     * Returns those of the named rows that run a command and are selected; they run in every round.
     */
    public List<Entry> rows(List<String> names) {
        return Catalogue.entries(settings.image()).stream()
                .filter(entry -> names.contains(entry.name()) && settings.wants(entry))
                .map(Entry::inEachRound)
                .toList();
    }

    /** Returns whether the row with that name is selected. */
    public boolean wants(String row) {
        return settings.wants(row);
    }
}
