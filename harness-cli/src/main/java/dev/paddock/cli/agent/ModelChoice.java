package dev.paddock.cli.agent;

import dev.paddock.cli.command.Arguments;
import dev.paddock.cli.command.Numbers;
import dev.paddock.cli.command.Option;
import dev.paddock.cli.command.UsageException;
import dev.paddock.cli.dialogue.SessionModel;
import dev.paddock.cli.terminal.Console;
import dev.paddock.cli.terminal.InvocationContext;
import dev.paddock.cli.terminal.Printable;
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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Reads from the options which model works: a provider's model, or a script. */
final class ModelChoice implements SessionModel {
    private static final Duration SHORTEST = Duration.ofMillis(1);
    private static final Duration LONGEST = Duration.ofDays(1);

    private static final String SCRIPTED = "script";

    private static final Option PROVIDER = Option.of(
                    "--provider", "NAME", "anthropic, openai, ollama or openai-compatible")
            .withChoices("anthropic", "openai", "ollama", "openai-compatible");
    private static final Option MODEL = Option.of("--model", "NAME", "the model, as its provider calls it");
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

    private final Optional<String> keyVariable;
    private final String provider;
    private final Function<String, Model> maker;
    private volatile Model model;
    private volatile String modelName;

    private ModelChoice(
            String provider, String modelName, Function<String, Model> maker, Optional<String> keyVariable) {
        this.provider = provider;
        this.modelName = modelName;
        this.maker = maker;
        this.keyVariable = keyVariable;
        this.model = maker.apply(modelName);
    }

    /** Returns the model; once it is replaced, the next turn asks the other one. */
    Model model() {
        return (request, listener) -> model.respond(request, listener);
    }

    @Override
    public String name() {
        return provider + " " + modelName;
    }

    @Override
    public List<String> replace(String name) {
        if (provider.equals(SCRIPTED)) {
            return List.of("a script has no other model");
        }
        try {
            model = maker.apply(name);
            modelName = name;
            return List.of("the next turn asks " + Printable.text(name()));
        } catch (ModelException | IllegalArgumentException refused) {
            return List.of(Printable.text(Console.text(refused)));
        }
    }

    /**
     * Reads the options.
     *
     * @throws UsageException if they name no model, or the key is missing
     */
    static ModelChoice read(Arguments arguments, InvocationContext caller) {
        Optional<String> script = arguments.value(SCRIPT);
        Optional<String> provider = arguments.value(PROVIDER);
        if (script.isPresent() == provider.isPresent()) {
            throw new UsageException("give --provider and --model, or --script: one of them");
        }
        if (script.isPresent()) {
            refuseWhatScriptsIgnore(arguments);
        }
        try {
            return script.isPresent()
                    ? ofScript(caller.directory().resolve(script.get()))
                    : ofProvider(provider.orElseThrow(), arguments);
        } catch (UncheckedIOException | ScriptException | ModelException | IllegalArgumentException refused) {
            throw new UsageException(Console.text(refused));
        }
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

    private static ModelChoice ofProvider(String name, Arguments arguments) {
        Provider provider = Provider.of(name);
        String model = arguments
                .value(MODEL)
                .orElseThrow(() -> new UsageException("--provider " + name + " wants --model NAME beside it"));
        return new ModelChoice(
                name,
                model,
                other -> of(provider, other, arguments),
                arguments.value(KEY_ENV).or(provider::keyVariable));
    }

    private static ModelChoice ofScript(Path file) {
        return new ModelChoice(
                SCRIPTED, String.valueOf(file.getFileName()), none -> ScriptedModel.of(file), Optional.empty());
    }

    private static Model of(Provider provider, String model, Arguments arguments) {
        LangChain4jModelBuilder builder = LangChain4jModel.of(provider, model);
        arguments.value(BASE_URL).ifPresent(builder::baseUrl);
        arguments.value(KEY_ENV).ifPresent(builder::keyVariable);
        arguments.value(MAX_TOKENS).ifPresent(text -> builder.maxOutputTokens(Numbers.positive(MAX_TOKENS, text)));
        arguments
                .value(MODEL_TIMEOUT)
                .ifPresent(text -> builder.patience(Numbers.seconds(MODEL_TIMEOUT, text, SHORTEST, LONGEST)));
        return builder.build();
    }

    /**
     * Refuses an environment that contains the model's key: the key is for the provider, not for
     * commands.
     *
     * @param given the variables that commands receive
     * @throws UsageException if a variable has the key's name, or contains the key under another
     *     name
     */
    void keepKeyFrom(Map<String, String> given, InvocationContext caller) {
        Optional<String> key =
                keyVariable.flatMap(caller::variable).map(String::strip).filter(text -> !text.isEmpty());
        given.forEach((name, value) -> {
            if (keyVariable.filter(name::equals).isPresent()
                    || key.filter(value::contains).isPresent()) {
                throw new UsageException("the variable " + name + " would give the model's key to every command; "
                        + "give commands a key of their own, if they need one");
            }
        });
    }
}
