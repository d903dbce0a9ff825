package dev.paddock.executor.process.supervise;

/**
 * Marks a point in the lifetime of a machine: processes that start later are newer than it.
 *
 * @since 0.1
 */
public final class ProcessTableMark {
    private final Object point;

    ProcessTableMark(Object point) {
        this.point = point;
    }

    Object point() {
        return point;
    }
}
