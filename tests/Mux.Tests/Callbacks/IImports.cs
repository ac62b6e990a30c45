namespace Mux.Tests.Callbacks;

/// <summary>Methods that call their callers back.</summary>
[MuxService("test.Imports")]
public interface IImports
{
    /// <returns>What the test's handler says.</returns>
    ValueTask<int> Import(string file, IProgress progress, MuxCallOptions? options = null, CancellationToken cancellationToken = default);

    Task Meet(IProgress first, ICrowd crowd, IProgress second, CancellationToken cancellationToken = default);

    ValueTask Bare(IProgress progress);

    /// <returns>Its argument: a call without callbacks.</returns>
    ValueTask<int> Echo(int number, CancellationToken cancellationToken = default);
}
