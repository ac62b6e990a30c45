namespace Mux.Tests.Callbacks;

/// <summary><see cref="IImports"/> as an older caller knows it.</summary>
[MuxService("test.Imports")]
public interface IOlderImports
{
    ValueTask<int> Import(string file, IOlderProgress progress, CancellationToken cancellationToken = default);
}
