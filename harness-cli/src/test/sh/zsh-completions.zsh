# Prints what zsh offers for a command line, one word a line: zsh -f FILE SCRIPT LINE. The completion
# runs in a terminal of its own, in a shell that reads this file with --inside; there a wrapper of
# compadd prints the words in place of a menu.
if [[ $1 == --inside ]]; then
    PROMPT= RPROMPT=
    stty -echo
    autoload -U compinit
    compinit -u -D
    . $2
    compadd() {
        local -a found
        # Here a function of the completion system only asks which words match.
        if [[ ${@[1,(i)(-|--)]} == *-(O|A|D)\ * ]]; then
            builtin compadd "$@"
            return
        fi
        builtin compadd -O found "$@"
        (( $#found )) && print -rl -- "" "FOUND"${^found}
        builtin compadd "$@"
    }
    zle -C offer complete-word _main_complete
    offered() { zle offer; print -r -- ""; print -r -- END }
    zle -N offered
    bindkey "^I" offered
    print READY
    return
fi
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell ". ${(q)${0:A}} --inside ${(q)1}"
zpty -r shell text '*READY*'
zpty -n -w shell "$2"$'\t'
zpty -r shell text '*END*'
print -rl -- ${(u)${(M)${(f)text//$'\r'/}:#FOUND*}#FOUND}
zpty -d shell
