package dev.paddock.harness.bindings;

import dev.paddock.harness.bindings.BindingEvent.Outcome;
import dev.paddock.harness.bindings.BindingEvent.Scope;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The variables of one class: {@code ENV} has the public ones, {@code SECRETS} the secrets. Thread-safe.
 *
 * @since 0.1
 */
public final class EnvBinding {
    private final Supplier<Variables> variables;
    private final Events events;
    private final boolean secret;

    EnvBinding(Supplier<Variables> variables, Events events, boolean secret) {
        this.variables = variables;
        this.events = events;
        this.secret = secret;
    }

    /**
     * Returns a value.
     *
     * @param name the variable's name
     * @return empty if there is no variable of that name, or it belongs to the other class
     */
    public Optional<String> get(String name) {
        Variables all = variables.get();
        Optional<String> value = all.get(name, secret);
        BindingEvent event =
                BindingEvent.of(Scope.ENV, prefix() + ".get", Outcome.SUCCESS).on(name);
        events.host(value.flatMap(found -> all.source(name)).map(event::with).orElse(event));
        return value;
    }

    /** {@return the names, sorted} */
    public List<String> keys() {
        List<String> names = variables.get().names(secret);
        events.host(
                BindingEvent.of(Scope.ENV, prefix() + ".keys", Outcome.SUCCESS).with(Integer.toString(names.size())));
        return names;
    }

    private String prefix() {
        return secret ? "secret" : "public";
    }
}
