namespace Mux.Conformance.Contract;

/// <summary>A service that no server of the suite has.</summary>
[MuxService("conformance.Nowhere")]
public interface INowhere
{
    ValueTask<Payload> Ask(Payload request);

    ValueTask<Payload> Collect(IAsyncEnumerable<Payload> requests);

    IAsyncEnumerable<Payload> List(Payload request);

    IAsyncEnumerable<Payload> Talk(IAsyncEnumerable<Payload> requests);
}
