package dev.paddock.executor.landlock.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.executor.landlock.FakeFileSystemView;
import dev.paddock.executor.landlock.kernel.FileSystemView.Place;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Tests that the cached system paths are checked again, and that a change is reported. */
class CachingFileSystemViewTest {
    private final AtomicLong clock = new AtomicLong(42);
    private final FakeFileSystemView host = new FakeFileSystemView().directories("/usr", "/work");
    private final CachingFileSystemView places = new CachingFileSystemView(Set.of("/usr", "/gone"), host, clock::get);

    @Test
    void theSystemsPathsAreRememberedUntilALookIsASecondOld() {
        host.replaced("/usr", "another");
        assertThat(places.at("/usr")).hasValue(new Place(true, "/usr"));
        assertThat(places.changes()).isZero();
        clock.addAndGet(TimeUnit.SECONDS.toNanos(1));
        assertThat(places.at("/usr")).hasValue(new Place(true, "/usr"));
        assertThat(places.changes()).isOne();
        assertThat(places.at("/usr")).hasValue(new Place(true, "another"));
    }

    @Test
    void aLookThatFindsTheSameIsNoChange() {
        clock.addAndGet(TimeUnit.SECONDS.toNanos(5));
        assertThat(places.changes()).isZero();
        host.directories("/gone");
        assertThat(places.changes()).isZero();
        clock.addAndGet(TimeUnit.SECONDS.toNanos(1));
        assertThat(places.changes()).isOne();
        assertThat(places.changes()).isOne();
    }

    @Test
    void otherPathsAreLookedAtEachTime() {
        host.replaced("/work", "another");
        assertThat(places.at("/work")).hasValue(new Place(true, "another"));
    }
}
