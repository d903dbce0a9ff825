package dev.paddock.executor.tck;

import dev.paddock.executor.ExecutorProvider;

/** Tests that the matrix accepts a backend that refuses what it cannot enforce. */
class ReferenceConformanceTest extends ConformanceContract {

    @Override
    protected ExecutorProvider provider() {
        return new ReferenceProvider(false);
    }
}
