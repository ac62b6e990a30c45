namespace Evidence.Floods;

/// <summary>A service whose handlers can be held.</summary>
[MuxService("evidence.Door")]
public interface IDoor
{
    /// <summary>Stays until its caller leaves.</summary>
    ValueTask Hold(CancellationToken cancellationToken = default);

    /// <summary>Returns the number of handlers that stay.</summary>
    [MuxMethod(TimeoutMilliseconds = 10_000)]
    ValueTask<int> Pass(CancellationToken cancellationToken = default);
}
