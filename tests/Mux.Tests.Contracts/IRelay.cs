namespace Mux.Tests.Contracts;

/// <summary>Goes to and fro between servers.</summary>
[MuxService("test.Relay")]
public interface IRelay
{
    /// <returns>How often it went over, with the names of those who had it.</returns>
    ValueTask<string> Pass(int timesLeft, string path, CancellationToken cancellationToken = default);
}
