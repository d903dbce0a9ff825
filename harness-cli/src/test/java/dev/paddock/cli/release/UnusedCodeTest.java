package dev.paddock.cli.release;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;

class UnusedCodeTest {
    private static final Pattern LIBRARY = Pattern.compile("lib/.*");
    private static final Pattern NONE = Pattern.compile("none");
    private static final String SHAPES = "dev/paddock/cli/release/LibraryOfShapes";

    private final Map<String, byte[]> entries = new HashMap<>();

    /** Adds a class whose one field has this descriptor, and this value if it is a text. */
    private void type(String name, String superName, String descriptor, @Nullable Object value) {
        ClassWriter writer = new ClassWriter(0);
        writer.visit(Opcodes.V21, Opcodes.ACC_PUBLIC, name, null, superName, null);
        writer.visitField(Opcodes.ACC_STATIC | Opcodes.ACC_FINAL, "field", descriptor, null, value)
                .visitEnd();
        writer.visitEnd();
        entries.put(name + ".class", writer.toByteArray());
    }

    @Test
    void anyMentionByUsedClassCounts() {
        type("a/Main", "lib/Base", "Ljava/lang/String;", "lib.Named");
        type("lib/Base", "java/lang/Object", "[Llib/Element;", null);
        type("lib/Named", "java/lang/Object", "I", null);
        type("lib/Element", "java/lang/Object", "J", 1L);
        type("lib/Unused", "java/lang/Object", "Llib/OnlyThere;", null);
        type("lib/OnlyThere", "java/lang/Object", "I", null);
        type("other/Unused", "java/lang/Object", "I", null);

        UnusedCode.removeFrom(entries, new UnusedCode.Libraries(LIBRARY, NONE, NONE));
        assertThat(entries)
                .containsOnlyKeys(
                        "a/Main.class", "lib/Base.class", "lib/Named.class", "lib/Element.class", "other/Unused.class");
    }

    @Test
    void mentionInNativeLibraryOrListOfServicesCounts() {
        type("lib/Native", "java/lang/Object", "I", null);
        type("lib/Service", "java/lang/Object", "I", null);
        entries.put("jni/library.so", "\0\1lib/Native\0".getBytes(StandardCharsets.ISO_8859_1));
        entries.put("META-INF/services/a.Service", "lib.Service # one\n".getBytes(StandardCharsets.UTF_8));

        UnusedCode.removeFrom(entries, new UnusedCode.Libraries(LIBRARY, LIBRARY, NONE));
        assertThat(entries).hasSize(4);
    }

    @Test
    void indexMentionsNothingAndKeepsClassesThatProgramUses() {
        type("a/Main", "lib/Used", "I", null);
        type("lib/Used", "java/lang/Object", "I", null);
        type("lib/Unused", "java/lang/Object", "I", null);
        entries.put("META-INF/services/Index", "lib.Unused\nlib.Used\n".getBytes(StandardCharsets.UTF_8));

        UnusedCode.removeFrom(entries, new UnusedCode.Libraries(LIBRARY, LIBRARY, Pattern.compile(".*/Index")));
        assertThat(entries).containsOnlyKeys("a/Main.class", "lib/Used.class", "META-INF/services/Index");
        assertThat(entries.get("META-INF/services/Index")).asString().isEqualTo("lib.Used\n");
    }

    @Test
    void programRunsWithoutMethodsThatItDoesNotCall() throws Exception {
        List<String> names = List.of("", "$Shape", "$Outline", "$Square", "$Bar", "$Program");
        for (String name : names) {
            String entry = SHAPES + name + ".class";
            try (InputStream file = getClass().getResourceAsStream("/" + entry)) {
                entries.put(entry, Objects.requireNonNull(file, entry).readAllBytes());
            }
        }
        Pattern library = Pattern.compile(SHAPES + "(?!\\$Program).*");
        UnusedCode.removeFrom(entries, new UnusedCode.Libraries(library, library, NONE));

        assertThat(entries)
                .containsOnlyKeys(
                        SHAPES + ".class", SHAPES + "$Shape.class", SHAPES + "$Bar.class", SHAPES + "$Program.class");
        Class<?> program = new Entries().loadClass(SHAPES.replace('/', '.') + "$Program");
        Constructor<?> constructor = program.getDeclaredConstructor();
        constructor.setAccessible(true);
        assertThat(((Supplier<?>) constructor.newInstance()).get()).isEqualTo("bars 2, 3");
        assertThat(new Entries().loadClass(SHAPES.replace('/', '.') + "$Bar").getDeclaredMethods())
                .extracting(Method::getName)
                .containsOnly("kind", "area", "compareTo", "equals", "hashCode");
    }

    /** Loads the classes of the entries, and those of Java. */
    private final class Entries extends ClassLoader {
        Entries() {
            super(ClassLoader.getPlatformClassLoader());
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            byte[] content = entries.get(name.replace('.', '/') + ".class");
            if (content == null) {
                throw new ClassNotFoundException(name);
            }
            return defineClass(name, content, 0, content.length);
        }
    }
}
