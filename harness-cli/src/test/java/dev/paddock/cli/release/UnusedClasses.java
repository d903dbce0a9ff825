package dev.paddock.cli.release;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.objectweb.asm.ClassReader;

/**
 * Finds the classes of general libraries that a program cannot load, because nothing in it contains
 * their names. Every mention counts: as a class, in a descriptor or an annotation, as a whole text
 * constant, in a native library, in a list of services. So a library is fit for this unless it
 * composes names of classes while it runs.
 */
final class UnusedClasses {
    private static final String CLASS = ".class";

    /** The tag of texts in a class file, among them all names and descriptors. */
    private static final int UTF8 = 1;

    private static final Pattern IN_DESCRIPTOR = Pattern.compile("L([^;<>]+)[;<]");
    private static final Pattern WORD = Pattern.compile("[\\w$/.]+");

    private final Map<String, byte[]> entries;
    private final SortedSet<String> unused = new TreeSet<>();
    private final Deque<String> used = new ArrayDeque<>();

    private UnusedClasses(Map<String, byte[]> entries, Pattern library) {
        this.entries = entries;
        for (String name : entries.keySet()) {
            boolean optional = name.endsWith(CLASS) && library.matcher(name).matches();
            (optional ? unused : used).add(name);
        }
    }

    /**
     * Returns names of entries.
     *
     * @param entries the contents of the program's jar, by name
     * @param library matches the names of the entries that may be left out; all others are used
     */
    static SortedSet<String> find(Map<String, byte[]> entries, Pattern library) {
        UnusedClasses classes = new UnusedClasses(entries, library);
        while (!classes.used.isEmpty()) {
            classes.names(classes.used.remove()).forEach(classes::use);
        }
        return classes.unused;
    }

    private void use(String type) {
        String name = type.replace('.', '/') + CLASS;
        if (unused.remove(name)) {
            used.add(name);
        }
    }

    private Set<String> names(String entry) {
        byte[] content = Objects.requireNonNull(entries.get(entry));
        Set<String> names = new HashSet<>();
        if (!entry.endsWith(CLASS)) {
            collect(WORD, 0, new String(content, StandardCharsets.ISO_8859_1), names);
            return names;
        }
        ClassReader reader = new ClassReader(content);
        for (int item = 1; item < reader.getItemCount(); item++) {
            int offset = reader.getItem(item);
            // The second place of a long constant has no offset.
            if (offset > 0 && content[offset - 1] == UTF8) {
                String text = new String(
                        content, offset + Short.BYTES, reader.readUnsignedShort(offset), StandardCharsets.UTF_8);
                names.add(text);
                collect(IN_DESCRIPTOR, 1, text, names);
            }
        }
        return names;
    }

    private static void collect(Pattern pattern, int group, String text, Set<String> names) {
        Matcher matcher = pattern.matcher(text);
        while (matcher.find()) {
            names.add(matcher.group(group));
        }
    }
}
