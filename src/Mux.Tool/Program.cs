using Mux.Tool;
using Mux.Tool.Commands;
using Mux.Tool.Serving;

var parsed = MuxCommand.Create().Parse(args);
var command = parsed.CommandResult.Command.Name;
var name = command == MuxCommand.Name ? command : $"{MuxCommand.Name} {command}";
if (parsed.Errors is [var error, ..])
{
    if (UnknownOption.Describe(parsed) is { } unknown) // what follows from it is told no more
    {
        Console.Error.WriteLine($"{name}: {unknown}");
        return ExitCode.Usage;
    }

    var hint = error.Message.Contains("expected", StringComparison.Ordinal) ? "" : $" '{name} --help' lists what is allowed.";
    Console.Error.WriteLine($"{name}: {error.Message}{hint}");
    return ExitCode.Usage;
}

try
{
    Engine.Choose(parsed);
    return await parsed.InvokeAsync(new() { EnableDefaultExceptionHandler = false, ProcessTerminationTimeout = null }).ConfigureAwait(false);
}
catch (ToolException failure)
{
    Console.Error.WriteLine($"{name}: {failure.Message}");
    return failure.ExitCode;
}
catch (OperationCanceledException)
{
    Console.Error.WriteLine($"{name}: Interrupted before the load began.");
    return ExitCode.Interrupted;
}
catch (Exception defect)
{
    Console.Error.WriteLine($"{name}: A defect of this tool: {defect}");
    return ExitCode.Internal;
}
