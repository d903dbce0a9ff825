package dev.paddock.cli.reference;

import dev.paddock.cli.command.Option;
import dev.paddock.cli.command.Subcommand;
import java.util.List;
import java.util.stream.Collectors;

/** Writes the completion for bash, from version 3.2 on, with or without the package bash-completion. */
final class BashCompletion {
    private BashCompletion() {}

    static String of(Reference reference) {
        return """
                # Completes the words of paddock in bash.
                # shellcheck shell=bash disable=SC2207

                _paddock() {
                    local word=${COMP_WORDS[COMP_CWORD]} options='' valued='' choices=''
                    local command='' operand='' option='' inside='' at
                    local IFS=$' \\t\\n'
                    COMPREPLY=()
                    if ((COMP_CWORD == 1)); then
                        COMPREPLY=($(compgen -W '%s --help --version' -- "$word"))
                        return
                    fi
                    case ${COMP_WORDS[1]} in
                %s        *) return ;;
                    esac
                    # Bash divides words at = and at :, too.
                    for ((at = 2; at < COMP_CWORD; at++)); do
                        case ${COMP_WORDS[at]} in
                            = | :)
                                [[ -n $option ]] || ((++at < COMP_CWORD)) || inside=yes
                                continue
                                ;;
                        esac
                        if [[ -n $option ]]; then
                            option=
                        elif [[ ${COMP_WORDS[at]} == -- ]]; then
                            operand=$((at + 1))
                            break
                        elif [[ $valued == *" ${COMP_WORDS[at]} "* ]]; then
                            option=${COMP_WORDS[at]}
                        elif [[ ${COMP_WORDS[at]} != -* ]]; then
                            operand=${operand:-$at}
                            [[ -z $command ]] || break
                        fi
                    done
                    case $word in = | :) [[ -n $option ]] && word= || inside=yes ;; esac
                    [[ -z $inside ]] || return 0
                    if [[ -n $option ]]; then
                        case $option in
                %s        esac
                    elif [[ (-z $operand || -z $command) && $word == -* ]]; then
                        COMPREPLY=($(compgen -W "$options" -- "$word"))
                    elif [[ -n $command ]]; then
                        _paddock_command "${operand:-$COMP_CWORD}"
                    elif ((${operand:-$COMP_CWORD} == COMP_CWORD)); then
                        COMPREPLY=($(compgen -W "${choices:-$options}" -- "$word"))
                    fi
                }

                # _paddock_paths KIND WORD: completes files, or directories alone.
                _paddock_paths() {
                    local IFS=$'\\n'
                    compopt -o filenames 2>/dev/null
                    COMPREPLY=($(compgen "$1" -- "$2"))
                }

                # _paddock_command AT: completes a command line that begins at this word.
                _paddock_command() {
                    if declare -F _command_offset >/dev/null; then
                        _command_offset "$1"
                    elif (($1 == COMP_CWORD)); then
                        COMPREPLY=($(compgen -c -- "${COMP_WORDS[COMP_CWORD]}" | sort -u))
                    else
                        _paddock_paths -f "${COMP_WORDS[COMP_CWORD]}"
                    fi
                }

                complete -F _paddock paddock
                """.formatted(
                        String.join(" ", reference.names()),
                        reference.commands().stream()
                                .map(command -> subcommand(reference, command))
                                .collect(Collectors.joining()),
                        reference.valued().stream().map(BashCompletion::value).collect(Collectors.joining()));
    }

    private static String subcommand(Reference reference, Subcommand command) {
        List<Option> options = reference.options(command);
        StringBuilder text = new StringBuilder("        " + command.name() + ")\n");
        text.append("            options='").append(names(options)).append("'\n");
        String valued = names(options.stream().filter(Reference::needsValue).toList());
        if (!valued.isEmpty()) {
            text.append("            valued=' ").append(valued).append(" '\n");
        }
        if (!command.operands().isEmpty()) {
            text.append("            choices='")
                    .append(String.join(" ", command.operands()))
                    .append("'\n");
        }
        if (command.takesCommand()) {
            text.append("            command=yes\n");
        }
        return text.append("            ;;\n").toString();
    }

    private static String value(Option option) {
        String completion = switch (option.values()) {
            case CHOICES -> "COMPREPLY=($(compgen -W '" + String.join(" ", option.choices()) + "' -- \"$word\"))";
            case FILES -> "_paddock_paths -f \"$word\"";
            case DIRECTORIES -> "_paddock_paths -d \"$word\"";
            case TEXT, NONE -> "";
        };
        return completion.isEmpty() ? "" : "            " + option.name() + ") " + completion + " ;;\n";
    }

    private static String names(List<Option> options) {
        return options.stream().map(Option::name).collect(Collectors.joining(" "));
    }
}
