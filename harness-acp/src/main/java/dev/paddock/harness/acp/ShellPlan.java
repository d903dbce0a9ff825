package dev.paddock.harness.acp;

import com.agentclientprotocol.sdk.spec.AcpSchema;
import com.agentclientprotocol.sdk.spec.AcpSchema.PlanEntryStatus;
import dev.paddock.harness.events.SessionEvent;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Lists a session's background shells, in the protocol's plan. Used by the session's listener alone. */
final class ShellPlan {
    private static final int MAX_ENDED = 8;

    /** The shells by the calls that have started them. */
    private final Map<String, String> shells = new LinkedHashMap<>();

    private final Set<String> ended = new HashSet<>();

    /** Returns the plan, if the event changes it. */
    Optional<AcpSchema.Plan> after(SessionEvent event) {
        if (event instanceof SessionEvent.ToolEnded call) {
            String shell = call.result().details().text("shell_id").orElse("");
            if (!call.call().name().equals("bash") || shell.isEmpty()) {
                return Optional.empty();
            }
            String command = call.call().arguments().text("command").orElse("");
            shells.put(call.call().id(), shell + ": " + Shown.line(command));
            return Optional.of(plan());
        }
        if (event instanceof SessionEvent.CommandEnded command
                && command.audit().background()) {
            ended.add(command.audit().callId()); // perhaps before its call has ended
            return shells.containsKey(command.audit().callId()) ? Optional.of(plan()) : Optional.empty();
        }
        return Optional.empty();
    }

    private AcpSchema.Plan plan() {
        List<String> over = shells.keySet().stream().filter(ended::contains).toList();
        over.subList(0, Math.max(0, over.size() - MAX_ENDED)).forEach(call -> {
            shells.remove(call);
            ended.remove(call);
        });
        List<AcpSchema.PlanEntry> entries = shells.entrySet().stream()
                .map(one -> new AcpSchema.PlanEntry(
                        one.getValue(),
                        AcpSchema.PlanEntryPriority.LOW,
                        ended.contains(one.getKey()) ? PlanEntryStatus.COMPLETED : PlanEntryStatus.IN_PROGRESS))
                .toList();
        return new AcpSchema.Plan(null, entries);
    }
}
