using System.CommandLine;
using Mux.Tool.Commands;

namespace Mux.Tool.Contracts;

/// <summary><c>mux ls</c>: lists services, or the methods of one.</summary>
internal static class LsCommand
{
    public static Command Create()
    {
        var shown = new ShownContracts("A service, whose methods are listed [default: all services]");
        var command = new ToolCommand("ls",
            "Lists the services that a server describes and that you may call, or the methods of one of them. The server needs the package Mux.Reflection; " +
            "files of contracts need no server.")
        {
            Arguments = { shown.Address, shown.Name },
            Examples =
            [
                new("mux ls mux://127.0.0.1:7070", "The services of a server"),
                new("mux ls mux://127.0.0.1:7070 shop.Orders", "The methods of one of them"),
                new("mux ls --assembly bin/shop.dll", "The contracts of an assembly"),
            ],
        };
        shown.AddTo(command, "mux.ls/1");
        command.SetAction((result, cancellationToken) => shown.RunAsync(result, ListAsync, cancellationToken));
        return command;
    }

    private static async Task<ShownText> ListAsync(ContractSource source, string? name, CancellationToken cancellationToken)
    {
        if (name is null)
        {
            var services = await source.ListAsync(cancellationToken).ConfigureAwait(false);
            return new ShownText([.. services], ContractJson.OfNames("mux.ls/1", "services", services));
        }

        var set = await source.ReadAsync([name], cancellationToken).ConfigureAwait(false);
        var service = set.FindService(name) ?? throw ShownContracts.Missing(source, set, name);
        string[] methods = [.. service.Methods.Select(method => $"{service.Name}/{method.Name}")];
        return new ShownText(methods, ContractJson.OfNames("mux.ls/1", "methods", methods));
    }
}
