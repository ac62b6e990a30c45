namespace Mux.Tests.EndToEnd;

/// <summary>A contract that says how long its calls may take.</summary>
[MuxService("test.Timed")]
public interface ITimed
{
    [MuxMethod(TimeoutMilliseconds = 300)]
    ValueTask<int> Wait(int number, CancellationToken cancellationToken = default);

    [MuxMethod(TimeoutMilliseconds = 300)]
    IAsyncEnumerable<int> Count(CancellationToken cancellationToken = default);
}
