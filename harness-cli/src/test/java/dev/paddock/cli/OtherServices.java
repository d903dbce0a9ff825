package dev.paddock.cli;

import java.io.IOException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.function.IntSupplier;
import java.util.regex.Pattern;

/** The services of a call in the tests' JVM, as another class path would have them. */
final class OtherServices extends ClassLoader {
    /** Matches where the sandboxes of this machine, and docker, are declared. */
    static final Pattern SANDBOXES = Pattern.compile(".*executor-(bwrap|landlock|seatbelt|docker).*");

    private final List<Path> added;
    private final boolean hasSandboxes;

    private OtherServices(ClassLoader parent, List<Path> added, boolean hasSandboxes) {
        super(parent);
        this.added = added;
        this.hasSandboxes = hasSandboxes;
    }

    /**
     * Makes a call.
     *
     * @param added directories that declare services; their classes are the tests'
     */
    static int during(List<Path> added, boolean hasSandboxes, IntSupplier call) {
        Thread thread = Thread.currentThread();
        ClassLoader usual = thread.getContextClassLoader();
        thread.setContextClassLoader(new OtherServices(usual, added, hasSandboxes));
        try {
            return call.getAsInt();
        } finally {
            thread.setContextClassLoader(usual);
        }
    }

    @Override
    public Enumeration<URL> getResources(String name) throws IOException {
        List<URL> found = Collections.list(super.getResources(name));
        found.removeIf(one -> !hasSandboxes && SANDBOXES.matcher(one.toString()).matches());
        for (Path directory : added) {
            Path file = directory.resolve(name);
            if (Files.isRegularFile(file)) {
                found.add(file.toUri().toURL());
            }
        }
        return Collections.enumeration(found);
    }
}
