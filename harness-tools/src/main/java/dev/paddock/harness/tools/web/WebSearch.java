package dev.paddock.harness.tools.web;

import dev.paddock.executor.AbortSignal;
import java.util.List;

/** A search of the web, of whatever service one has: what the tool {@code web_search} asks. */
@FunctionalInterface
public interface WebSearch {

    /**
     * Searches. Called from several threads at once; blocks no longer than a user would wait for, and returns early when the
     * signal is aborted.
     *
     * @param query what to look for, in the model's words
     * @param most how many results are wanted, from 1
     * @param signal aborted when the results are no longer wanted
     * @return the results, best first; of more than were wanted the rest is dropped
     * @throws RuntimeException if the search fails; the model is told the message
     */
    List<Hit> search(String query, int most, AbortSignal signal);

    /**
     * A result.
     *
     * @param title the page's title
     * @param url where it is
     * @param excerpt what it says about what was looked for; may be empty
     */
    record Hit(String title, String url, String excerpt) {}
}
