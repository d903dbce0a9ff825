package dev.paddock.harness.workspace;

import dev.paddock.executor.process.file.Kernel;
import dev.paddock.executor.process.table.OwnerId;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.util.Objects;
import java.util.Set;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Loads the classes of workspaces and snapshots once more, with a step of the {@link KillSwitch} before
 * each call that changes a file: so no step can be forgotten, and the product needs no hooks.
 */
final class SteppedClasses extends ClassLoader {
    private static final String PACKAGE = "dev.paddock.harness.workspace.";
    private static final String FILES = "dev.paddock.executor.process.file.";
    private static final String SWITCH = Type.getInternalName(KillSwitch.class);
    private static final String KERNEL = Type.getInternalName(Kernel.class);
    private static final Set<String> OF_FILES = Set.of(
            "copy",
            "createDirectories",
            "createDirectory",
            "createFile",
            "createLink",
            "createSymbolicLink",
            "createTempDirectory",
            "createTempFile",
            "delete",
            "deleteIfExists",
            "move",
            "newOutputStream",
            "setAttribute",
            "setLastModifiedTime",
            "setPosixFilePermissions",
            "write",
            "writeString");
    private static final Set<String> OF_CHANNELS = Set.of("force", "transferFrom", "truncate", "write");
    private static final Set<String> OF_KERNEL = Set.of(
            "copyRange",
            "createFile",
            "exchange",
            "makeDirectory",
            "makeHardLink",
            "makeLink",
            "remove",
            "rename",
            "replace",
            "setAttribute",
            "setMode",
            "setModified",
            "setOwner",
            "truncate",
            "write");
    private static final Set<String> OPENING = Set.of("createFile", "openDirectory", "openFile");

    SteppedClasses() {
        super(SteppedClasses.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        boolean own =
                (name.startsWith(PACKAGE) || name.startsWith(FILES)) && !name.startsWith(KillSwitch.class.getName());
        synchronized (getClassLoadingLock(name)) {
            Class<?> known = findLoadedClass(name);
            return known != null ? known : own ? stepped(name) : super.loadClass(name, resolve);
        }
    }

    private Class<?> stepped(String name) throws ClassNotFoundException {
        try (InputStream file = Objects.requireNonNull(getResourceAsStream(name.replace('.', '/') + ".class"), name)) {
            ClassReader reader = new ClassReader(file);
            ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
            reader.accept(new SteppedClass(writer, reader.getClassName().equals(KERNEL)), 0);
            byte[] bytes = writer.toByteArray();
            return defineClass(name, bytes, 0, bytes.length);
        } catch (IOException fault) {
            throw new ClassNotFoundException(name, fault);
        }
    }

    private static final class SteppedClass extends ClassVisitor {
        private final boolean kernel;

        SteppedClass(ClassVisitor next, boolean kernel) {
            super(Opcodes.ASM9, next);
            this.kernel = kernel;
        }

        @Override
        public MethodVisitor visitMethod(
                int access, String name, String descriptor, String signature, String[] exceptions) {
            MethodVisitor next = super.visitMethod(access, name, descriptor, signature, exceptions);
            return kernel ? next : new SteppedMethod(next); // the kernel's callers have its steps
        }
    }

    private static final class SteppedMethod extends MethodVisitor {
        SteppedMethod(MethodVisitor next) {
            super(Opcodes.ASM9, next);
        }

        @Override
        public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean isInterface) {
            if (isStep(owner, name)) {
                tell("step", "()V");
            }
            if (owner.equals(KERNEL) && name.equals("close")) {
                super.visitInsn(Opcodes.DUP);
                tell("closed", "(I)V");
            }
            boolean ofOwner = owner.equals(Type.getInternalName(OwnerId.class)) && name.equals("current");
            super.visitMethodInsn(opcode, ofOwner ? SWITCH : owner, ofOwner ? "owner" : name, descriptor, isInterface);
            if (owner.equals(KERNEL) && OPENING.contains(name)) {
                super.visitInsn(Opcodes.DUP);
                tell("opened", "(I)V");
            }
        }

        private static boolean isStep(String owner, String name) {
            return (owner.equals(Type.getInternalName(Files.class)) && OF_FILES.contains(name))
                    || (owner.equals(Type.getInternalName(FileChannel.class)) && OF_CHANNELS.contains(name))
                    || (owner.equals(KERNEL) && OF_KERNEL.contains(name));
        }

        private void tell(String what, String descriptor) {
            super.visitMethodInsn(Opcodes.INVOKESTATIC, SWITCH, what, descriptor, false);
        }
    }
}
