package dev.paddock.cli.release;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.objectweb.asm.AnnotationVisitor;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * A class as its methods, each of which a program may lack, and the rest. Whatever a part mentions is in the
 * constants of a class file that has this part alone.
 */
final class DividedClass {
    private static final int API = Opcodes.ASM9;

    /** Only Kotlin's reflection reads it, and it names all methods. */
    private static final String KOTLIN_METADATA = "Lkotlin/Metadata;";

    /** What the JVM and serialization call by name. */
    private static final Set<String> CALLED_BY_JAVA =
            Set.of("<clinit>", "readObject", "writeObject", "readObjectNoData", "readResolve", "writeReplace");

    /** A property, which Jackson finds by its shape. */
    private static final Pattern ACCESSOR = Pattern.compile("(get|is)\\p{Lu}.*\\(\\).*|set\\p{Lu}.*\\([^;]*;?\\).*");

    private static final String JACKSON = "com/fasterxml/jackson/annotation/";

    private final byte[] content;
    private final byte[] rest;
    private final List<Method> methods;
    private final Set<String> used = new HashSet<>();

    /**
     * A method.
     *
     * @param mentions of its declaration and its code
     * @param reflected whether Java or Jackson may call it though nothing mentions it
     */
    record Method(String name, String descriptor, String key, Mentions mentions, boolean reflected) {}

    private DividedClass(byte[] content, Parts parts) {
        this.content = content;
        this.rest = parts.rest.toByteArray();
        this.methods = parts.methods.stream().map(Part::method).toList();
    }

    static DividedClass of(byte[] content) {
        Parts parts = new Parts(new ClassWriter(0));
        new ClassReader(content).accept(parts, ClassReader.SKIP_DEBUG);
        return new DividedClass(content, parts);
    }

    /** Returns what the class mentions without its methods. */
    Mentions mentions() {
        return Mentions.ofClass(rest);
    }

    List<Method> methods() {
        return methods;
    }

    void use(Method method) {
        used.add(method.name() + method.descriptor());
    }

    /**
     * Returns the class file with the methods that are used.
     *
     * @param exists whether the program has a class
     */
    byte[] used(Predicate<String> exists) {
        ClassWriter writer = new ClassWriter(0);
        new ClassReader(content).accept(new Used(writer, exists), 0);
        return writer.toByteArray();
    }

    private static final class Parts extends ClassVisitor {
        private final ClassWriter rest;
        private final List<Part> methods = new ArrayList<>();
        private int version;
        private String owner = "";

        Parts(ClassWriter rest) {
            super(API, rest);
            this.rest = rest;
        }

        @Override
        public void visit(
                int version, int access, String name, String signature, String superName, String[] interfaces) {
            this.version = version;
            this.owner = name;
            super.visit(version, access, name, signature, superName, interfaces);
        }

        @Override
        public AnnotationVisitor visitAnnotation(String descriptor, boolean visible) {
            return descriptor.equals(KOTLIN_METADATA)
                    ? new AnnotationVisitor(API) {}
                    : super.visitAnnotation(descriptor, visible);
        }

        /** An inner class needs the class around it, but not the reverse. */
        @Override
        public void visitInnerClass(String name, String outerName, String innerName, int access) {
            if (name.equals(owner)) {
                super.visitInnerClass(name, outerName, innerName, access);
            }
        }

        @Override
        public void visitNestMember(String nestMember) {}

        @Override
        public MethodVisitor visitMethod(
                int access, String name, String descriptor, String signature, String[] exceptions) {
            ClassWriter alone = new ClassWriter(0);
            alone.visit(version, Opcodes.ACC_PUBLIC, owner, null, "java/lang/Object", null);
            methods.add(new Part(access, owner, name, descriptor, alone));
            return alone.visitMethod(access, name, descriptor, signature, exceptions);
        }
    }

    private record Part(int access, String owner, String name, String descriptor, ClassWriter alone) {
        Method method() {
            Mentions mentions = Mentions.ofClass(alone.toByteArray());
            return new Method(name, descriptor, Mentions.key(owner, name, descriptor), mentions, isReflected(mentions));
        }

        private boolean isReflected(Mentions mentions) {
            return CALLED_BY_JAVA.contains(name)
                    || (name + descriptor).equals("<init>()V")
                    || (access & Opcodes.ACC_NATIVE) != 0
                    || ((access & Opcodes.ACC_STATIC) == 0
                            && ACCESSOR.matcher(name + descriptor).matches())
                    || isForJackson(mentions);
        }

        private static boolean isForJackson(Mentions mentions) {
            return mentions.types().stream().anyMatch(type -> type.startsWith(JACKSON))
                    && !mentions.types().contains(JACKSON + "JsonIgnore");
        }
    }

    private final class Used extends ClassVisitor {
        private final Predicate<String> exists;

        Used(ClassWriter writer, Predicate<String> exists) {
            super(API, writer);
            this.exists = exists;
        }

        @Override
        public AnnotationVisitor visitAnnotation(String descriptor, boolean visible) {
            return descriptor.equals(KOTLIN_METADATA)
                    ? new AnnotationVisitor(API) {}
                    : super.visitAnnotation(descriptor, visible);
        }

        @Override
        public void visitInnerClass(String name, String outerName, String innerName, int access) {
            if (exists.test(name)) {
                super.visitInnerClass(name, outerName, innerName, access);
            }
        }

        @Override
        public void visitNestMember(String nestMember) {
            if (exists.test(nestMember)) {
                super.visitNestMember(nestMember);
            }
        }

        @Override
        public MethodVisitor visitMethod(
                int access, String name, String descriptor, String signature, String[] exceptions) {
            return used.contains(name + descriptor)
                    ? super.visitMethod(access, name, descriptor, signature, exceptions)
                    : new MethodVisitor(API) {};
        }
    }
}
