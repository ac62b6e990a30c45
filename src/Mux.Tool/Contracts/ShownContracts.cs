using System.CommandLine;
using System.Text;
using Mux.Description;
using Mux.Tool.Commands;
using Mux.Tool.Reporting;

namespace Mux.Tool.Contracts;

/// <summary>What commands have in common that show contracts: of a server, or of a file, in which case the address is left out.</summary>
internal sealed class ShownContracts
{
    private const string SchemeEnd = "://";

    private readonly ServerOptions _server = new();
    private readonly SourceOptions _sources = new();
    private readonly Option<string> _output =
        ChoiceOption.Create("--output", OutputFormat.Text, "Format of the standard output", OutputFormat.Text, OutputFormat.Json);
    private Option<string?> _json = null!; // set with the other options

    /// <param name="name">Description of the argument that follows the address.</param>
    public ShownContracts(string name)
    {
        _output.Aliases.Add("-o");
        Name = new Argument<string?>("NAME") { Description = name, Arity = ArgumentArity.ZeroOrOne };
    }

    public Argument<string?> Address { get; } = new("ADDRESS")
    {
        Description = $"The server: {CheckedOption.Addresses}. Left out with a file of contracts",
        Arity = ArgumentArity.ZeroOrOne,
    };

    public Argument<string?> Name { get; }

    public void AddTo(ToolCommand command, string schema)
    {
        _json = CheckedOption.OutputFile("--json", $"Write the result to this file as well (schema {schema})");
        _sources.AddTo(command);
        command.Add(OptionGroup.Results, _output, _json);
        _server.AddTo(command);
    }

    /// <summary>Finds the contracts and prints what a command makes of them.</summary>
    public async Task<int> RunAsync(
        ParseResult result, Func<ContractSource, string?, CancellationToken, Task<ShownText>> show, CancellationToken cancellationToken)
    {
        using var interrupt = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        using var signals = new InterruptSignals(interrupt);
        var (source, name) = Read(result);
        var json = OutputFile.Open("--json", result.GetValue(_json));
        await using var jsonEnd = json.ConfigureAwait(false);
        var shown = await show(source, name, interrupt.Token).ConfigureAwait(false);
        await OutputFile.WriteAndPrintAsync(Print, (json, shown.Json)).ConfigureAwait(false);
        return ExitCode.Success;

        void Print()
        {
            if (result.Chosen<OutputFormat>(_output) == OutputFormat.Json)
            {
                Console.Out.WriteLine(Encoding.UTF8.GetString(shown.Json));
                return;
            }

            // A peer may have written them.
            foreach (var line in shown.Lines) Console.Out.WriteLine(PrintableText.Of(line));
        }
    }

    /// <summary>Creates the failure for a name that a description does not have.</summary>
    /// <param name="source">The place.</param>
    /// <param name="set">What it describes.</param>
    /// <param name="name">The name.</param>
    /// <param name="undescribed">Services that it has without a description.</param>
    public static ToolException Missing(ContractSource source, ContractSet set, string name, params IEnumerable<string> undescribed)
    {
        const int most = 10;
        var known = set.Services.Where(static service => !service.IsCallback).Select(static service => service.Name).Concat(undescribed).ToList();
        var list = known.Count == 0 ? "it has no services" : $"its services are {string.Join(", ", known.Take(most))}{(known.Count > most ? ", ..." : "")}";
        return new ToolException(ExitCode.Usage, $"{source.Place} has no '{name}': {list}.");
    }

    private (ContractSource Source, string? Name) Read(ParseResult result)
    {
        var (address, name) = (result.GetValue(Address), result.GetValue(Name));
        if (_sources.Read(result) is { } file)
        {
            if (address?.Contains(SchemeEnd, StringComparison.Ordinal) != true && name is null) return (file, address);
            throw new ToolException(ExitCode.Usage, $"With {SourceOptions.Files} there is no ADDRESS: give at most one NAME.");
        }

        if (address is null) throw new ToolException(ExitCode.Usage, $"Expected the ADDRESS of a server, or {SourceOptions.Files}.");
        return (new ReflectedContracts(_server.Read(result, address)), name);
    }
}
