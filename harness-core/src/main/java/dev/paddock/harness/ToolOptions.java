package dev.paddock.harness;

import dev.paddock.harness.loop.ToolChoice;
import dev.paddock.harness.tools.Tool;
import dev.paddock.harness.tools.ToolSource;
import dev.paddock.harness.tools.web.WebAccess;
import dev.paddock.harness.tools.web.WebFetchTool;
import dev.paddock.harness.tools.web.WebSearch;
import dev.paddock.harness.tools.web.WebSearchTool;
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
 * The part of {@link AgentSessionBuilder} that says which tools a session has. They are put together in this order: the default
 * ones, with those of {@link #webFetch} and {@link #webSearch}; {@link #buildTools} or else {@link #tools}; {@link #addTool}; {@link #toolOverrides}; {@link #toolSource}; {@link
 * #skills}; and {@link #disallowedTools} last. Two tools of one name are refused wherever they come from.
 */
abstract sealed class ToolOptions<B extends ToolOptions<B>> permits AgentSessionBuilder {
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

    ToolOptions() {}

    abstract B self();

    /**
     * Sets the tools, instead of the default ones.
     *
     * @param value the tools, in order
     * @return this builder
     */
    public B tools(List<Tool> value) {
        List<Tool> given = List.copyOf(value);
        tools = defaults -> given;
        return self();
    }

    /**
     * Makes the tools of the default ones: leaves some out, wraps others, adds to them. Beats {@link #tools(List)}.
     *
     * @param value is given the default tools, and returns those that the session is to have, in order
     * @return this builder
     */
    public B buildTools(UnaryOperator<List<Tool>> value) {
        buildTools = Optional.of(value);
        return self();
    }

    /**
     * Adds a tool to the others.
     *
     * @param value a tool whose name no other has
     * @return this builder
     */
    public B addTool(Tool value) {
        moreTools.add(value);
        return self();
    }

    /**
     * Puts tools in the place of those of the same name, and what has no such place after the others. Other tools stay as they
     * are: with {@code bash} overridden, {@code bash_output} and {@code kill_shell} are there.
     *
     * @param value the tools, each under its own name
     * @return this builder
     */
    public B toolOverrides(Map<String, Tool> value) {
        overrides = Collections.unmodifiableMap(new LinkedHashMap<>(value));
        return self();
    }

    /**
     * Adds tools from elsewhere, an MCP server's above all. They follow the session's own, in the order of the calls.
     *
     * @param value the source; opened by {@link AgentSessionBuilder#build()} unless the tool set is closed, and closed at the session's end
     * @return this builder
     */
    public B toolSource(ToolSource value) {
        sources.add(value);
        return self();
    }

    /**
     * Sets where skills come from, above all {@link dev.paddock.harness.tools.skills.Skills#in}: a tool, which follows all others, and what the prompt says of them.
     *
     * @param value the source; opened and closed as any other
     * @return this builder
     */
    public B skills(ToolSource value) {
        skills = Optional.of(value);
        return self();
    }

    /**
     * Leaves the skill tool out, and what the prompt says of skills with it; other sources stay.
     *
     * @param value whether it is left out; false by default
     * @return this builder
     */
    public B disableSkillTool(boolean value) {
        skillsDisabled = value;
        return self();
    }

    /**
     * Adds {@code web_fetch} to the default tools, unless the set is closed: it fetches pages from the host, whatever the network
     * of commands is.
     *
     * @param value what it may reach; {@link WebAccess#standard} is the public web
     * @return this builder
     */
    public B webFetch(WebAccess value) {
        webFetch = Optional.of(value);
        return self();
    }

    /**
     * Adds {@code web_search} to the default tools, unless the set is closed.
     *
     * @param value the search that it asks
     * @return this builder
     */
    public B webSearch(WebSearch value) {
        webSearch = Optional.of(value);
        return self();
    }

    private List<Tool> webTools() {
        return Stream.<Tool>concat(webFetch.map(WebFetchTool::new).stream(), webSearch.map(WebSearchTool::new).stream())
                .toList();
    }

    /**
     * Has the session offer exactly its own tools: the default ones without those of the web, or those of
     * {@link #tools(List)} and {@link #buildTools(UnaryOperator)}, with what was added and overridden. No other source is opened, so that nothing is started for one and nothing of it is in the prompt.
     *
     * @param value whether the set is closed; false by default
     * @return this builder
     */
    public B closedToolSet(boolean value) {
        closedToolSet = value;
        return self();
    }

    /**
     * Leaves tools out, wherever they come from.
     *
     * @param value names of tools that are there in the end: a name that no tool has is refused by {@link AgentSessionBuilder#build()}, since what
     *     was meant would stay
     * @return this builder
     */
    public B disallowedTools(Collection<String> value) {
        disallowed = Set.copyOf(value);
        return self();
    }

    final ToolChoice toolChoice() {
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
