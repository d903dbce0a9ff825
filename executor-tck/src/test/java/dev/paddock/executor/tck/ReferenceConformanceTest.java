package dev.paddock.executor.tck;

import dev.paddock.executor.ExecutorProvider;

/** The matrix accepts a backend that refuses what it cannot enforce. */
class ReferenceConformanceTest extends ConformanceContract {

    @Override
    protected ExecutorProvider provider() {
        return new ReferenceProvider(false);
    }
}
