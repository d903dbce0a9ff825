package dev.paddock.executor.sandbox.seccomp;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Renders the system calls that a sandbox denies as a seccomp profile for container engines: the same calls that {@link
 * SyscallFilter} compiles to a program.
 *
 * <p>The profile names calls, so that one text serves every architecture on which their arguments mean the same; the
 * engine's libseccomp numbers them and blocks the kernel's other entries. libseccomp silently drops a call that is
 * newer than itself: such calls pass, as do calls newer than this list.
 */
public final class SyscallProfile {
    /** The arguments whose half, under the mask, equals the value. */
    private record Block(int word, int mask, int value) {
        /** Renders a comparison of 64 bits; the mask omits the upper half. */
        String text() {
            return "{\"index\": " + word / 2 + ", \"op\": \"SCMP_CMP_MASKED_EQ\", \"value\": "
                    + Integer.toUnsignedLong(mask) + ", \"valueTwo\": " + Integer.toUnsignedLong(value) + "}";
        }
    }

    private SyscallProfile() {}

    /**
     * Returns the profile, in the form of Docker's {@code --security-opt seccomp=}. A pure function of its argument.
     *
     * @param allowances the optional groups of calls that it allows, with {@link FilterOption#FOREIGN_LIMITS}
     * @return the profile, in JSON
     * @throws IllegalArgumentException without that option: a profile cannot express a comparison of upper halves
     */
    public static String json(Set<FilterOption> allowances) {
        if (!allowances.contains(FilterOption.FOREIGN_LIMITS)) {
            throw new IllegalArgumentException("a profile cannot judge the limits of other processes");
        }
        DeniedSyscalls refusals = DeniedSyscalls.beyond(allowances);
        List<String> rules = new ArrayList<>();
        for (int error : new int[] {DeniedSyscalls.EPERM, DeniedSyscalls.ENOSYS, DeniedSyscalls.EOPNOTSUPP}) {
            Set<String> names = new TreeSet<>();
            refusals.always().forEach((call, with) -> {
                if (with == error) {
                    names.add('"' + call.symbol() + '"');
                }
            });
            if (!names.isEmpty()) {
                rules.add(rule(String.join(", ", names), error, ""));
            }
        }
        refusals.sometimes()
                .forEach((call, cases) -> cases.forEach(conditions -> choices(conditions)
                        .forEach(blocks ->
                                rules.add(rule('"' + call.symbol() + '"', DeniedSyscalls.EPERM, args(blocks))))));
        return "{\n  \"defaultAction\": \"SCMP_ACT_ALLOW\",\n  \"syscalls\": [\n" + String.join(",\n", rules)
                + "\n  ]\n}\n";
    }

    /** Renders a rule. By concatenation: formatting hundreds of rules took 15 ms of each start. */
    private static String rule(String names, int error, String arguments) {
        return "    {\"names\": [" + names + "], \"action\": \"SCMP_ACT_ERRNO\", \"errnoRet\": " + error + arguments
                + "}";
    }

    private static String args(List<Block> blocks) {
        return blocks.stream().map(Block::text).collect(Collectors.joining(", ", ", \"args\": [", "]"));
    }

    /** Returns every choice of one block for each condition: a rule of the profile is a conjunction of equalities. */
    private static List<List<Block>> choices(List<DeniedSyscalls.Condition> conditions) {
        List<List<Block>> choices = List.of(List.of());
        for (DeniedSyscalls.Condition condition : conditions) {
            List<List<Block>> longer = new ArrayList<>();
            for (List<Block> choice : choices) {
                for (Block block : blocks(condition)) {
                    List<Block> next = new ArrayList<>(choice);
                    next.add(block);
                    longer.add(next);
                }
            }
            choices = longer;
        }
        return choices;
    }

    private static List<Block> blocks(DeniedSyscalls.Condition condition) {
        List<Integer> values =
                condition.values().stream().sorted(Comparator.naturalOrder()).toList();
        if (condition.among()) {
            return values.stream()
                    .map(value -> new Block(condition.word(), condition.mask(), value))
                    .toList();
        }
        List<Block> others = new ArrayList<>();
        split(new Block(condition.word(), 0, 0), condition.mask(), values, others);
        return others;
    }

    /**
     * Adds the parts of a block that contain none of the values: halves it at the highest open bit, until a half has
     * all of its values or none.
     */
    private static void split(Block block, int open, List<Integer> values, List<Block> others) {
        if (values.isEmpty()) {
            others.add(block);
            return;
        }
        int bit = Integer.highestOneBit(open);
        if (bit == 0) {
            return;
        }
        Map<Boolean, List<Integer>> halves =
                values.stream().collect(Collectors.partitioningBy(value -> (value & bit) != 0));
        int mask = block.mask | bit;
        split(new Block(block.word, mask, block.value), open & ~bit, halves.getOrDefault(false, List.of()), others);
        split(
                new Block(block.word, mask, block.value | bit),
                open & ~bit,
                halves.getOrDefault(true, List.of()),
                others);
    }
}
