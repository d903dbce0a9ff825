package dev.paddock.cli.release;

import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Removes what a program cannot use of general libraries, because nothing in it contains the name. Every
 * mention counts: as a class, in a descriptor or an annotation, as a whole text constant, in a native
 * library, in a list of services. So a library is fit for this unless it composes names while it runs.
 *
 * <p>A divisible library also loses methods. A method of a class that is used stays if used code
 * calls a method of its name and descriptor in any class; if a class that looks methods up has its name as a
 * text constant; if it implements a method of Java, which Java's classes may call; and if Java or Jackson
 * call it by reflection ({@link DividedClass}). What a removed method alone mentions goes with it.
 */
final class UnusedCode {
    private static final String CLASS = ".class";

    private final Map<String, byte[]> entries;
    private final Libraries libraries;

    private final Set<String> unused = new HashSet<>();
    private final Map<String, DividedClass> divided = new TreeMap<>();
    private final Deque<Mentions> found = new ArrayDeque<>();
    private final Set<String> calls = new HashSet<>();
    private final Set<String> names = new HashSet<>();

    /** Methods of used classes that nothing has mentioned yet, by key and by name. */
    private final Map<String, List<Candidate>> candidates = new HashMap<>();

    private final Set<String> ancestors = new HashSet<>();

    private record Candidate(DividedClass owner, DividedClass.Method method) {}

    /**
     * Which parts of a program may be removed: regular expressions for names of entries.
     *
     * @param optional the classes that may be left out; all others are used
     * @param divisible those of them that may be left out by methods
     * @param indexes lists of services that name all classes of a library, of which those are to stay that
     *     the program uses
     */
    record Libraries(Pattern optional, Pattern divisible, Pattern indexes) {}

    private UnusedCode(Map<String, byte[]> entries, Libraries libraries) {
        this.entries = entries;
        this.libraries = libraries;
    }

    /**
     * Removes unused classes and methods.
     *
     * @param entries the contents of the program's jar, by name
     */
    static void removeFrom(Map<String, byte[]> entries, Libraries libraries) {
        UnusedCode code = new UnusedCode(entries, libraries);
        code.find();
        code.remove();
    }

    private void find() {
        for (String name : entries.keySet()) {
            if (isOptional(name)) {
                unused.add(name);
            }
        }
        // What other files mention stays whole, so these come first.
        entries.forEach((name, content) -> {
            if (!name.endsWith(CLASS) && !libraries.indexes().matcher(name).matches()) {
                Mentions.ofOtherFile(content).types().forEach(this::useWhole);
            }
        });
        entries.keySet().stream()
                .filter(name -> name.endsWith(CLASS) && !isOptional(name))
                .forEach(this::addWhole);
        while (!found.isEmpty()) {
            Mentions mentions = found.remove();
            mentions.types().forEach(this::use);
            mentions.calls().forEach(this::call);
        }
    }

    /** Takes the text constants of a class that looks methods up for names of methods. */
    private void addNames(Mentions whole) {
        if (whole.reflects()) {
            whole.texts().stream().filter(names::add).forEach(this::useCandidates);
        }
    }

    private boolean isOptional(String name) {
        return name.endsWith(CLASS) && libraries.optional().matcher(name).matches();
    }

    private static String entry(String type) {
        return type.replace('.', '/') + CLASS;
    }

    private void useWhole(String type) {
        String name = entry(type);
        if (unused.remove(name)) {
            addWhole(name);
            // Native code may call an inherited method or one of an interface.
            DividedClass.of(content(name)).methods().forEach(method -> call(method.key()));
        }
    }

    private void use(String type) {
        String name = entry(type);
        if (unused.remove(name)) {
            if (isDivisible(name)) {
                addDivided(name);
            } else {
                addWhole(name);
            }
        }
    }

    /** Java calls methods of enums, records and annotations by their names. */
    private boolean isDivisible(String name) {
        ClassReader reader = new ClassReader(content(name));
        return libraries.divisible().matcher(name).matches()
                && (reader.getAccess() & (Opcodes.ACC_ENUM | Opcodes.ACC_ANNOTATION)) == 0
                && !"java/lang/Record".equals(reader.getSuperName());
    }

    private byte[] content(String name) {
        return Objects.requireNonNull(entries.get(name), name);
    }

    private void addWhole(String name) {
        addAncestors(name);
        Mentions mentions = Mentions.ofClass(content(name));
        addNames(mentions);
        found.add(mentions);
    }

    private void addDivided(String name) {
        addAncestors(name);
        addNames(Mentions.ofClass(content(name)));
        DividedClass type = DividedClass.of(content(name));
        divided.put(name, type);
        found.add(type.mentions());
        for (DividedClass.Method method : type.methods()) {
            Candidate candidate = new Candidate(type, method);
            if (method.reflected() || calls.contains(method.key()) || names.contains(method.name())) {
                use(candidate);
            } else {
                candidates
                        .computeIfAbsent(method.key(), any -> new ArrayList<>())
                        .add(candidate);
                candidates
                        .computeIfAbsent(method.name(), any -> new ArrayList<>())
                        .add(candidate);
            }
        }
    }

    private void use(Candidate candidate) {
        candidate.owner().use(candidate.method());
        found.add(candidate.method().mentions());
    }

    private void call(String key) {
        if (calls.add(key)) {
            useCandidates(key);
        }
    }

    private void useCandidates(String keyOrName) {
        List<Candidate> all = candidates.remove(keyOrName);
        if (all != null) {
            all.forEach(this::use);
        }
    }

    /** Takes each method that a class may have from Java's classes and interfaces as called. */
    private void addAncestors(String name) {
        ClassReader reader = new ClassReader(content(name));
        List<String> names = new ArrayList<>(List.of(reader.getInterfaces()));
        if (reader.getSuperName() != null) {
            names.add(reader.getSuperName());
        }
        for (String ancestor : names) {
            if (!entries.containsKey(ancestor + CLASS) && ancestors.add(ancestor)) {
                callMethodsOf(ancestor.replace('/', '.'));
            }
        }
    }

    private void callMethodsOf(String javaClass) {
        try {
            Class<?> type = Class.forName(javaClass, false, ClassLoader.getPlatformClassLoader());
            call(type.getMethods());
            for (Class<?> each = type; each != null; each = each.getSuperclass()) {
                call(each.getDeclaredMethods());
            }
        } catch (ClassNotFoundException absent) {
            // Nor can the program load a class that extends it.
            return;
        }
    }

    private void call(java.lang.reflect.Method[] methods) {
        Arrays.stream(methods)
                .filter(method -> !Modifier.isPrivate(method.getModifiers()))
                .forEach(method -> call(method.getName() + Type.getMethodDescriptor(method)));
    }

    private void remove() {
        entries.keySet().removeAll(unused);
        divided.forEach((name, type) -> entries.put(name, type.used(other -> !unused.contains(other + CLASS))));
        entries.replaceAll(
                (name, content) -> libraries.indexes().matcher(name).matches() ? shortened(content) : content);
    }

    private byte[] shortened(byte[] index) {
        return new String(index, StandardCharsets.UTF_8)
                .lines()
                .filter(line -> !unused.contains(entry(line.strip())))
                .map(line -> line + "\n")
                .collect(Collectors.joining())
                .getBytes(StandardCharsets.UTF_8);
    }
}
