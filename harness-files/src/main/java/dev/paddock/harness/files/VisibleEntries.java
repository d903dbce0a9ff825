package dev.paddock.harness.files;

import java.io.IOException;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Lists one directory as commands see it: a mount takes the place of an entry that it hides. */
record VisibleEntries(Location where, RootSet roots) {

    Map<String, BasicFileAttributes> entries() throws IOException {
        try (Directory directory = where.openDirectory()) {
            Map<String, GrantedDirectory> mounted = roots.mountedIn(where.root(), where.resolved());
            Set<String> names = new TreeSet<>(directory.list());
            names.addAll(mounted.keySet());
            Map<String, BasicFileAttributes> entries = new LinkedHashMap<>();
            for (String name : names) {
                Optional<BasicFileAttributes> found =
                        mounted.containsKey(name) ? mounted.get(name).attributes() : directory.attributes(name);
                found.ifPresent(attributes -> entries.put(listed(name), attributes));
            }
            return entries;
        }
    }

    private String listed(String name) {
        List<String> seen = where.root().seen(where.resolved());
        seen.add(name);
        return roots.listed(seen);
    }
}
