package dev.paddock.executor.config;

import dev.paddock.executor.config.spelling.Spelling;
import dev.paddock.executor.policy.HostRule;
import java.util.Collection;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A named group of hosts, referenced among allowed hosts as {@code @NAME}. The
 * methods throw IllegalArgumentException with the reason.
 *
 * @param name the name
 * @param rules the hosts, as {@link HostRule} writes them
 */
record HostGroup(String name, List<String> rules) {
    private static final String MARK = "@";
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");

    HostGroup {
        requireName(name);
        if (rules.isEmpty()) {
            throw new IllegalArgumentException("the group '" + name + "' has no hosts; name some, or leave it out");
        }
        rules = List.copyOf(rules);
    }

    private static void requireName(String name) {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "a group's name is 1 to 64 letters, digits, '.', '_' and '-', not '" + name + "'");
        }
    }

    /** Returns the canonical text of a host or of a group reference. */
    static String item(String text) {
        if (text.startsWith(MARK)) {
            requireName(text.substring(MARK.length()));
            return text;
        }
        return HostRule.parse(text).toString();
    }

    /**
     * Returns the hosts of an item: the host itself, or those of a group.
     *
     * @param groups the groups that the item may name
     */
    static List<String> rules(String item, Collection<HostGroup> groups) {
        return item.startsWith(MARK)
                ? find(item.substring(MARK.length()), groups).rules()
                : List.of(item);
    }

    private static HostGroup find(String name, Collection<HostGroup> groups) {
        List<String> known = groups.stream().map(HostGroup::name).toList();
        return groups.stream()
                .filter(group -> group.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("there is no group of hosts named '" + name + "'"
                        + Spelling.nearest(name, known)
                                .map(near -> "; did you mean " + near + "?")
                                .orElse("; give it hosts under 'groups' in your own configuration")));
    }
}
