package dev.paddock.harness.bindings;

import dev.paddock.executor.pattern.Glob;
import dev.paddock.executor.policy.CredentialNames;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The sources of a container's variables, which of them are included, and which are secrets. Immutable.
 *
 * <p>Defaults: every {@code .env} and {@code .env.*} in the root, in the order of their names, all optional; nothing of
 * the host's process; every name is included; a name that matches {@code PUBLIC_*} is public, one that looks like a
 * credential is a secret, and every other is public.
 *
 * <p>Commands receive all variables set in code or read from the host's process. A command or the project's author may
 * have written the files: commands receive of their variables only those that {@code HarmlessVariables} lists, those
 * that {@code include} names, and secrets if the {@link ExecPolicy} permits them. Only code can set
 * {@link dev.paddock.executor.policy.CodeInjectionVariables}.
 *
 * @since 0.1
 */
public final class EnvOptions {

    private static final EnvOptions STANDARD =
            new EnvOptions(List.of(), List.of(), List.of(), List.of("PUBLIC_*"), List.of(), ProcessVariables.NONE);

    /** Which variables of the host's process are read. */
    public enum ProcessVariables {
        /** None. */
        NONE,
        /** Those that {@link EnvOptions#include()} names; none if it is empty. */
        MATCHING,
        /** All, before {@link EnvOptions#include()} and {@link EnvOptions#exclude()} apply. */
        ALL
    }

    private final List<EnvSource> sources;
    private final List<String> include;
    private final List<String> exclude;
    private final List<String> publicNames;
    private final List<String> secretNames;
    private final ProcessVariables process;

    private EnvOptions(
            List<EnvSource> sources,
            List<String> include,
            List<String> exclude,
            List<String> publicNames,
            List<String> secretNames,
            ProcessVariables process) {
        sources = List.copyOf(sources);
        include = List.copyOf(include);
        exclude = List.copyOf(exclude);
        publicNames = List.copyOf(publicNames);
        secretNames = List.copyOf(secretNames);
        List.of(include, exclude, publicNames, secretNames).forEach(globs -> globs.forEach(Glob::compile));
        this.sources = sources;
        this.include = include;
        this.exclude = exclude;
        this.publicNames = publicNames;
        this.secretNames = secretNames;
        this.process = process;
    }

    /** {@return the defaults, the same value on each call} */
    public static EnvOptions standard() {
        return STANDARD;
    }

    /**
     * Returns these options with other sources.
     *
     * @param values the sources; a later one overrides an earlier one
     */
    public EnvOptions from(EnvSource... values) {
        return new EnvOptions(List.of(values), include, exclude, publicNames, secretNames, process);
    }

    /**
     * Returns these options with other included names.
     *
     * @param globs the globs; all names if there are none
     * @return the options
     * @throws IllegalArgumentException if a glob is malformed
     */
    public EnvOptions including(String... globs) {
        return new EnvOptions(sources, List.of(globs), exclude, publicNames, secretNames, process);
    }

    /**
     * Returns these options with other excluded names.
     *
     * @param globs the globs
     * @return the options
     * @throws IllegalArgumentException if a glob is malformed
     */
    public EnvOptions excluding(String... globs) {
        return new EnvOptions(sources, include, List.of(globs), publicNames, secretNames, process);
    }

    /**
     * Returns these options with other public and secret names.
     *
     * @param open globs of the names that are public whatever else they match
     * @param secret globs of the names that are secrets
     * @return the options
     * @throws IllegalArgumentException if a glob is malformed
     */
    public EnvOptions classifying(List<String> open, List<String> secret) {
        return new EnvOptions(sources, include, exclude, open, secret, process);
    }

    /**
     * Returns these options with variables of the host's process.
     *
     * @param value which of them
     */
    public EnvOptions process(ProcessVariables value) {
        return new EnvOptions(sources, include, exclude, publicNames, secretNames, value);
    }

    boolean counts(String name) {
        return (include.isEmpty() || matches(include, name)) && !matches(exclude, name);
    }

    /** Returns whether the program has named a variable itself. */
    boolean includes(String name) {
        return matches(include, name);
    }

    /** Returns whether a variable of the host's process is read. */
    boolean reads(String name) {
        return switch (process) {
            case NONE -> false;
            case MATCHING -> includes(name) && !matches(exclude, name);
            case ALL -> !matches(exclude, name);
        };
    }

    boolean isSecret(String name) {
        if (matches(publicNames, name)) {
            return false;
        }
        return secretNames.isEmpty() ? CredentialNames.standard().matches(name) : matches(secretNames, name);
    }

    Optional<EnvSource.File> fileAt(String path, List<EnvSource> resolved) {
        return resolved.stream()
                .filter(EnvSource.File.class::isInstance)
                .map(EnvSource.File.class::cast)
                .filter(file -> EnvPath.normal(file.path()).equals(EnvPath.normal(path)))
                .findFirst();
    }

    private static boolean matches(List<String> globs, String name) {
        return globs.stream().map(Glob::compile).anyMatch(glob -> glob.matches(name, name));
    }

    /** {@return the sources, of which a later one overrides an earlier one; the default if empty} */
    public List<EnvSource> sources() {
        return sources;
    }

    /**
     * {@return the globs of the included names, which commands receive from files, too; if empty, all names
     * are included}
     */
    public List<String> include() {
        return include;
    }

    /** {@return the globs of the excluded names} */
    public List<String> exclude() {
        return exclude;
    }

    /** {@return the globs of the names that are public whatever else they match} */
    public List<String> publicNames() {
        return publicNames;
    }

    /**
     * {@return the globs of the names that are secrets; if empty, those that {@link
     * CredentialNames#standard()} recognizes, {@code *_KEY}, {@code *_TOKEN}, {@code *_SECRET} and {@code
     * *_PASSWORD} among them}
     */
    public List<String> secretNames() {
        return secretNames;
    }

    /** {@return which variables of the host's process a {@link EnvSource.HostProcess} has} */
    public ProcessVariables process() {
        return process;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof EnvOptions that && parts().equals(that.parts());
    }

    @Override
    public int hashCode() {
        return parts().hashCode();
    }

    @Override
    public String toString() {
        return "EnvOptions" + parts();
    }

    private List<Object> parts() {
        return List.of(sources, include, exclude, publicNames, secretNames, process);
    }
}
