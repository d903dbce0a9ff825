package dev.paddock.cli.agent;

import dev.paddock.cli.command.Arguments;
import dev.paddock.cli.command.Numbers;
import dev.paddock.cli.command.Option;
import dev.paddock.cli.command.UsageException;
import dev.paddock.cli.dialogue.SessionModel;
import dev.paddock.cli.sessions.SessionNote;
import dev.paddock.cli.terminal.Console;
import dev.paddock.cli.terminal.InvocationContext;
import dev.paddock.cli.terminal.Printable;
import dev.paddock.executor.config.ModelAlias;
import dev.paddock.executor.config.spelling.Spelling;
import dev.paddock.harness.langchain4j.LangChain4jModel;
import dev.paddock.harness.langchain4j.LangChain4jModelBuilder;
import dev.paddock.harness.langchain4j.Provider;
import dev.paddock.harness.model.Model;
import dev.paddock.harness.model.ModelException;
import dev.paddock.harness.model.ScriptException;
import dev.paddock.harness.model.ScriptedModel;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;

/** Chooses the model: that of the options, of the configuration or of the resumed session, or a script. */
final class ModelChoice implements SessionModel {
    private static final Duration MIN_TIMEOUT = Duration.ofMillis(1);
    private static final Duration MAX_TIMEOUT = Duration.ofDays(1);

    private static final Option PROVIDER = Option.of(
                    "--provider", "NAME", "anthropic, openai, ollama or openai-compatible")
            .withChoices("anthropic", "openai", "ollama", "openai-compatible");
    private static final Option MODEL = Option.of(
            "--model",
            "NAME",
            "the model, as its provider calls it; without --provider,",
            "as 'models' in your paddock.yaml calls it");
    private static final Option BASE_URL = Option.of(
            "--base-url", "URL", "where the provider is, if elsewhere than usual or than", "its own variable says");
    private static final Option KEY_ENV = Option.of(
            "--key-env",
            "NAME",
            "the variable that holds the provider's key; by default",
            "ANTHROPIC_API_KEY or OPENAI_API_KEY");
    private static final Option MAX_TOKENS = Option.of("--max-tokens", "N", "how long one answer may be, in tokens");
    private static final Option MODEL_TIMEOUT =
            Option.of("--model-timeout", "SECONDS", "how long the provider may be silent, 300 by default");
    private static final Option SCRIPT =
            Option.of("--script", "FILE", "plays the turns in this file instead of asking a model");

    /** The options that only apply to a provider's model; a script refuses them. */
    private static final List<Option> OF_PROVIDERS = List.of(MODEL, BASE_URL, KEY_ENV, MAX_TOKENS, MODEL_TIMEOUT);

    static final List<Option> ALL = List.of(PROVIDER, MODEL, BASE_URL, KEY_ENV, MAX_TOKENS, MODEL_TIMEOUT, SCRIPT);

    private final Known known;
    private volatile Current current;
    private volatile Given given = new Given(Map.of(), none -> Optional.empty());

    /** The models to choose from, and the options that apply to all of them. */
    private record Known(
            List<ModelAlias> aliases, Optional<SessionNote.LastModel> remembered, Optional<String> timeout) {}

    /**
     * The current model.
     *
     * @param source its alias; empty for a script
     * @param keyVariable the variable of its key, if it needs one
     */
    private record Current(Model model, String name, Optional<ModelAlias> source, Optional<String> keyVariable) {}

    /** The variables of commands, and those of the caller. */
    private record Given(Map<String, String> commands, Function<String, Optional<String>> caller) {}

    private ModelChoice(Known known, Current current) {
        this.known = known;
        this.current = current;
    }

    /** Returns the model; after a replacement, the next turn asks the new one. */
    Model model() {
        return (request, listener) -> current.model().respond(request, listener);
    }

    /** Returns the current model's alias; empty for a script. */
    Optional<ModelAlias> source() {
        return current.source();
    }

    @Override
    public String name() {
        return current.name();
    }

    @Override
    public List<String> replace(String name) {
        try {
            choose(name);
            return List.of("the next turn asks " + Printable.text(name()));
        } catch (UsageException refused) {
            return List.of(Printable.text(Console.text(refused)));
        }
    }

    /**
     * Replaces the model by one of the configuration, or else by another one of its provider.
     *
     * @throws UsageException if it cannot be used
     */
    void choose(String name) {
        ModelAlias before = current.source().orElseThrow(() -> new UsageException("a script has no other model"));
        ModelAlias next = alias(known.aliases(), name).orElseGet(() -> renamed(before, name));
        try {
            Current made = ofProvider(next, known.timeout());
            keepKeyFrom(made, given);
            current = made;
        } catch (ModelException | IllegalArgumentException refused) {
            throw new UsageException(Console.text(refused));
        }
    }

    /** Returns the models to choose from by their names, with their titles: the current one and the configured ones. */
    Map<String, String> choices() {
        Map<String, String> choices = new LinkedHashMap<>();
        choices.put(currentChoice(), current.name());
        known.aliases().forEach(one -> choices.put(one.name(), one.provider() + " " + one.model()));
        return choices;
    }

    /** Returns the current one's name among the {@linkplain #choices choices}. */
    String currentChoice() {
        return current.source()
                .map(source -> source.name().isEmpty() ? source.model() : source.name())
                .orElseGet(current::name);
    }

    private static ModelAlias renamed(ModelAlias model, String name) {
        return new ModelAlias("", model.provider(), name, model.baseUrl(), model.keyEnv(), model.maxTokens());
    }

    private static Optional<ModelAlias> alias(List<ModelAlias> aliases, String name) {
        return aliases.stream().filter(one -> one.name().equals(name)).findFirst();
    }

    /**
     * Reads the options.
     *
     * @param aliases the models of the configuration
     * @param remembered the model of the session that is resumed
     * @throws UsageException if no model is named, or the key is missing
     */
    static ModelChoice read(
            Arguments arguments,
            InvocationContext caller,
            List<ModelAlias> aliases,
            Optional<SessionNote.LastModel> remembered) {
        Optional<String> script = arguments.value(SCRIPT);
        if (script.isPresent() && arguments.has(PROVIDER)) {
            throw new UsageException("give --provider and --model, or --script: one of them");
        }
        Known known = new Known(aliases, remembered, arguments.value(MODEL_TIMEOUT));
        try {
            if (script.isPresent()) {
                refuseWhatScriptsIgnore(arguments);
                return new ModelChoice(known, ofScript(caller.directory().resolve(script.get())));
            }
            ModelAlias chosen = overridden(chosen(arguments, known), arguments);
            return new ModelChoice(known, ofProvider(chosen, known.timeout()));
        } catch (UncheckedIOException | ScriptException | ModelException | IllegalArgumentException refused) {
            throw new UsageException(Console.text(refused));
        }
    }

    private static ModelAlias chosen(Arguments arguments, Known known) {
        Optional<String> provider = arguments.value(PROVIDER);
        Optional<String> name = arguments.value(MODEL);
        if (provider.isPresent()) {
            Provider.of(provider.get()); // a misspelled one is reported first
            String model = name.orElseThrow(
                    () -> new UsageException("--provider " + provider.get() + " needs --model NAME as well"));
            return new ModelAlias("", provider.get(), model, Optional.empty(), Optional.empty(), OptionalInt.empty());
        }
        if (name.isPresent()) {
            return alias(known.aliases(), name.get())
                    .or(() -> known.remembered().map(last -> renamed(resumed(last, known, arguments), name.get())))
                    .orElseThrow(() -> unknown(name.get(), known.aliases()));
        }
        return known.remembered()
                .map(last -> resumed(last, known, arguments))
                .or(() -> alias(known.aliases(), ModelAlias.DEFAULT))
                .orElseThrow(() -> new UsageException("there is no model to ask: give --provider and --model, or"
                        + " --script; or name one 'default' below 'models' in your paddock.yaml"));
    }

    /**
     * Returns the model that a session has used, with the address and the key's variable of the configuration: a
     * program that can write the session must not choose these.
     */
    private static ModelAlias resumed(SessionNote.LastModel last, Known known, Arguments arguments) {
        Optional<ModelAlias> own = known.aliases().stream()
                .filter(one ->
                        one.provider().equals(last.provider()) && one.model().equals(last.name()))
                .findFirst();
        if (own.isEmpty() && last.isElsewhere() && !arguments.has(BASE_URL) && !arguments.has(KEY_ENV)) {
            throw new UsageException(
                    "the session's model " + last.name() + " had an address or a key variable of its own,"
                            + " which no session keeps: give " + BASE_URL.name() + " or " + KEY_ENV.name()
                            + " again, or name the model below 'models' in your paddock.yaml");
        }
        return own.orElseGet(() ->
                new ModelAlias("", last.provider(), last.name(), Optional.empty(), Optional.empty(), last.maxTokens()));
    }

    private static UsageException unknown(String name, List<ModelAlias> aliases) {
        List<String> names = aliases.stream().map(ModelAlias::name).toList();
        String there = names.isEmpty()
                ? "your configuration names no models"
                : Spelling.nearest(name, names)
                        .map(near -> "did you mean " + near + "?")
                        .orElse("your configuration has " + String.join(", ", names));
        return new UsageException("--model " + name + " lacks --provider, and is no name of yours: " + there);
    }

    private static ModelAlias overridden(ModelAlias model, Arguments arguments) {
        return new ModelAlias(
                model.name(),
                model.provider(),
                model.model(),
                arguments.value(BASE_URL).or(model::baseUrl),
                arguments.value(KEY_ENV).or(model::keyEnv),
                arguments
                        .value(MAX_TOKENS)
                        .map(text -> OptionalInt.of(Numbers.positive(MAX_TOKENS, text)))
                        .orElse(model.maxTokens()));
    }

    private static void refuseWhatScriptsIgnore(Arguments arguments) {
        for (Option option : OF_PROVIDERS) {
            if (arguments.has(option)) {
                throw new UsageException(
                        option.name() + " is for a model of a provider, and --script asks none: leave out "
                                + option.name() + ", or give --provider instead of --script");
            }
        }
    }

    private static Current ofScript(Path file) {
        return new Current(ScriptedModel.of(file), "script " + file.getFileName(), Optional.empty(), Optional.empty());
    }

    private static Current ofProvider(ModelAlias source, Optional<String> timeout) {
        Provider provider = Provider.of(source.provider());
        LangChain4jModelBuilder builder = LangChain4jModel.of(provider, source.model());
        source.baseUrl().ifPresent(builder::baseUrl);
        source.keyEnv().ifPresent(builder::keyVariable);
        source.maxTokens().ifPresent(builder::maxOutputTokens);
        timeout.ifPresent(text -> builder.patience(Numbers.seconds(MODEL_TIMEOUT, text, MIN_TIMEOUT, MAX_TIMEOUT)));
        return new Current(
                builder.build(),
                source.provider() + " " + source.model(),
                Optional.of(source),
                source.keyEnv().or(provider::keyVariable));
    }

    /**
     * Refuses an environment that contains the model's key: the key is for the provider, not for commands. Applies to a
     * later replacement of the model, too.
     *
     * @param commands the variables that commands receive
     * @throws UsageException if a variable has the key's name, or contains the key under another name
     */
    void keepKeyFrom(Map<String, String> commands, InvocationContext caller) {
        given = new Given(Map.copyOf(commands), caller::variable);
        keepKeyFrom(current, given);
    }

    private static void keepKeyFrom(Current model, Given given) {
        Optional<String> key =
                model.keyVariable().flatMap(given.caller()).map(String::strip).filter(text -> !text.isEmpty());
        given.commands().forEach((name, value) -> {
            if (model.keyVariable().filter(name::equals).isPresent()
                    || key.filter(value::contains).isPresent()) {
                throw new UsageException("the variable " + name + " would give the model's key to every command; "
                        + "give commands a key of their own, if they need one");
            }
        });
    }
}
