package dev.paddock.executor;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Installs providers through the context class loader of a test's thread. */
final class InstalledProviders implements AutoCloseable {
    private final ClassLoader before = Thread.currentThread().getContextClassLoader();
    private final Path directory;

    /** Nothing is installed yet: the directory takes the list of the providers. */
    InstalledProviders(Path directory) {
        this.directory = directory;
    }

    /**
     * Installs these providers in place of those before.
     *
     * @param providers classes, or names of classes
     */
    void install(Object... providers) throws IOException {
        Path services = Files.createDirectories(directory.resolve("META-INF/services"));
        List<String> names = Stream.of(providers)
                .map(each -> each instanceof Class<?> type ? type.getName() : each.toString())
                .toList();
        Files.write(services.resolve(ExecutorProvider.class.getName()), names);
        Thread.currentThread()
                .setContextClassLoader(
                        new URLClassLoader(new URL[] {directory.toUri().toURL()}, before));
    }

    @Override
    public void close() {
        Thread.currentThread().setContextClassLoader(before);
    }
}
