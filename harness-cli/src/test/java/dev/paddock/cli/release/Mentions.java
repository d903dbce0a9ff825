package dev.paddock.cli.release;

import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.objectweb.asm.ClassReader;

/** What a file of a program mentions. */
final class Mentions {
    private static final int UTF8 = 1;
    private static final int STRING = 8;
    private static final int METHOD = 10;
    private static final int INTERFACE_METHOD = 11;

    private static final Pattern IN_DESCRIPTOR = Pattern.compile("L([^;<>]+)[;<]");
    private static final Pattern WORD = Pattern.compile("[\\w$/.]+");
    private static final Pattern LOOKUP =
            Pattern.compile("java/lang/invoke/MethodHandles\\$Lookup\\..*|java/lang/Class\\.get(Declared)?Methods?");

    private final Set<String> types = new HashSet<>();
    private final Set<String> calls = new HashSet<>();
    private final Set<String> texts = new HashSet<>();
    private boolean reflects;

    private Mentions() {}

    /** Any implementation may be called by a name and a descriptor, but a constructor only by its class, too. */
    static String key(String owner, String name, String descriptor) {
        return (name.equals("<init>") ? owner : "") + name + descriptor;
    }

    /** Takes each word of a native library, a list of services or a text for the name of a class. */
    static Mentions ofOtherFile(byte[] content) {
        Mentions mentions = new Mentions();
        collect(WORD, 0, new String(content, StandardCharsets.ISO_8859_1), mentions.types);
        return mentions;
    }

    static Mentions ofClass(byte[] classFile) {
        ClassReader reader = new ClassReader(classFile);
        Mentions mentions = new Mentions();
        char[] buffer = new char[reader.getMaxStringLength()];
        for (int item = 1; item < reader.getItemCount(); item++) {
            int offset = reader.getItem(item);
            // The second place of a long constant has no offset.
            if (offset > 0) {
                mentions.add(reader, offset, buffer);
            }
        }
        return mentions;
    }

    /** Returns whatever could be the name of a class: texts, words of other files, and the types in descriptors. */
    Set<String> types() {
        return types;
    }

    /** Returns the {@linkplain #key keys} of the methods that are called or taken as handles. */
    Set<String> calls() {
        return calls;
    }

    /** Returns the text constants. */
    Set<String> texts() {
        return texts;
    }

    /** Returns whether methods are looked up by their names. */
    boolean reflects() {
        return reflects;
    }

    private void add(ClassReader reader, int offset, char[] buffer) {
        switch (reader.readByte(offset - 1)) {
            case UTF8 -> addType(text(reader, offset));
            case STRING -> texts.add(reader.readUTF8(offset, buffer));
            case METHOD, INTERFACE_METHOD -> {
                int signature = reader.getItem(reader.readUnsignedShort(offset + Short.BYTES));
                String owner = reader.readClass(offset, buffer);
                String name = reader.readUTF8(signature, buffer);
                calls.add(key(owner, name, reader.readUTF8(signature + Short.BYTES, buffer)));
                reflects |= LOOKUP.matcher(owner + "." + name).matches();
            }
            default -> {}
        }
    }

    private static String text(ClassReader reader, int offset) {
        byte[] text = new byte[reader.readUnsignedShort(offset)];
        for (int index = 0; index < text.length; index++) {
            text[index] = (byte) reader.readByte(offset + Short.BYTES + index);
        }
        return new String(text, StandardCharsets.UTF_8);
    }

    private void addType(String text) {
        types.add(text);
        collect(IN_DESCRIPTOR, 1, text, types);
    }

    private static void collect(Pattern pattern, int group, String text, Set<String> names) {
        Matcher matcher = pattern.matcher(text);
        while (matcher.find()) {
            names.add(matcher.group(group));
        }
    }
}
