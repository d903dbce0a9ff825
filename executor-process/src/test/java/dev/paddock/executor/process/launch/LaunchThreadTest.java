package dev.paddock.executor.process.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paddock.executor.ExecutorException;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class LaunchThreadTest {

    @Test
    void directLaunchesOnCallingThread() {
        assertThat(LaunchThread.direct().<Thread>call(Thread::currentThread)).isSameAs(Thread.currentThread());
    }

    @Test
    void lastingLaunchesOnOneThread() {
        try (LaunchThread lasting = LaunchThread.lasting("launches")) {
            Thread first = lasting.call(Thread::currentThread);
            Thread second = lasting.call(Thread::currentThread);
            assertThat(second).isSameAs(first).isNotSameAs(Thread.currentThread());
            assertThat(first.isAlive()).isTrue();
            assertThat(first.isDaemon()).isTrue();
            assertThat(first.isVirtual()).isFalse();
        }
    }

    @Test
    void lastingRefusesAfterItsEnd() {
        LaunchThread lasting = LaunchThread.lasting("launches");
        lasting.close();
        assertThatThrownBy(() -> lasting.call(Thread::currentThread)).isInstanceOf(ExecutorException.class);
    }

    @Test
    void interruptWaitsForEndOfLaunch() {
        try (LaunchThread lasting = LaunchThread.lasting("launches")) {
            Thread.currentThread().interrupt();
            assertThat(lasting.<Integer>call(() -> 7)).isEqualTo(7);
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    @Test
    void exceptionOfLaunchIsThrown() {
        LaunchThread lasting = LaunchThread.lasting("launches");
        for (LaunchThread thread : new LaunchThread[] {LaunchThread.direct(), lasting}) {
            assertThatThrownBy(() -> thread.call(() -> {
                        throw new IllegalStateException("as it is");
                    }))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("as it is");
            assertThatThrownBy(() -> thread.call(() -> {
                        throw new IOException("checked");
                    }))
                    .isInstanceOf(ExecutorException.class)
                    .hasMessageContaining("checked");
        }
        lasting.close();
    }
}
