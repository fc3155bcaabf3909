import AggregateCore

/// `aggregate completions SHELL`.
enum CompletionsCommand: Command {
  static let name = "completions"
  static let summary = "prints completions for bash, zsh or fish"
  static let usage = "bash|zsh|fish"
  static let discussion = """
    bash: source <(aggregate completions bash)
    zsh:  aggregate completions zsh > "${fpath[1]}/_aggregate"
    fish: aggregate completions fish > ~/.config/fish/completions/aggregate.fish
    """
  private static let shells = ["bash", "zsh", "fish"]

  static func run(_ arguments: ParsedArguments, _ program: Program) async throws -> Int32 {
    let shell = arguments.words.first ?? ""
    switch shell {
    case "bash": try Listing.print(bash(program))
    case "zsh": try Listing.print(zsh(program))
    case "fish": try Listing.print(fish(program))
    default:
      throw AggregateError(
        .configuration, "there are no completions for “\(shell)”",
        hint: Suggestions.hint(for: shell, in: shells))
    }
    return 0
  }

  private static func words(_ program: Program) -> [(name: String, summary: String)] {
    program.commands.filter { !$0.isHidden }.map { ($0.name, $0.summary) }
      + program.stages.stages.map { ($0.spec.name, $0.spec.summary) }
  }

  private static func bash(_ program: Program) -> String {
    let names = words(program).map(\.name).joined(separator: " ")
    let options = RunOptions.definitions.map { "--\($0.name)" }.joined(separator: " ")
    return """
      _aggregate() {
        local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}
        case $previous in
          -s|--source) COMPREPLY=($(compgen -W "$(aggregate list sources 2>/dev/null | cut -d' ' -f1)" -- "$current")); return ;;
          -f|--format|-i|--input-format) COMPREPLY=($(compgen -W "$(aggregate list formats | cut -d' ' -f1)" -- "$current")); return ;;
          -c|--config|-o|--output|--record|--replay) COMPREPLY=($(compgen -f -- "$current")); return ;;
        esac
        if [[ $current == -* ]]; then
          COMPREPLY=($(compgen -W "\(options)" -- "$current"))
        elif [[ $COMP_CWORD -eq 1 ]]; then
          COMPREPLY=($(compgen -W "\(names) $(aggregate list sources 2>/dev/null | cut -d' ' -f1)" -- "$current"))
        else
          COMPREPLY=($(compgen -f -- "$current"))
        fi
      }
      complete -F _aggregate aggregate

      """
  }

  private static func zsh(_ program: Program) -> String {
    func quoted(_ text: String) -> String {
      text.replacing("'", with: "'\\''").replacing(":", with: "\\:")
    }
    let commands = words(program).map { "    '\($0.name):\(quoted($0.summary))'" }
      .joined(separator: "\n")
    let options = RunOptions.definitions.map { option in
      option.argument == .none
        ? "    '--\(option.name)[\(quoted(option.summary))]'"
        : "    '--\(option.name)=[\(quoted(option.summary))]:value:_files'"
    }.joined(separator: "\n")
    return """
      #compdef aggregate
      _aggregate() {
        local -a commands=(
      \(commands)
        )
        local -a options=(
      \(options)
        )
        if (( CURRENT == 2 )); then
          _describe command commands
        fi
        _arguments -s $options '*:file:_files'
      }
      _aggregate "$@"

      """
  }

  private static func fish(_ program: Program) -> String {
    func quoted(_ text: String) -> String { text.replacing("'", with: "\\'") }
    var text = ""
    for (name, summary) in words(program) {
      text += "complete -c aggregate -n __fish_use_subcommand -a \(name) -d '\(quoted(summary))'\n"
    }
    for option in RunOptions.definitions {
      let short = option.short.map { " -s \($0)" } ?? ""
      let takes = option.argument == .none ? "" : " -r"
      text +=
        "complete -c aggregate\(short) -l \(option.name)\(takes) -d '\(quoted(option.summary))'\n"
    }
    return text
  }
}
