package dev.paddock.cli.release;

import java.io.IOException;
import java.io.InputStream;
import java.lang.module.ModuleDescriptor;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import javax.lang.model.SourceVersion;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.ModuleVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Describes the merged jars as one module, which becomes a part of a release's Java: the JVM opens no
 * jar for it, and restores the module, resolved, from the class cache. For the classes of a jar that a
 * cache holds under a relative path, the JVM searches the current directory for the jar, 530 times.
 *
 * <p>The module is open, since libraries reflect on records and on one another. It uses each service
 * that a merged module uses, that the jars list, or that their code {@linkplain ServiceUses may search
 * for}; in a module a search for any other fails.
 */
final class ReleaseModule {
    private static final String SERVICES = "META-INF/services/";

    private final SortedSet<String> uses = new TreeSet<>();

    /** Takes the uses of a module that is merged. */
    void addDescriptor(InputStream descriptor) throws IOException {
        uses.addAll(ModuleDescriptor.read(descriptor).uses());
    }

    /**
     * Returns the class file of the description.
     *
     * @param name the module's name
     * @param version its version
     * @param requires the modules that it reads beside {@code java.base}
     * @param mainClass the class that starts it, whose package alone is exported
     * @param entries the contents of the merged jar, by name
     */
    byte[] describe(String name, String version, List<String> requires, String mainClass, Map<String, byte[]> entries) {
        ClassWriter writer = new ClassWriter(0);
        writer.visit(Opcodes.V21, Opcodes.ACC_MODULE, "module-info", null, null, null);
        ModuleVisitor module = writer.visitModule(name, Opcodes.ACC_OPEN, version);
        module.visitMainClass(internal(mainClass));
        packages(entries).forEach(module::visitPackage);
        module.visitRequire("java.base", Opcodes.ACC_MANDATED, null);
        requires.forEach(required -> module.visitRequire(required, 0, null));
        module.visitExport(internal(mainClass.substring(0, mainClass.lastIndexOf('.'))), 0);
        Map<String, List<String>> provided = provided(entries);
        uses.addAll(provided.keySet());
        uses.addAll(searched(entries));
        uses.removeIf(service -> !exists(service, entries));
        uses.forEach(service -> module.visitUse(internal(service)));
        provided.forEach((service, providers) -> {
            if (exists(service, entries)) {
                module.visitProvide(
                        internal(service),
                        providers.stream().map(ReleaseModule::internal).toArray(String[]::new));
            }
        });
        module.visitEnd();
        writer.visitEnd();
        return writer.toByteArray();
    }

    private static String internal(String name) {
        return name.replace('.', '/');
    }

    /** Returns every directory that could be a package, with or without classes, as jlink counts them. */
    private static SortedSet<String> packages(Map<String, byte[]> entries) {
        SortedSet<String> packages = new TreeSet<>();
        for (String name : entries.keySet()) {
            String directory = name.substring(0, Math.max(0, name.lastIndexOf('/')));
            if (SourceVersion.isName(directory.replace('/', '.'))) {
                packages.add(directory);
            }
        }
        return packages;
    }

    private static Map<String, List<String>> provided(Map<String, byte[]> entries) {
        Map<String, List<String>> provided = new TreeMap<>();
        entries.forEach((name, content) -> {
            String service = name.startsWith(SERVICES) ? name.substring(SERVICES.length()) : "";
            if (SourceVersion.isName(service)) {
                provided.put(service, providers(new String(content, StandardCharsets.UTF_8)));
            }
        });
        return provided;
    }

    private static List<String> providers(String list) {
        return Arrays.stream(list.split("\n", -1))
                .map(line -> line.replaceFirst("#.*", "").strip())
                .filter(line -> !line.isEmpty())
                .distinct()
                .toList();
    }

    private static SortedSet<String> searched(Map<String, byte[]> entries) {
        ServiceUses services = new ServiceUses();
        entries.forEach((name, content) -> {
            if (name.endsWith(".class")) {
                services.read(content);
            }
        });
        return services.found();
    }

    /** Libraries name services of other libraries, which the program may not have. */
    private static boolean exists(String type, Map<String, byte[]> entries) {
        if (entries.containsKey(internal(type) + ".class")) {
            return true;
        }
        try {
            Class.forName(type, false, ClassLoader.getPlatformClassLoader());
            return true;
        } catch (ClassNotFoundException absent) {
            return false;
        }
    }
}
