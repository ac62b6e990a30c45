using System.CommandLine;
using Mux.Tool.Commands;

namespace Mux.Tool.Contracts;

/// <summary><c>mux describe</c>: shows services, methods and messages as a .proto file would.</summary>
internal static class DescribeCommand
{
    public static Command Create()
    {
        var shown =
            new ShownContracts("A service, a method as SERVICE/METHOD, a message or an enum [default: everything]");
        var command = new ToolCommand("describe",
            "Shows what a server describes of its contracts and you may call: a service, a method or a message, with the messages that it needs, as a .proto " +
            "file would. The server needs the package Mux.Reflection; files of contracts need no server.")
        {
            Arguments = { shown.Address, shown.Name },
            Examples =
            [
                new("mux describe mux://127.0.0.1:7070 shop.Orders/Find", "A method, its request and its reply"),
                new("mux describe mux://127.0.0.1:7070 shop.Order", "A message"),
                new("mux describe --descriptors shop.pb", "Everything in a file"),
                new("mux describe mux://127.0.0.1:7070 --out protos",
                    "Everything as .proto files, for other languages"),
            ],
        };
        var files = new DescribedFiles();
        shown.AddTo(command, "mux.describe/1");
        files.AddTo(command);
        command.SetAction((result, cancellationToken) => shown.RunAsync(
            result, (source, name, interrupt) => DescribeAsync(result, files, source, name, interrupt),
            cancellationToken));
        return command;
    }

    private static async Task<ShownText> DescribeAsync(
        ParseResult result, DescribedFiles files, ContractSource source, string? name,
        CancellationToken cancellationToken)
    {
        bool isMethod = name?.Contains('/', StringComparison.Ordinal) == true;
        var set = await source.ReadAsync(isMethod ? [name![..name!.LastIndexOf('/')]] : [], cancellationToken)
            .ConfigureAwait(false);
        var written = await files.WriteAsync(result, set, name).ConfigureAwait(false);
        if (name is not null && ContractPart.Find(set, name) is { } part) return Show(part, []);
        var undescribed =
            isMethod ? [] : await source.FindUndescribedAsync(set, cancellationToken).ConfigureAwait(false);
        if (name is null)
        {
            var all = Show(ContractPart.OfAll(set), undescribed);
            var without = undescribed.Select(static service => $"{service} is not described, so it is in no file.");
            return written.Count == 0 ? all : all with { Lines = [.. written, .. without] };
        }

        if (undescribed.Contains(name, StringComparer.Ordinal)) // the server says why not
            await source.ReadAsync([name], cancellationToken).ConfigureAwait(false);
        throw ShownContracts.Missing(source, set, name, undescribed);
    }

    private static ShownText Show(ContractPart part, IReadOnlyCollection<string> undescribed) =>
        new(ContractText.Of(part, undescribed), ContractJson.Of(part, undescribed));
}
