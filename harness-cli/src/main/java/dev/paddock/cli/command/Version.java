package dev.paddock.cli.command;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.module.ModuleDescriptor;
import java.util.Optional;
import java.util.Properties;

/** Reports this program's version, and where it runs. */
public final class Version {
    private Version() {}

    /**
     * Returns the version of the module in a release, or of the jar's manifest in a checkout; other classes are
     * unreleased.
     */
    public static String text() {
        return Optional.ofNullable(Version.class.getModule().getDescriptor())
                .flatMap(ModuleDescriptor::rawVersion)
                .or(() -> Optional.ofNullable(Version.class.getPackage().getImplementationVersion()))
                .orElse("(unreleased)");
    }

    /** Returns the commit from which a release was built; empty in a checkout. */
    static Optional<String> commit() {
        try (InputStream file = Version.class.getResourceAsStream("build.properties")) {
            Properties properties = new Properties();
            if (file != null) {
                properties.load(file);
            }
            return Optional.of(properties.getProperty("commit", "")).filter(commit -> !commit.isEmpty());
        } catch (IOException fault) {
            throw new UncheckedIOException("cannot read build.properties beside " + Version.class, fault);
        }
    }

    /** Returns the operating system with its release, and the processor. */
    public static String platform() {
        return System.getProperty("os.name") + " " + System.getProperty("os.version") + " "
                + System.getProperty("os.arch");
    }
}
