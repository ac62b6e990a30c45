namespace Evidence.Fleets;

/// <summary>One of several servers, or a server that fails, waits, or calls others.</summary>
[MuxService("evidence.Fleet")]
public interface IFleet
{
    /// <summary>The number of the server.</summary>
    ValueTask<int> Who();

    /// <summary>Answers after so many milliseconds.</summary>
    ValueTask<int> Hold(int milliseconds);

    /// <summary>Notes the call in the log; then it fails (Unavailable), or answers.</summary>
    [MuxMethod(Idempotent = true)]
    ValueTask<int> Enter(int number, bool fails);

    /// <summary>Notes the call in the log of this server, and passes it on to the servers behind, which note it in theirs.</summary>
    [MuxMethod(Idempotent = true)]
    ValueTask<int> Relay(int number, bool fails);
}
