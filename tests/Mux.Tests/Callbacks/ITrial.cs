using Mux.Tests.Contracts;

namespace Mux.Tests.Callbacks;

/// <summary>A method that takes a callback of another assembly.</summary>
[MuxService("test.Trial")]
public interface ITrial
{
    ValueTask<int> Hear(IWitness witness, CancellationToken cancellationToken = default);
}
