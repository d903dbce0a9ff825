package dev.paddock.executor.tck.layer;

import java.util.ArrayList;
import java.util.List;

/**
 * Tests of the suites, selected by the beginnings of their names.
 *
 * @param beginnings an empty one selects every test
 */
public record Tests(List<String> beginnings) {
    static final Tests ALL = of("");

    static final Tests NONE = of();

    /** Takes a copy of the list. */
    public Tests {
        beginnings = List.copyOf(beginnings);
    }

    static Tests of(String... beginnings) {
        return new Tests(List.of(beginnings));
    }

    Tests and(Tests others) {
        List<String> both = new ArrayList<>(beginnings);
        both.addAll(others.beginnings);
        return new Tests(both);
    }

    Tests and(String... others) {
        return and(of(others));
    }

    /**
     * Returns whether a test is selected.
     *
     * @param name of its method
     */
    public boolean include(String name) {
        return beginnings.stream().anyMatch(name::startsWith);
    }
}
