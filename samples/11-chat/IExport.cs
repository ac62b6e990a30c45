using Mux;

namespace Chat;

/// <summary>Receives a history. The server calls it while <see cref="IChat.Export"/> runs.</summary>
[MuxCallback]
public interface IExport
{
    ValueTask<bool> Confirm(string question, CancellationToken cancellationToken = default);

    ValueTask Write(Line[] lines, CancellationToken cancellationToken = default); // not one-way: the server is to know that it has failed

    [MuxMethod(OneWay = true)]
    ValueTask Report(int percent);
}
