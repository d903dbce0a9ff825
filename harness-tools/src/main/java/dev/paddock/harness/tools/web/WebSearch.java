package dev.paddock.harness.tools.web;

import dev.paddock.executor.AbortSignal;
import dev.paddock.harness.tools.Tool;
import java.util.List;

/**
 * Searches the web with a service of the application's choice, for the tool {@code web_search}.
 *
 * @since 0.1
 */
@FunctionalInterface
public interface WebSearch {

    /**
     * Searches. Called by several threads concurrently; blocks no longer than a user would wait, and returns early when
     * the signal is aborted.
     *
     * @param query the search terms, in the model's words
     * @param most how many results are wanted, from 1
     * @param signal aborted when the results are no longer wanted
     * @return the results, best first; results beyond {@code most} are dropped
     * @throws RuntimeException if the search fails; the model receives the message
     */
    List<Hit> search(String query, int most, AbortSignal signal);

    /** {@return the tool {@code web_search}, which queries this service, as sessions have it} */
    default Tool tool() {
        return new WebSearchTool(this);
    }

    /**
     * A search result.
     *
     * @param title the page's title
     * @param url the page's address
     * @param excerpt what the page says about the query; may be empty
     */
    record Hit(String title, String url, String excerpt) {}
}
