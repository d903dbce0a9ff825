package dev.paddock.cli.release;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.Handle;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Finds the services that classes may search for. A method that takes a class and calls {@code
 * ServiceLoader}, or another such method, searches for what its callers name. So the class constants
 * of every method that calls one of these count, though some are no services.
 */
final class ServiceUses {
    private static final int API = Opcodes.ASM9;
    private static final String LOADER = "java/util/ServiceLoader.load";

    private final Map<String, Body> methods = new LinkedHashMap<>();

    /** What a method calls, and the classes that it names as constants. */
    private record Body(boolean takesClass, Set<String> calls, Set<String> constants) {
        Body(boolean takesClass) {
            this(takesClass, new HashSet<>(), new HashSet<>());
        }
    }

    void read(byte[] classFile) {
        ClassReader reader = new ClassReader(classFile);
        reader.accept(new Methods(reader.getClassName()), ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
    }

    /** Returns the names of the classes. */
    SortedSet<String> found() {
        Set<String> searching = new HashSet<>();
        SortedSet<String> found = new TreeSet<>();
        boolean grown = true;
        while (grown) {
            grown = false;
            for (Map.Entry<String, Body> method : methods.entrySet()) {
                Body body = method.getValue();
                if (body.calls().stream().anyMatch(call -> call.startsWith(LOADER) || searching.contains(call))) {
                    found.addAll(body.constants());
                    grown |= body.takesClass() && searching.add(method.getKey());
                }
            }
        }
        return found;
    }

    private final class Methods extends ClassVisitor {
        private final String owner;

        Methods(String owner) {
            super(API);
            this.owner = owner;
        }

        @Override
        public MethodVisitor visitMethod(
                int access, String name, String descriptor, String signature, String[] exceptions) {
            Body body = new Body(descriptor.contains("Ljava/lang/Class;"));
            methods.put(owner + "." + name + descriptor, body);
            return new Calls(body);
        }
    }

    private static final class Calls extends MethodVisitor {
        private final Body body;

        Calls(Body body) {
            super(API);
            this.body = body;
        }

        @Override
        public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean isInterface) {
            body.calls().add(owner + "." + name + descriptor);
        }

        @Override
        public void visitInvokeDynamicInsn(String name, String descriptor, Handle bootstrap, Object... arguments) {
            for (Object argument : arguments) {
                if (argument instanceof Handle handle) {
                    body.calls().add(handle.getOwner() + "." + handle.getName() + handle.getDesc());
                }
            }
        }

        @Override
        public void visitLdcInsn(Object value) {
            if (value instanceof Type type && type.getSort() == Type.OBJECT) {
                body.constants().add(type.getClassName());
            }
        }
    }
}
