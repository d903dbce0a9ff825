package dev.paddock.harness;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.harness.approval.Approver;
import dev.paddock.harness.events.SessionEvent;
import dev.paddock.harness.loop.AgentLoop;
import dev.paddock.harness.loop.Conversation;
import dev.paddock.harness.loop.EventHub;
import dev.paddock.harness.loop.OpenedToolSource;
import dev.paddock.harness.loop.ToolRunner;
import dev.paddock.harness.loop.ToolSet;
import dev.paddock.harness.store.MessageStore;
import dev.paddock.harness.store.SessionDirectory;
import dev.paddock.harness.tools.command.AuditTrail;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The parts of an assembled session.
 *
 * @param abortPatience how long a tool may take to return after an abort
 * @param shellPatience how long the background shells may take to end
 * @param disposalPatience how long the executor and each tool source may take to close
 * @param listenerPatience how long the session waits for listeners that are behind
 */
record SessionParts(
        SessionSite site,
        SessionDirectory directory,
        boolean ownDirectory,
        SessionThreads threads,
        EventHub events,
        MessageStore store,
        AuditTrail audits,
        Conversation conversation,
        ToolSet tools,
        List<OpenedToolSource> sources,
        ToolRunner toolRunner,
        Optional<Approver> approver,
        AgentLoop loop,
        Duration abortPatience,
        Duration shellPatience,
        Duration disposalPatience,
        Duration listenerPatience) {

    CommandExecutor executor() {
        return site.executor();
    }

    SessionEvent.SessionStarted startedEvent() {
        return new SessionEvent.SessionStarted(
                site.worktree(),
                directory.path(),
                executor().name(),
                executor().guarantees(),
                tools.names(),
                problems());
    }

    List<String> problems() {
        return sources.stream().flatMap(source -> source.problems().stream()).toList();
    }

    void endShells() {
        site.endShells();
    }

    void closeFiles() {
        try {
            site.closeFiles();
        } finally {
            store.close();
            if (ownDirectory) {
                directory.removeIfUnused();
            }
        }
    }
}
