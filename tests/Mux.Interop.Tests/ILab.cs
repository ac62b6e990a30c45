namespace Mux.Interop.Tests;

/// <summary>What both sides speak: the Python programs in tests/interop know it by its names and field numbers.</summary>
[MuxService("interop.Lab")]
public interface ILab
{
    /// <summary>Answers with what it is sent, and with its metadata under keys that begin with lab-.</summary>
    ValueTask<LabNote> EchoAsync(LabNote note, MuxCallOptions? options = null);

    ValueTask<long> AddAsync(long left, long right);

    [MuxMethod(OneWay = true)]
    ValueTask TellAsync(string text);

    /// <summary>Calls of <see cref="TellAsync"/> so far.</summary>
    ValueTask<long> CountToldAsync();

    /// <summary>Notes with the numbers from 1 to <paramref name="last"/>, each with so many bytes.</summary>
    IAsyncEnumerable<LabNote> CountAsync(long last, long bytes, CancellationToken cancellationToken = default);

    ValueTask<long> TotalAsync(IAsyncEnumerable<long> numbers, CancellationToken cancellationToken = default);

    IAsyncEnumerable<LabNote> MirrorAsync(IAsyncEnumerable<LabNote> notes, CancellationToken cancellationToken = default);

    /// <summary>Until it is cancelled.</summary>
    ValueTask<LabNote> WaitAsync(CancellationToken cancellationToken = default);

    /// <summary>Fails so, with a time to retry of 1,500 ms.</summary>
    ValueTask FailAsync(long status, string text);
}
