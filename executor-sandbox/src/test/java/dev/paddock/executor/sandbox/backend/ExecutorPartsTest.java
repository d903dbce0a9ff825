package dev.paddock.executor.sandbox.backend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paddock.executor.ExecutorException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class ExecutorPartsTest {
    private final List<String> closed = new ArrayList<>();

    private AutoCloseable part(String name) {
        return () -> closed.add(name);
    }

    private AutoCloseable broken(String name) {
        return () -> {
            closed.add(name);
            throw new IllegalStateException(name);
        };
    }

    @Test
    void partsAreClosedOnceAndTheLastFirst() {
        ExecutorParts parts = ExecutorParts.assemble(made -> {
            made.keep(part("first"));
            made.keep(part("second"));
            return made;
        });
        assertThat(closed).isEmpty();
        parts.close();
        parts.close();
        assertThat(closed).containsExactly("second", "first");
    }

    @Test
    void allPartsAreClosedThoughSomeFail() {
        ExecutorParts parts = ExecutorParts.assemble(made -> {
            made.keep(part("first"));
            made.keep(broken("second"));
            made.keep(broken("third"));
            return made;
        });
        assertThatThrownBy(parts::close)
                .hasMessage("third")
                .satisfies(fault -> assertThat(fault.getSuppressed())
                        .singleElement()
                        .satisfies(other -> assertThat(other).hasMessage("second")));
        assertThat(closed).containsExactly("third", "second", "first");
    }

    @Test
    void aFailureClosesThePartsCreatedSoFar() {
        assertThatThrownBy(() -> ExecutorParts.assemble(made -> {
                    made.keep(part("first"));
                    made.keep(broken("second"));
                    throw new IOException("no space");
                }))
                .isInstanceOf(ExecutorException.class)
                .hasMessageContaining("no space");
        assertThat(closed).containsExactly("second", "first");
    }

    @Test
    void aPartIsCreatedWhileTheCallerCreatesOthers() throws Exception {
        CountDownLatch other = new CountDownLatch(1);
        ExecutorParts parts = ExecutorParts.assemble(made -> {
            ExecutorParts.Begun<AutoCloseable> begun = made.begin("test-part", () -> {
                other.await();
                return part("begun");
            });
            made.keep(part("other"));
            other.countDown();
            begun.await();
            return made;
        });
        parts.close();
        assertThat(closed).containsExactly("other", "begun");
    }

    @Test
    void aFailureWaitsForThePartThatAThreadCreatesAndClosesIt() {
        CountDownLatch failed = new CountDownLatch(1);
        assertThatThrownBy(() -> ExecutorParts.assemble(made -> {
                    made.begin("test-part", () -> {
                        failed.await();
                        return part("begun");
                    });
                    made.keep(() -> {
                        closed.add("other");
                        failed.countDown();
                    });
                    throw new IOException("no space");
                }))
                .hasMessageContaining("no space");
        assertThat(closed).containsExactly("other", "begun");
    }

    @Test
    void whoeverAwaitsAPartGetsTheReasonWhyThereIsNone() {
        IllegalStateException reason = new IllegalStateException("not here");
        assertThatThrownBy(() -> ExecutorParts.assemble(made -> {
                    made.keep(part("first"));
                    return made.begin("test-part", () -> {
                                throw reason;
                            })
                            .await();
                }))
                .isSameAs(reason);
        assertThat(closed).containsExactly("first");
    }
}
