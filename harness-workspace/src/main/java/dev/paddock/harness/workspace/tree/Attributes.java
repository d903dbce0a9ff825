package dev.paddock.harness.workspace.tree;

import dev.paddock.executor.os.file.Fault;
import dev.paddock.executor.os.file.Kernel;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;

/** The {@code user.*} attributes of files, names and values as ISO 8859-1. */
public final class Attributes {
    private Attributes() {}

    static Map<String, String> read(Kernel kernel, int descriptor) throws Fault {
        Map<String, String> found = Map.of();
        for (String name : kernel.attributes(descriptor)) {
            if (name.startsWith("user.")) {
                found = found.isEmpty() ? new TreeMap<>() : found;
                found.put(name, new String(kernel.attribute(descriptor, name), StandardCharsets.ISO_8859_1));
            }
        }
        return found;
    }

    /** Sets attributes; returns whether the file system supports them. */
    static boolean write(Kernel kernel, int descriptor, Map<String, String> attributes) throws Fault {
        for (Map.Entry<String, String> one : attributes.entrySet()) {
            try {
                kernel.setAttribute(descriptor, one.getKey(), one.getValue().getBytes(StandardCharsets.ISO_8859_1));
            } catch (Fault fault) {
                if (fault.is(Fault.EOPNOTSUPP)) {
                    return false;
                }
                throw fault;
            }
        }
        return true;
    }
}
