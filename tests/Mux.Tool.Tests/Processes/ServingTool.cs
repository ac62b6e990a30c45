namespace Mux.Tool.Tests.Processes;

/// <summary>A <c>mux serve</c> in a process of its own, for all tests of a class.</summary>
public sealed class ServingTool : IAsyncLifetime
{
    private ToolProcess? _server;

    public string Address { get; private set; } = "";

    public async ValueTask InitializeAsync() => (_server, Address) = await ToolProcess.ServeAsync();

    public ValueTask DisposeAsync()
    {
        _server?.Dispose();
        return ValueTask.CompletedTask;
    }
}
