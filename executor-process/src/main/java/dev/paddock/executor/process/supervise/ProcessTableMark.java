package dev.paddock.executor.process.supervise;

/**
 * Marks a point in a machine's uptime: processes that start later are newer.
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
