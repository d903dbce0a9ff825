package dev.paddock.benchmarks.measure;

import dev.paddock.benchmarks.row.BenchmarkWorktree;
import dev.paddock.benchmarks.row.Catalogue;
import dev.paddock.benchmarks.row.Entry;
import java.util.List;

/**
 * What a family is to measure, and where.
 *
 * @param place a worktree
 * @param settings what was asked for
 */
public record Scope(BenchmarkWorktree place, Settings settings) {

    /** One number or the other, as time is short or not. */
    public int ifQuick(int quick, int otherwise) {
        return settings.quick() ? quick : otherwise;
    }

    /** So many rounds as were asked for, or one number or the other. */
    public int rounds(int quick, int otherwise) {
        return settings.rounds().orElse(ifQuick(quick, otherwise));
    }

    /** The rows that run a command, of those that have a name here and are wanted; for every round. */
    public List<Entry> rows(List<String> names) {
        return Catalogue.entries(settings.image()).stream()
                .filter(entry -> names.contains(entry.name()) && settings.wants(entry))
                .map(Entry::inEachRound)
                .toList();
    }

    /** Whether a row by that name is wanted. */
    public boolean wants(String row) {
        return settings.wants(row);
    }
}
