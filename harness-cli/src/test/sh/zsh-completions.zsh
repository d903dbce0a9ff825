# Prints what zsh offers for a command line, one word a line: SCRIPT LINE. The completion runs in a
# terminal of its own, where a wrapper of compadd prints the words in place of a menu.
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell "PROMPT= RPROMPT= PS2=; stty -echo; autoload -U compinit; compinit -u -D; . ${(q)1}"
zpty -w shell '
compadd() {
    local -a found
    builtin compadd -O found "$@"
    (( $#found )) && print -rl -- "" "FOUND"${^found}
    return $(( $#found == 0 ))
}
zle -C offer complete-word _main_complete
offered() { zle offer; print -r -- "" ; print -r -- END }
zle -N offered
bindkey "^I" offered
print READY'
zpty -r shell text '*READY*'
zpty -n -w shell "$2"$'\t'
zpty -r shell text '*END*'
print -rl -- ${(u)${(M)${(f)text//$'\r'/}:#FOUND*}#FOUND}
zpty -d shell
