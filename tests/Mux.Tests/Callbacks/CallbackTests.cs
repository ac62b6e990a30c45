using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports;

namespace Mux.Tests.Callbacks;

/// <summary>Objects of a caller that a handler calls while its call runs.</summary>
public abstract class CallbackTests : EndToEndTests
{
    private protected Imports Service { get; } = new();

    private protected Progress Callback { get; } = new();

    /// <summary>Waits for the end of a call. Throws then, as a handler does.</summary>
    private protected static async Task EndOf(CancellationToken cancellationToken)
    {
        var ended = new Signal("the token of a handler");
        await using var registration = cancellationToken.Register(ended.Set);
        await ended.WaitAsync();
        cancellationToken.ThrowIfCancellationRequested();
    }

    /// <summary>Starts a server and a channel, and returns the proxy of its service.</summary>
    private protected IImports Start(Scene scene, Action<MuxChannelOptions>? configure = null) =>
        scene.CreateChannel(scene.StartServer(server => server.AddService<IImports>(Service)), configure).CreateProxy<IImports>();

    /// <summary>Makes the call whose handler is <see cref="Imports.OnImport"/>.</summary>
    private protected Task<int> ImportAsync(IImports sut, IProgress? callback = null) =>
        sut.Import("file", callback ?? Callback, cancellationToken: TestContext.Current.CancellationToken).AsTask().Within("a call with callbacks");
}
