package dev.paddock.harness;

import dev.paddock.harness.loop.ToolChoice;
import dev.paddock.harness.tools.Tool;
import dev.paddock.harness.tools.ToolSource;
import dev.paddock.harness.tools.web.WebAccess;
import dev.paddock.harness.tools.web.WebSearch;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * Selects the tools of a session or a toolbox, for {@link AgentSessionBuilder#tools(ToolSelection)}. Immutable. Empty,
 * it selects the default tools.
 *
 * <p>Whatever the order of the calls, a selection applies in this order:
 * <ol>
 *   <li>the default tools, then those of {@link Builder#webFetch} and {@link Builder#webSearch}
 *   <li>{@link Builder#buildTools}, which derives others from them, or else {@link Builder#tools}, which replaces them
 *   <li>{@link Builder#addTool}
 *   <li>{@link Builder#toolOverrides}
 *   <li>{@link Builder#toolSource}, then {@link Builder#skills}
 *   <li>{@link Builder#disallowedTools}, which removes tools of every origin
 * </ol>
 * {@link Builder#closedToolSet} leaves out the web tools, the sources and the skills. Two tools of one name are
 * refused, whatever their origin.
 *
 * @since 0.1
 */
public final class ToolSelection {
    private final Builder options;

    private ToolSelection(Builder options) {
        this.options = options;
    }

    /** {@return a builder of the default tools} */
    public static Builder builder() {
        return new Builder();
    }

    /** {@return a builder that begins with this selection} */
    public Builder toBuilder() {
        return new Builder(options);
    }

    /** Collects the options of a selection. Not safe for use by several threads. */
    public static final class Builder {
        private UnaryOperator<List<Tool>> tools = UnaryOperator.identity();
        private Optional<UnaryOperator<List<Tool>>> buildTools = Optional.empty();
        private final List<Tool> moreTools = new ArrayList<>();
        private Map<String, Tool> overrides = Map.of();
        private final List<ToolSource> sources = new ArrayList<>();
        private Optional<ToolSource> skills = Optional.empty();
        private boolean skillsDisabled;
        private Optional<WebAccess> webFetch = Optional.empty();
        private Optional<WebSearch> webSearch = Optional.empty();
        private boolean closedToolSet;
        private Set<String> disallowed = Set.of();

        private Builder() {}

        private Builder(Builder other) {
            tools = other.tools;
            buildTools = other.buildTools;
            moreTools.addAll(other.moreTools);
            overrides = other.overrides;
            sources.addAll(other.sources);
            skills = other.skills;
            skillsDisabled = other.skillsDisabled;
            webFetch = other.webFetch;
            webSearch = other.webSearch;
            closedToolSet = other.closedToolSet;
            disallowed = other.disallowed;
        }

        /**
         * Replaces the default tools.
         *
         * @param value the tools, in order
         */
        public Builder tools(List<Tool> value) {
            List<Tool> given = List.copyOf(value);
            tools = defaults -> given;
            return this;
        }

        /**
         * Sets a function that derives the tools from the default ones: it may remove, wrap and add tools. Takes
         * precedence over {@link #tools(List)}.
         *
         * @param value receives the default tools, and returns the session's tools, in order
         */
        public Builder buildTools(UnaryOperator<List<Tool>> value) {
            buildTools = Optional.of(value);
            return this;
        }

        /**
         * Adds a tool after the others.
         *
         * @param value a tool with a name that no other tool has
         */
        public Builder addTool(Tool value) {
            moreTools.add(value);
            return this;
        }

        /**
         * Replaces the tools of the same names; a tool whose name is new is appended. Other tools stay as they are: if
         * {@code bash} is overridden, {@code bash_output}, {@code write_stdin} and {@code kill_shell} remain.
         *
         * @param value the tools, each under its own name
         */
        public Builder toolOverrides(Map<String, Tool> value) {
            overrides = Collections.unmodifiableMap(new LinkedHashMap<>(value));
            return this;
        }

        /**
         * Adds the tools of an external source, typically an MCP server. They follow the session's own tools, in the
         * order in which the sources were added.
         *
         * @param value the source; building opens it unless the tool set is closed, and the session closes it at its
         *     end
         */
        public Builder toolSource(ToolSource value) {
            sources.add(value);
            return this;
        }

        /**
         * Sets the source of skills, usually {@link dev.paddock.harness.tools.skills.Skills#in}: it provides one tool,
         * which follows all others, and text for the system prompt.
         *
         * @param value the source; opened and closed like any other source
         */
        public Builder skills(ToolSource value) {
            skills = Optional.of(value);
            return this;
        }

        /**
         * Removes the skill tool and the skills' part of the system prompt; other sources stay.
         *
         * @param value whether the skill tool is removed; false by default
         */
        public Builder disableSkillTool(boolean value) {
            skillsDisabled = value;
            return this;
        }

        /**
         * Adds {@code web_fetch} to the default tools, unless the tool set is closed. The tool fetches pages from the
         * host, independent of the network policy of commands.
         *
         * @param value which addresses it may reach; {@link WebAccess#standard} allows the public web
         */
        public Builder webFetch(WebAccess value) {
            webFetch = Optional.of(value);
            return this;
        }

        /**
         * Adds {@code web_search} to the default tools, unless the tool set is closed.
         *
         * @param value the search service that the tool queries
         */
        public Builder webSearch(WebSearch value) {
            webSearch = Optional.of(value);
            return this;
        }

        private List<Tool> webTools() {
            return Stream.concat(webFetch.map(WebAccess::fetchTool).stream(), webSearch.map(WebSearch::tool).stream())
                    .toList();
        }

        /**
         * Restricts the session to its own tools: the default ones without the web tools, or those of
         * {@link #tools(List)} and {@link #buildTools(UnaryOperator)}, plus added and overriding tools. No source of
         * {@link #toolSource(ToolSource)} or {@link #skills(ToolSource)} is opened: no process is started for it, and
         * the system prompt does not mention it.
         *
         * @param value whether the tool set is closed; false by default
         */
        public Builder closedToolSet(boolean value) {
            closedToolSet = value;
            return this;
        }

        /**
         * Removes tools by name, whichever option they come from.
         *
         * @param value names of tools in the final set; building rejects a name that no tool has, since the intended
         *     tool would remain
         */
        public Builder disallowedTools(Collection<String> value) {
            disallowed = Set.copyOf(value);
            return this;
        }

        /** {@return the selection} */
        public ToolSelection build() {
            return new ToolSelection(new Builder(this));
        }

        ToolChoice choice() {
            return new ToolChoice(
                    buildTools.orElse(tools),
                    List.copyOf(moreTools),
                    overrides,
                    List.copyOf(sources),
                    skillsDisabled ? Optional.empty() : skills,
                    closedToolSet ? List.of() : webTools(),
                    closedToolSet,
                    disallowed);
        }
    }
}
