package dev.paddock.harness.files;

import java.io.IOException;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Consumer;

/** Lists one directory as commands see it: with a mount instead of an entry that it hides. */
record VisibleEntries(Location where, RootSet roots) {

    /** Returns the first entries by their names. */
    Map<String, BasicFileAttributes> entries(int most) throws IOException {
        try (Directory directory = where.openDirectory()) {
            Map<String, GrantedDirectory> mounted = roots.mountedIn(where.root(), where.resolved());
            NavigableSet<String> names = new TreeSet<>();
            Consumer<String> add = name -> {
                names.add(name);
                if (names.size() > most) {
                    names.removeLast();
                }
            };
            directory.list(add);
            mounted.keySet().forEach(add);
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
