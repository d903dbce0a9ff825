package dev.paddock.cli.release;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;

class UnusedClassesTest {
    private static final Pattern LIBRARY = Pattern.compile("lib/.*");

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

        assertThat(UnusedClasses.find(entries, LIBRARY)).containsExactly("lib/OnlyThere.class", "lib/Unused.class");
    }

    @Test
    void mentionInNativeLibraryOrListOfServicesCounts() {
        type("lib/Native", "java/lang/Object", "I", null);
        type("lib/Service", "java/lang/Object", "I", null);
        entries.put("jni/library.so", "\0\1lib/Native\0".getBytes(StandardCharsets.ISO_8859_1));
        entries.put("META-INF/services/a.Service", "lib.Service # one\n".getBytes(StandardCharsets.UTF_8));

        assertThat(UnusedClasses.find(entries, LIBRARY)).isEmpty();
    }
}
