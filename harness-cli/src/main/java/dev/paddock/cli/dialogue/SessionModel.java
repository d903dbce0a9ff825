package dev.paddock.cli.dialogue;

import java.util.List;

/** The session's model, which a person can replace between two turns. */
public interface SessionModel {

    /** Returns the model's name with its provider, or a text instead. */
    String name();

    /** Replaces the model by another one of the provider, and returns lines that report it. */
    List<String> replace(String name);
}
