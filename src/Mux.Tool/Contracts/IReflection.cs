namespace Mux.Tool.Contracts;

/// <summary>The contract with which servers describe their contracts, as Mux.Reflection declares it, without its packages.</summary>
[MuxService("mux.Reflection")]
internal interface IReflection
{
    ValueTask<string[]> List(CancellationToken cancellationToken = default);

    ValueTask<byte[]> Describe(string[] services, CancellationToken cancellationToken = default);
}
