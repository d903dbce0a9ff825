package dev.paddock.cli.release;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.regex.Pattern;
import java.util.zip.ZipFile;

/**
 * Merges the program's jars into one, which is {@linkplain ReleaseModule a module}.
 *
 * <p>The classes are those that this Java would load from the jars. Lists of services are joined.
 * Maven's descriptions stay in place, and the rest of a jar's {@code META-INF}, such as its license,
 * moves to a directory of the jar's name. The same jars give the same bytes.
 *
 * <p>A release's build starts it from this source, so it uses the JDK and ASM only.
 */
final class JarMerge {
    private static final String META = "META-INF/";
    private static final String SERVICES = META + "services/";

    private static final String DESCRIPTOR = "module-info.class";

    private final Map<String, byte[]> entries = new TreeMap<>();
    private final ReleaseModule module = new ReleaseModule();

    private final Pattern omitted;

    private JarMerge(Pattern omitted) {
        this.omitted = omitted;
    }

    /**
     * Makes a jar.
     *
     * @param arguments the new jar; the time of its entries in seconds since 1970; the module's name,
     *     its version, the names of the modules that it requires, with commas, and its main class; a
     *     regular expression for the names of the entries to omit, and three for {@linkplain
     *     UnusedCode.Libraries libraries} of which to omit unused code; and the jars to merge, of which the
     *     first gives its manifest
     * @throws IllegalStateException if two jars have entries of the same name
     */
    public static void main(String[] arguments) throws IOException {
        JarMerge merge = new JarMerge(Pattern.compile(arguments[6]));
        List<String> jars = Arrays.asList(arguments).subList(10, arguments.length);
        for (String jar : jars) {
            merge.add(Path.of(jar), jar.equals(jars.get(0)));
        }
        UnusedCode.removeFrom(
                merge.entries,
                new UnusedCode.Libraries(
                        Pattern.compile(arguments[7]), Pattern.compile(arguments[8]), Pattern.compile(arguments[9])));
        merge.entries.put(
                DESCRIPTOR,
                merge.module.describe(
                        arguments[2], arguments[3], List.of(arguments[4].split(",")), arguments[5], merge.entries));
        LocalDateTime time =
                LocalDateTime.ofInstant(Instant.ofEpochSecond(Long.parseLong(arguments[1])), ZoneOffset.UTC);
        merge.write(Path.of(arguments[0]), time);
    }

    private void add(Path file, boolean first) throws IOException {
        try (JarFile jar = new JarFile(file.toFile(), false, ZipFile.OPEN_READ, Runtime.version())) {
            for (JarEntry entry : jar.versionedStream().toList()) {
                String name = entry.getName();
                if (name.equals(DESCRIPTOR)) {
                    module.addDescriptor(jar.getInputStream(entry));
                } else if (!entry.isDirectory() && !omitted.matcher(name).matches()) {
                    add(name, jar.getInputStream(entry).readAllBytes(), file, first);
                }
            }
        }
    }

    private void add(String name, byte[] content, Path file, boolean first) {
        if (name.startsWith(SERVICES)) {
            entries.merge(name, line(content), JarMerge::join);
            return;
        }
        boolean moves = name.startsWith(META)
                && !name.startsWith(META + "maven/")
                && !(first && name.equals(JarFile.MANIFEST_NAME));
        String place = moves ? META + file.getFileName() + name.substring(META.length() - 1) : name;
        if (entries.putIfAbsent(place, content) != null) {
            throw new IllegalStateException(file + " has " + name + ", and so has a jar before it");
        }
    }

    private static byte[] line(byte[] text) {
        return (new String(text, StandardCharsets.UTF_8).strip() + "\n").getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] join(byte[] one, byte[] other) {
        byte[] both = Arrays.copyOf(one, one.length + other.length);
        System.arraycopy(other, 0, both, one.length, other.length);
        return both;
    }

    private void write(Path file, LocalDateTime time) throws IOException {
        List<String> names = new ArrayList<>(entries.keySet());
        names.remove(JarFile.MANIFEST_NAME);
        names.add(0, JarFile.MANIFEST_NAME);
        try (OutputStream output = Files.newOutputStream(file);
                JarOutputStream jar = new JarOutputStream(output)) {
            for (String name : names) {
                JarEntry entry = new JarEntry(name);
                entry.setTimeLocal(time);
                jar.putNextEntry(entry);
                jar.write(entries.get(name));
                jar.closeEntry();
            }
        }
    }
}
