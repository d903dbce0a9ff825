package dev.paddock.executor.landlock.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.executor.landlock.FakeFileSystemView;
import dev.paddock.executor.landlock.kernel.FileSystemView.Entry;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Tests that the cached system paths are checked again, and that a change is reported. */
class CachingFileSystemViewTest {
    private final AtomicLong clock = new AtomicLong(42);
    private final FakeFileSystemView host = new FakeFileSystemView().directories("/usr", "/work");
    private final CachingFileSystemView files = new CachingFileSystemView(Set.of("/usr", "/gone"), host, clock::get);

    @Test
    void systemPathsAreCachedForSecond() {
        host.replaced("/usr", "another");
        assertThat(files.at("/usr")).hasValue(new Entry(true, "/usr"));
        assertThat(files.changes()).isZero();
        clock.addAndGet(TimeUnit.SECONDS.toNanos(1));
        assertThat(files.at("/usr")).hasValue(new Entry(true, "/usr"));
        assertThat(files.changes()).isOne();
        assertThat(files.at("/usr")).hasValue(new Entry(true, "another"));
    }

    @Test
    void checkThatFindsSameFilesCountsNoChange() {
        clock.addAndGet(TimeUnit.SECONDS.toNanos(5));
        assertThat(files.changes()).isZero();
        host.directories("/gone");
        assertThat(files.changes()).isZero();
        clock.addAndGet(TimeUnit.SECONDS.toNanos(1));
        assertThat(files.changes()).isOne();
        assertThat(files.changes()).isOne();
    }

    @Test
    void otherPathsAreCheckedEachTime() {
        host.replaced("/work", "another");
        assertThat(files.at("/work")).hasValue(new Entry(true, "another"));
    }
}
