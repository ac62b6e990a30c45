using System.CommandLine;
using Mux.Tool.Commands;

namespace Mux.Tool.Contracts;

/// <summary><c>mux call</c>: calls any method of a server.</summary>
internal static class CallCommand
{
    private const string Name = "call";

    public static Command Create()
    {
        var arguments = new CallArguments();
        var command = new ToolCommand(Name,
            "Calls a method of a server with JSON and prints the reply as JSON; the items of a stream one a line, each when it comes. The server needs the " +
            "package Mux.Reflection, unless there is a file of contracts.")
        {
            Examples =
            [
                new("mux call mux://127.0.0.1:7070 shop.Orders/Find -d '{\"id\":7}'", "One request, one reply"),
                new("mux call mux://127.0.0.1:7070 shop.Orders/Find -d '[{\"id\":7},{\"id\":8}]'", "Two calls, one after the other"),
                new("mux call mux://127.0.0.1:7070 shop.Orders/Import -d @new.ndjson", "A request stream: one item a line"),
                new("mux call mux://127.0.0.1:7070 shop.Orders/List --proto a.proto", "A server that does not describe its contracts"),
            ],
        };
        arguments.AddTo(command);
        command.SetAction((result, cancellationToken) =>
            arguments.RunAsync(result, Name, static (call, _, input, interrupt) => call.RunAsync(input, interrupt), cancellationToken));
        return command;
    }
}
